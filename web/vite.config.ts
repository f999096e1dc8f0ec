import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `npm run dev` finds the API: the address that `noregret serve --no-open` prints. */
const server = process.env["NOREGRET_SERVER"] ?? "http://127.0.0.1:4242";

export default defineConfig({
  plugins: [svelte()],
  build: { target: "es2022", assetsInlineLimit: 0 },
  // With the Host of this server and not of that one, or its guard would see another Origin.
  server: { proxy: { "/api": { target: server, changeOrigin: false } } },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { include: ["src/**/*.test.ts"] },
});
