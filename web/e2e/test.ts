import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { startServer, type Server } from "./server";

export { expect };

/** A test with a server of its own, and a page that must neither complain nor ask another host. */
export const test = base.extend<{ server: Server; quiet: string[] }>({
  server: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.stop();
  },
  // What the page may say without failing the test, as parts of the text.
  quiet: [[], { option: true }],
  page: async ({ page, server, quiet }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("response", (response) => {
      if (response.status() >= 400)
        complaints.push(`Failed to load resource: ${response.status()} of ${response.url()}`);
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      const address = new URL(request.url());
      if (address.protocol.startsWith("http") && address.hostname !== new URL(server.url).hostname)
        complaints.push(`asked ${request.url()}`);
    });
    await use(page);
    expect(complaints.filter((text) => !quiet.some((part) => text.includes(part)))).toEqual([]);
  },
});

/** Axe finds nothing serious or critical. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const found = await new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).analyze();
  const grave = found.violations.filter(
    (violation) => violation.impact === "serious" || violation.impact === "critical",
  );
  const told = grave.map(
    (violation) =>
      `${violation.id}: ${violation.nodes
        .slice(0, 4)
        .map((node) => node.target.join(" "))
        .join("; ")}`,
  );
  expect(told, what).toEqual([]);
}

/** Loads a preset on the Spot view and waits until the server has counted its tree. */
export async function loadPreset(page: Page, server: Server, preset: string, name?: string): Promise<void> {
  await page.goto(`${server.url}/#/spot`);
  await page.getByLabel("Preset").selectOption(preset);
  if (name) await page.getByLabel("Name of the solution").fill(name);
  await expect(page.getByRole("button", { name: "Solve", exact: true })).toBeEnabled();
}

/** Solves what the Spot view shows and waits for the end. */
export async function solveToEnd(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
}

/** The numbers behind a cell of the page, as the server gave them. */
export async function valueOf(page: Page, selector: string): Promise<number> {
  return Number(await page.locator(selector).first().getAttribute("data-value"));
}
