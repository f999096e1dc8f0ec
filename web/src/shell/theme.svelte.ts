import { keep, recall } from "./stored";

export type Theme = "dark" | "light";

/** Follows the system until the reader picks; then keeps the choice. */
class ThemeChoice {
  #picked = $state<Theme | null>(remembered());
  #system = $state<Theme>(systemTheme());

  constructor() {
    if (typeof window === "undefined") return;
    window.matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
      this.#system = systemTheme();
    });
  }

  get current(): Theme {
    return this.#picked ?? this.#system;
  }

  toggle(): void {
    this.#picked = this.current === "dark" ? "light" : "dark";
    keep("theme", this.#picked);
  }
}

function remembered(): Theme | null {
  const stored = recall("theme");
  return stored === "dark" || stored === "light" ? stored : null;
}

function systemTheme(): Theme {
  if (typeof window === "undefined") return "dark";
  return window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export const theme = new ThemeChoice();
