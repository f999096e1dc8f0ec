import { expect, loadPreset, test } from "./test";

/** A solve that does not end by itself while the test looks. */
async function startLong(page: import("@playwright/test").Page, name: string): Promise<void> {
  await page.getByLabel("Name of the solution").fill(name);
  await page.getByLabel("Target, % of pot").fill("0.00001");
  await page.getByLabel("At most iterations").fill("100000");
  await expect.poll(() => page.url()).toContain("s=");
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "Solve", exact: true }).click();
}

test("a reload in the middle of a solve shows it from the start; stop, go on, stop", async ({
  page,
  server,
}) => {
  await loadPreset(page, server, "quick");
  await startLong(page, "reloaded");
  const state = page.locator("[data-state]");
  await expect(state).toHaveAttribute("data-state", "running");
  const curve = page.getByRole("img", { name: /Exploitability over time/ });
  await expect(curve).toBeVisible();
  await page.waitForTimeout(1500);
  await page.reload();
  await expect(state).toHaveAttribute("data-state", "running");
  // All measurements since the start are there: the path has more than a point or two.
  await expect
    .poll(async () => ((await curve.locator("path").getAttribute("d")) ?? "").split("L").length)
    .toBeGreaterThan(2);

  await page.getByRole("button", { name: "Stop" }).click();
  await expect(state).toHaveAttribute("data-state", "stopped");
  const reached = await page.locator('[data-figure="iteration"]').textContent();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(state).toHaveAttribute("data-state", "running");
  await expect(page.locator('[data-figure="iteration"]')).not.toHaveText(reached ?? "");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(state).toHaveAttribute("data-state", "stopped");
});

test("two solves queue; the second starts when the first is stopped", async ({ page, server }) => {
  await loadPreset(page, server, "quick");
  await startLong(page, "first");
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "running");
  await loadPreset(page, server, "turn", "second");
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "queued");
  await expect(page.getByRole("navigation", { name: "Solves" })).toContainText("queued, number 1");
  await page
    .getByRole("navigation", { name: "Solves" })
    .getByRole("link", { name: /^first/ })
    .click();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "stopped");
  await page
    .getByRole("navigation", { name: "Solves" })
    .getByRole("link", { name: /^second/ })
    .click();
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
});

test("a solve goes on to a lower target", async ({ page, server }) => {
  await loadPreset(page, server, "quick", "lower");
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  const state = page.locator("[data-state]");
  await expect(state).toHaveAttribute("data-state", "done");
  await page.getByLabel("Go on to a lower target, % of pot").fill("0.2");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.locator('[data-figure="target"]')).toHaveText("0.2%");
  await expect(state).toHaveAttribute("data-state", "done");
  const reached = Number.parseFloat(
    (await page.locator('[data-figure="exploitability"]').textContent()) ?? "",
  );
  expect(reached).toBeLessThanOrEqual(0.2);
});

test.describe("after a crash", () => {
  test.use({ quiet: ["Failed to load resource", "ERR_CONNECTION_REFUSED", "net::ERR"] });
  test("the server offers to continue from the last checkpoint", async ({ page, server }) => {
    await loadPreset(page, server, "quick");
    await startLong(page, "crashed");
    await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "running");
    await page.waitForTimeout(1000);
    await server.crash();
    await page.goto(`${server.url}/#/solve`);
    await page
      .getByRole("navigation", { name: "Solves" })
      .getByRole("link", { name: /^crashed/ })
      .click();
    await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "interrupted");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "running");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "stopped");
  });
});
