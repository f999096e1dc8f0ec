import { sizes } from "./sizes";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page, type Route } from "@playwright/test";
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
    if (process.env["NOREGRET_DIST"]) await page.route(isPage(server), fromDist);
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

/** With NOREGRET_DIST the page is that of web/dist, which need not be packed into the program before it is tried. */
const dist = join(import.meta.dirname, "../dist");
const isPage =
  (server: Server) =>
  (url: URL): boolean =>
    url.href.startsWith(server.url) && !url.pathname.startsWith("/api");
async function fromDist(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url());
  await route.fulfill({ path: join(dist, pathname === "/" ? "index.html" : pathname) });
}

/** A small screen and a phone; with `NOREGRET_SCREENS=all` also a large one. */
export const screens = sizes.map((size) => size.viewport);

/** A browser that was here before and left an empty form: nothing is filled in for it. */
export async function withEmptySpot(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (localStorage.getItem("spot") === null)
      localStorage.setItem(
        "spot",
        '[ranges]\noop = ""\nip = ""\n[cards]\nflop = ""\n[tree]\nstarting_pot = 60\neffective_stack = 470\n',
      );
  });
}

/** Nothing is wider than the screen. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const [needed, there] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(needed, what).toBeLessThanOrEqual(there!);
}

/** Axe finds nothing serious or critical. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // What fades in has other colours until it is there.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished),
    ),
  );
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
