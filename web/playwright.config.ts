import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** The browser that scripts/setup-report-tests installs. */
const browser = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(":").map((folder) => `${folder}/${name}`))
  .find(existsSync);
if (!browser) throw new Error("there is no Chromium: run scripts/setup-report-tests first");

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.e2e.ts",
  workers: 1,
  // A solve may have to wait for a busy machine; nothing is decided by time.
  timeout: 600_000,
  retries: 1,
  expect: { timeout: 180_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    // What cannot be clicked is told before the time of the whole test is up.
    actionTimeout: 60_000,
    launchOptions: { executablePath: browser, args: ["--no-sandbox", "--disable-gpu"] },
  },
});
