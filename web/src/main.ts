import { mount } from "svelte";
import "./shell/tokens.css";
import "./shell/base.css";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });
