import { shelve, shelveBlinds } from "./server";
import { expect, screens, test } from "./test";

test.beforeEach(({ server }) => shelve(server, "quick"));

test("a saved solution is reopened from the library, and an address brings a view back", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/#/library`);
  await page.getByRole("link", { name: "quick", exact: true }).click();
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
  await page.getByRole("radio", { name: "Equity" }).click();
  await page.getByRole("radio", { name: "Both" }).click();
  await expect(page.getByRole("grid", { name: "Equity of IP" })).toBeVisible();
  await page.getByRole("button", { name: /^Equity/ }).click();
  await page.getByLabel("Made hand").selectOption("top pair");
  const rows = page.getByRole("region", { name: "Hand list" }).locator("tbody tr:not([aria-hidden])");
  await expect(rows.first()).toContainText("top pair");
  const before = await rows.allTextContents();
  await page.reload();
  await expect(page.getByRole("grid", { name: "Equity of IP" })).toBeVisible();
  await expect(rows).toHaveText(before);
});

test("cards, alternatives, hands and charts", async ({ page, server }) => {
  await page.goto(`${server.url}/#/browse/quick?line=${encodeURIComponent("check, check")}`);
  const cards = page.getByRole("region", { name: "Cards that can come" });
  await expect(cards.getByRole("link")).toHaveCount(48);
  await cards.getByLabel("Colour by").selectOption({ label: "how often: check" });
  await cards.getByRole("link", { name: /^Th, / }).click();
  const line = page.getByRole("navigation", { name: "Line" });
  await expect(line).toContainText("River");
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();

  // A crumb leads to its alternatives.
  await line
    .getByRole("link", { name: /^bet 60/ })
    .first()
    .click();
  await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
  await expect(line.getByRole("link", { name: /^bet 60/ })).toHaveAttribute("aria-current", "step");

  await page.getByRole("gridcell", { name: /^KQs/ }).hover();
  await expect(page.getByRole("heading", { name: "KQs of IP" })).toBeVisible();
  await page.getByRole("radio", { name: "Charts" }).click();
  await expect(page.getByRole("img", { name: "Equity distribution of both players" })).toBeVisible();
  await expect(page.getByRole("img", { name: "EV distribution of both players" })).toBeVisible();
  await page.getByRole("radio", { name: "Classes" }).click();
  const classes = page.getByRole("table", { name: "What the hands of IP make of the board" });
  await expect(classes.getByRole("row")).not.toHaveCount(1);
});

for (const viewport of screens) {
  test(`a card that takes a while is marked, and nothing moves, ${viewport.width}×${viewport.height}`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto(`${server.url}/#/browse/quick?line=${encodeURIComponent("check, check")}`);
    const card = page
      .getByRole("region", { name: "Cards that can come" })
      .getByRole("link", { name: /^Th, / });
    await card.scrollIntoViewIfNeeded();
    let answer = (): void => undefined;
    const asked = new Promise<void>((done) => (answer = done));
    await page.route(/\/node\?.*Th/, async (route) => {
      await asked;
      await route.continue();
    });
    const before = await card.boundingBox();
    await card.click();
    await expect(card).toHaveAttribute("aria-busy", "true");
    await expect(page.getByText(/^Working out/)).toBeInViewport();
    expect(await card.boundingBox()).toEqual(before);
    answer();
    await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
    await expect(page.getByText(/^Working out/)).toHaveCount(0);
  });
}

