import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { examples, shelve } from "./server";
import { expect, expectAccessible, loadPreset, test, withEmptySpot } from "./test";

test("with the keyboard only", async ({ page, server }) => {
  await withEmptySpot(page);
  await page.goto(`${server.url}/#/spot`);
  const grid = page.getByRole("grid", { name: "Range of OOP" });
  await expect(grid).toBeVisible();
  const tabTo = async (what: () => Promise<boolean>): Promise<void> => {
    for (let step = 0; step < 120; step += 1) {
      if (await what()) return;
      await page.keyboard.press("Tab");
    }
    throw new Error("the Tab key does not get there");
  };
  const focused = (name: string) => () =>
    page.evaluate((wanted) => {
      const at = document.activeElement;
      return (
        (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim().startsWith(wanted) ||
        at?.id === wanted
      );
    }, name);

  // Paint a range: AA to TT down the diagonal, then all suited aces.
  await tabTo(focused("AA,"));
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Shift+Enter");
  await expect(grid.getByRole("gridcell", { name: "TT, 100%" })).toBeVisible();
  await expect(grid.getByRole("gridcell", { name: "A2s, 100%" })).toBeVisible();
  await tabTo(focused("text-ip"));
  await page.keyboard.type("QQ-77,KQs,QJs");
  await tabTo(focused("As"));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  for (const step of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(step);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Solve", exact: true })).toBeEnabled();

  await page.keyboard.press("Home");
  for (let step = 0; step < 200; step += 1) {
    if (await focused("Solve")()) {
      const onButton = await page.evaluate(() => document.activeElement?.tagName === "BUTTON");
      if (onButton) break;
    }
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
  await tabTo(focused("Browse the solution"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
  await page.keyboard.press("1");
  await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
  await page.keyboard.press("Backspace");
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  test("set up, solve and browse by touch, with nothing wider than the screen", async ({ page, server }) => {
    await loadPreset(page, server, "quick", "phone");
    const fits = async (): Promise<void> =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await fits();
    for (const view of await page.getByRole("navigation", { name: "Views" }).getByRole("link").all()) {
      const link = (await view.boundingBox())!;
      const text = await view.evaluate((each) => each.scrollWidth - each.clientWidth);
      expect(link.x >= 0 && link.x + link.width <= 360 && text <= 0, await view.innerText()).toBe(true);
    }
    await page.getByRole("button", { name: "Solve", exact: true }).tap();
    await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
    await fits();
    await page.getByRole("link", { name: "Browse the solution" }).tap();
    const grid = page.getByRole("grid", { name: "Strategy of OOP" });
    await expect(grid).toBeVisible();
    await fits();
    const box = await grid.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(360);
    await grid.getByRole("gridcell", { name: /^KQs/ }).tap();
    await expect(page.getByRole("heading", { name: "KQs of OOP" })).toBeVisible();
    await page
      .getByRole("navigation", { name: "Line" })
      .getByRole("link", { name: /^bet 60/ })
      .tap();
    await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
    for (const tab of ["Charts", "Lock", "Compare"]) {
      await page.getByRole("radio", { name: tab, exact: true }).tap();
      await fits();
    }
    await page.goto(`${server.url}/#/library`);
    await expect(page.getByRole("link", { name: "phone", exact: true })).toBeVisible();
    await fits();
  });
});

test("files come in by their inputs, the same one twice too", async ({ page, server }) => {
  shelve(server, "quick");
  await page.goto(`${server.url}/#/library`);
  const names = page.getByRole("region", { name: "Solutions" }).getByRole("row");
  await expect(names).toHaveCount(2);
  const add = page.getByLabel("Add a file");
  for (const rows of [3, 4]) {
    await add.setInputFiles(join(server.library, "quick.nrs"));
    await expect(names).toHaveCount(rows);
  }
  await expect(page.getByRole("alert")).toHaveCount(0);

  await page.goto(`${server.url}/#/spot`);
  await page.getByRole("button", { name: "TOML" }).click();
  const text = page.getByLabel("Spec as TOML");
  for (const typed of ["nothing", "nothing else"]) {
    await text.fill(typed);
    await page.getByLabel("Open a file").setInputFiles(join(examples, "quick.toml"));
    await expect(text).toHaveValue(readFileSync(join(examples, "quick.toml"), "utf8"));
  }
  await page.getByRole("button", { name: "Use this" }).click();
  await expect(text).toBeHidden();
  await expect(page.getByLabel("Pot", { exact: true })).toHaveValue("60");
  await expect(page.getByRole("button", { name: "Solve", exact: true })).toBeEnabled();
});

for (const theme of ["dark", "light"] as const) {
  test.describe(`the ${theme} theme`, () => {
    test.use({ colorScheme: theme });
    test("has nothing that axe finds serious", async ({ page, server }) => {
      shelve(server, "quick");
      await loadPreset(page, server, "quick", "axe");
      await expectAccessible(page, "spot");
      await page.getByRole("button", { name: "Solve", exact: true }).click();
      await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
      await expectAccessible(page, "solve");
      await page.goto(`${server.url}/#/library`);
      await expect(page.getByRole("region", { name: "Solutions" })).toBeVisible();
      await expectAccessible(page, "library");
      for (const place of [
        "browse/quick",
        "browse/quick?line=bet%2060&tab=lock",
        "browse/quick?mode=ev&who=both&tab=charts",
        "browse/quick?line=check,%20check",
        "browse/quick?tab=compare&against=axe",
        "browse",
      ]) {
        await page.goto(`${server.url}/#/${place}`);
        await expect(page.locator("main h1")).toBeVisible();
        if (place.includes("quick")) await expect(page.getByRole("grid").first()).toBeVisible();
        await expectAccessible(page, place);
      }
    });
  });
}

test("the whole page is smaller than 300 kB compressed", () => {
  const folder = join(import.meta.dirname, "../dist/assets");
  const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${(total / 1000).toFixed(1)} kB compressed in ${sizes.length} files`);
  expect(total).toBeLessThan(300_000);
});