test("Browse is left before all answers are there", async ({ page, server }) => {
  await page.route("**/api/solutions/quick", async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await page.goto(`${server.url}/#/browse/quick`);
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
  const late = page.waitForResponse("**/api/solutions/quick");
  await page.evaluate(() => (location.hash = "#/"));
  await expect(page.getByRole("heading", { name: "What would equilibrium do?" })).toBeVisible();
  await late;
  // The page would complain when the answer finds nobody.
  await page.waitForTimeout(300);
});

test.describe("a line that is not there", () => {
  test.use({ quiet: ["status of 4", "Failed to load resource: 4"] });
  test("has no numbers of another under its message", async ({ page, server }) => {
    await page.goto(`${server.url}/#/browse/quick`);
    await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
    await page.evaluate(() => (location.hash = "#/browse/quick?line=bet+999"));
    await expect(page.getByRole("alert")).toContainText("999");
    await expect(page.getByRole("grid")).toHaveCount(0);
    await page.getByRole("link", { name: "To the root" }).click();
    await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });
});

test("amounts are in the unit of the spec, and can be shown in another", async ({ page, server }) => {
  shelveBlinds(server);
  await page.goto(`${server.url}/#/browse/blinds?line=${encodeURIComponent("bet 1.8")}`);
  const line = page.getByRole("navigation", { name: "Line" });
  await expect(line).toContainText("97.5 bb · pot 5.5 bb");
  await expect(line.getByRole("link", { name: /^bet 1.8/ })).toBeVisible();
  await page.getByRole("radio", { name: "Chips", exact: true }).click();
  await expect(line).toContainText("195 chips · pot 11 chips");
  await expect(line.getByRole("link", { name: /^bet 3.6 chips/ })).toBeVisible();
  await page.getByRole("radio", { name: "% pot" }).click();
  await expect(line.getByRole("link", { name: /^bet 32.73%/ })).toBeVisible();
  await expect(line.getByRole("link", { name: /^raise 29.67%/ })).toBeVisible();
  await line.getByRole("link", { name: /^raise 29.67%/ }).click();
  await expect(page).toHaveURL(/unit=pot/);
  await expect(page).toHaveURL(/raise(\+|%20)4.5/);
});

/** Prints the medians of how long nodes took from the change of the address to their paint; nothing is decided by them. */
test("how long a node takes to be on the screen", async ({ page, server }) => {
  await page.goto(`${server.url}/#/browse/quick`);
  const line = page.getByRole("navigation", { name: "Line" });
  const show = async (steps: string[]): Promise<void> => {
    await page.evaluate((text) => (location.hash = `#/browse/quick?line=${text}`), steps.join("%2C+"));
    // A step with its choices for each action, and the one that is open.
    await expect(line.locator(".step")).toHaveCount(steps.length + 2);
    await expect(page.locator(".columns")).toHaveAttribute("aria-busy", "false");
    await page.waitForTimeout(300);
  };
  await expect(page.getByRole("region", { name: "Hand list" })).toBeVisible();
  await page.waitForTimeout(500);
  await page.evaluate(() => performance.clearMeasures());
  const rivers = ["2s", "Th", "Ac", "7d", "Js"].map((card) => ["check", "check", card]);
  const near = ["check", "bet 20", "bet 60"].flatMap((action) => [[action], []]);
  for (const steps of [...rivers, [], ...near, ...rivers, ...near]) await show(steps);
  const took = await page.evaluate(() =>
    performance.getEntriesByType("measure").map(({ name, duration }) => ({ name, duration })),
  );
  const names = [...new Set(took.map(({ name }) => name))].sort();
  for (const name of names) {
    const all = took.filter((each) => each.name === name).map((each) => each.duration);
    all.sort((a, b) => a - b);
    console.log(`${name}: median ${all[all.length >> 1]!.toFixed(0)} ms of ${all.length}`);
  }
  expect(names).toHaveLength(4);
});

/** What a node change costs, in counts: these are what the time on the screen comes from. */
test("the next nodes are there before they are clicked, and a node is written over the one before", async ({
  page,
  server,
}) => {
  const asked: string[] = [];
  const sizes: number[] = [];
  page.on("response", (response) => {
    const address = new URL(response.url());
    if (!address.pathname.endsWith("/node")) return;
    asked.push(address.searchParams.get("line") ?? "");
    sizes.push(Number(response.headers()["content-length"]));
  });
  const line = page.getByRole("navigation", { name: "Line" });
  const busy = page.locator(".columns");
  await page.goto(`${server.url}/#/browse/quick`);
  await expect.poll(() => [...asked].sort()).toEqual(["", "bet 20", "bet 60", "check"]);

  asked.length = 0;
  await page.keyboard.press("3");
  await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
  await expect(busy).toHaveAttribute("aria-busy", "false");
  await expect.poll(() => [...asked].sort()).toEqual(["bet 60, call", "bet 60, fold", "bet 60, raise 150"]);
  asked.length = 0;
  await page.keyboard.press("Backspace");
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
  await expect(busy).toHaveAttribute("aria-busy", "false");
  expect(asked).toEqual([]);
  expect(Math.max(...sizes)).toBeLessThan(150_000);

  // From one river to the next no element is made, moved or thrown away, and each is written once.
  const go = (card: string): Promise<void> =>
    page.evaluate((text) => void (location.hash = `#/browse/quick?line=check%2C+check%2C+${text}`), card);
  await go("2s");
  await expect(line.getByRole("img", { name: "2s" })).toBeVisible();
  await expect(busy).toHaveAttribute("aria-busy", "false");
  await page.evaluate(() => {
    const counts = { made: 0, written: 0 };
    const seen = new MutationObserver((changes) => {
      for (const change of changes) {
        const elements = [...change.addedNodes, ...change.removedNodes].filter((node) => node.nodeType === 1);
        counts.made += elements.length;
        counts.written += Number(change.type === "attributes" && change.attributeName === "aria-label");
      }
    });
    for (const part of document.querySelectorAll(
      "nav[aria-label=Line], [role=grid], [aria-labelledby=totals-title]",
    ))
      seen.observe(part, { subtree: true, childList: true, attributes: true });
    Object.assign(window, { counts });
  });
  await go("Th");
  await expect(line.getByRole("img", { name: "Th" })).toBeVisible();
  await expect(busy).toHaveAttribute("aria-busy", "false");
  const { made, written } = await page.evaluate(
    () => (window as unknown as { counts: { made: number; written: number } }).counts,
  );
  expect(made).toBe(0);
  expect(written).toBeGreaterThan(0);
  // 169 cells and the card.
  expect(written).toBeLessThanOrEqual(170);
});

test("lock, solve again, compare", async ({ page, server }) => {
  await page.goto(`${server.url}/#/browse/quick?line=${encodeURIComponent("bet 60")}&tab=lock`);
  await expect(page.getByRole("heading", { name: "Lock what IP does here" })).toBeVisible();
  await page.getByRole("button", { name: "Always fold" }).click();
  await expect(page.getByText(/all hands: fold 100%/)).toBeVisible();
  // Twice in a hurry is once, and once more is another.
  const again = page.getByRole("button", { name: "Solve again" });
  const compare = page.getByRole("link", { name: "Compare before and after" });
  const solves = (): Promise<number> =>
    page.evaluate(async () => ((await (await fetch("/api/solves")).json()) as unknown[]).length);
  await again.dblclick();
  await expect(compare).toHaveAttribute("href", /against=quick\+locked$/);
  expect(await solves()).toBe(1);
  await again.click();
  await expect(compare).toHaveAttribute("href", /against=quick\+locked.+/);
  expect(await solves()).toBe(2);
  await expect(again).toBeEnabled();
  await compare.click();
  await expect(page.locator('tr[data-compare="fold"]')).toContainText("100.0%");
  for (const name of ["Before", "After", "Difference of EVs"])
    await expect(page.getByRole("grid", { name, exact: true })).toBeVisible();

  // Against somebody who always folds, the first player bets, and gains.
  await page.getByRole("navigation", { name: "Line" }).getByRole("link", { name: "Root" }).click();
  const gain = page.locator('tr[data-compare="oop ev"] td').last();
  await expect(gain).toHaveText(/^\+/);
  await expect(page.locator('tr[data-compare="bet 60"] td').last()).toHaveText(/^\+/);
});
