import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { examples, shelve, type Server } from "./server";
import { expect, expectAccessible, expectFits, loadPreset, screens, test } from "./test";

for (const viewport of screens) {
  test.describe(`nothing is lost at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("undo and redo in the spot, by key and by button", async ({ page, server }) => {
      await page.goto(`${server.url}/#/spot`);
      const pot = page.getByLabel("Pot", { exact: true });
      await expect(pot).toHaveValue("5.5");
      await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();
      await pot.fill("7");
      await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
      const grid = page.getByRole("grid", { name: "Range of IP" });
      await grid.getByRole("gridcell", { name: "AA, 100%" }).click();
      await expect(grid.getByRole("gridcell", { name: "AA, not in the range" })).toBeVisible();
      // Longer than a stroke, so that the two are two steps.
      await page.waitForTimeout(600);
      await page.keyboard.press("Control+z");
      await expect(grid.getByRole("gridcell", { name: "AA, 100%" })).toBeVisible();
      await expect(pot).toHaveValue("7");
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(pot).toHaveValue("5.5");
      await page.keyboard.press("Control+Shift+z");
      await expect(pot).toHaveValue("7");
      await page.getByRole("button", { name: "Redo" }).click();
      await expect(grid.getByRole("gridcell", { name: "AA, not in the range" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Redo" })).toBeDisabled();
    });

    test("Back after a preset is back in the form, not out of the page", async ({ page, server }) => {
      await page.goto(server.url);
      await page.getByRole("link", { name: "CO vs BTN, 3-bet, 100 bb" }).click();
      const name = page.getByLabel("Name of the solution");
      await expect(name).toHaveValue("CO vs BTN, 3-bet, 100 bb");
      await expect(page).toHaveURL(/s=/);
      await page.getByLabel("Preset").selectOption("quick");
      await expect(name).toHaveValue("quick");
      await expect(page).toHaveURL(/name=quick/);
      await page.goBack();
      await expect(name).toHaveValue("CO vs BTN, 3-bet, 100 bb");
      await page.goBack();
      await expect(page.getByRole("heading", { name: "What would equilibrium do?" })).toBeVisible();
    });

    test("the library: names, tags, notes, folders, order, search, and deletions that are taken back", async ({
      page,
      server,
    }) => {
      shelve(server, "quick", "alpha");
      shelve(server, "quick", "beta");
      await page.goto(`${server.url}/#/library`);
      const table = page.getByRole("region", { name: "Solutions" });
      await expect(table.getByRole("link", { name: "alpha", exact: true })).toBeVisible();
      await table.getByRole("button", { name: "Name, tags and note of alpha" }).click();
      await page.getByLabel("Name, with its folder").fill("study/gamma");
      await page.getByLabel("Tags, with commas").fill("river, hard");
      await page.getByLabel("Note", { exact: true }).fill("check the turn again");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(table.getByRole("link", { name: "gamma", exact: true })).toBeVisible();
      await expect(table.getByRole("button", { name: /study\s+1 solution/ })).toBeVisible();
      await expect(table.getByText("check the turn again")).toBeVisible();
      await expectFits(page, "library");

      const search = page.getByLabel("Search solutions");
      await search.fill("turn again");
      await expect(table.getByRole("link", { name: "beta", exact: true })).toHaveCount(0);
      await page.getByRole("button", { name: "#hard" }).click();
      await expect(search).toHaveValue("#hard");
      await expect(table.getByRole("link", { name: "gamma", exact: true })).toBeVisible();
      await page.reload();
      await expect(table.getByRole("link", { name: "gamma", exact: true })).toBeVisible();
      await expect(table.getByRole("link", { name: "beta", exact: true })).toHaveCount(0);
      await search.fill("");
      await table.getByRole("button", { name: "Name", exact: true }).click();
      await expect(table.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
        "aria-sort",
        "ascending",
      );
      // A folder is folded.
      await table.getByRole("button", { name: /study/ }).first().click();
      await expect(table.getByRole("link", { name: "gamma", exact: true })).toHaveCount(0);

      await table.getByRole("button", { name: "Delete beta" }).click();
      await expect(table.getByRole("link", { name: "beta", exact: true })).toHaveCount(0);
      await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
      await expect(table.getByRole("link", { name: "beta", exact: true })).toBeVisible();
      await table.getByRole("button", { name: "Delete beta" }).click();
      await page.getByText(/^Deleted: 1/).click();
      await page.getByRole("button", { name: "Take back beta" }).click();
      await expect(table.getByRole("link", { name: "beta", exact: true })).toBeVisible();
    });

    test("a message covers nothing to click", async ({ page, server }) => {
      shelve(server, "quick");
      shelve(server, "quick", "old");
      await page.goto(`${server.url}/#/library`);
      await page.getByRole("button", { name: "Delete old" }).click();
      await expect(page.getByRole("status").getByRole("button", { name: "Undo" })).toBeVisible();
      // The next views have buttons at the bottom, on a phone fixed there.
      await page.evaluate(() => (location.hash = "#/train/quick?seed=6&play=decisions"));
      const message = page.locator(".toast");
      const actions = page.getByRole("group", { name: "Your action" });
      await expect(actions).toBeVisible();
      await actions.scrollIntoViewIfNeeded();
      const [own, other] = [(await actions.boundingBox())!, (await message.boundingBox())!];
      expect(own.y + own.height <= other.y || own.x + own.width <= other.x).toBe(true);
      await page.getByRole("button", { name: "Close the message" }).click();
      await expect(message).toHaveCount(0);
    });

    test("a node is bookmarked and found in the library", async ({ page, server }) => {
      shelve(server, "quick");
      await page.goto(`${server.url}/#/browse/quick?line=check`);
      await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
      await page.getByRole("button", { name: "Bookmark this node" }).click();
      await expect(page.getByRole("button", { name: "Take the bookmark away" })).toBeVisible();
      await page.goto(`${server.url}/#/library`);
      await page.getByRole("link", { name: "★ check" }).click();
      await expect(page).toHaveURL(/browse\/quick\?line=check/);
      await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
    });
  });
}

interface Begun {
  session: { id: number };
  question: { actions: { label: string }[] };
}
interface BegunDominoes {
  session: { id: number };
  question: { legal: number[] };
}

/** Sends something to the server, and gives its answer. */
async function send<T>(page: Page, server: Server, path: string, data: unknown = {}): Promise<T> {
  const answer = await page.request.post(`${server.url}/api/${path}`, { data });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  return (await answer.json()) as T;
}

/** Forgets what a list has with its button, takes it back, and forgets it again. */
async function forgetTwice(page: Page, button: Locator, said: string): Promise<void> {
  await expect(button).toBeVisible();
  await button.click();
  await expect(button).toHaveCount(0);
  const message = page.getByRole("status").filter({ hasText: said });
  await message.getByRole("button", { name: "Undo" }).click();
  await expect(button).toBeVisible();
  await expect(message).toHaveCount(0);
  await button.click();
  await expect(button).toHaveCount(0);
  await expect(message).toBeVisible();
}

test("what is forgotten can be taken back: sessions of hands, drills and Texas 42, and solves", async ({
  page,
  server,
}) => {
  shelve(server, "quick");
  const text = readFileSync(join(examples, "session.txt"), "utf8");
  await send(page, server, "hands", { text, name: "Tuesday" });
  const drill = await send<Begun>(page, server, "drills", { solution: "quick", settings: "seed=4" });
  await send(page, server, `drills/${String(drill.session.id)}/answers`, {
    decision: 0,
    action: drill.question.actions[0]!.label,
  });
  const played = await send<BegunDominoes>(page, server, "forty-two/drills", { settings: "seed=12" });
  await send(page, server, `forty-two/drills/${String(played.session.id)}/answers`, {
    decision: 0,
    domino: played.question.legal[0],
  });
  const presets = (await (await page.request.get(`${server.url}/api/presets`)).json()) as { toml: string }[];
  const { toml } = presets.find((preset) => preset.toml.includes("Kh9h4c"))!;
  const solve = await send<{ id: string }>(page, server, "solves", { name: "tried", toml, target_pct: 50 });

  await page.goto(`${server.url}/#/hands`);
  await forgetTwice(
    page,
    page.getByRole("button", { name: "Forget the session Tuesday" }),
    "The session “Tuesday” is forgotten.",
  );
  await page.goto(`${server.url}/#/train`);
  const sessions = page.getByRole("region", { name: "Sessions" });
  await forgetTwice(page, sessions.getByRole("button", { name: /^Forget/ }), "The session is forgotten.");
  await page.goto(`${server.url}/#/forty-two/train`);
  await forgetTwice(page, sessions.getByRole("button", { name: /^Forget/ }), "The session is forgotten.");
  await page.goto(`${server.url}/#/solve/${solve.id}`);
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
  const forget = page.getByRole("button", { name: "Forget", exact: true });
  await forgetTwice(page, forget, "The solve “tried” is forgotten.");

  // Later, in the library, with all else that was deleted.
  await page.goto(`${server.url}/#/library`);
  await page.getByText(/^Deleted: 4/).click();
  for (const name of ["hands: Tuesday", "drill: quick", "Texas 42: session 1", "solve: tried"])
    await expect(page.getByRole("button", { name: `Take back ${name}` })).toBeVisible();
  await expectAccessible(page, "what was deleted");
  await page.getByRole("button", { name: "Take back hands: Tuesday" }).click();
  await expect(page.getByText(/^Deleted: 3/)).toBeVisible();
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText(/^Deleted:/)).toHaveCount(0);
  await page.goto(`${server.url}/#/hands`);
  await page.getByRole("link", { name: /Tuesday/ }).click();
  await expect(page.getByRole("heading", { name: "Tuesday" })).toBeVisible();
});

test("Edit keeps the name", async ({ page, server }) => {
  shelve(server, "quick", "folder of mine");
  await page.goto(`${server.url}/#/library`);
  await page.getByRole("button", { name: "Set up a spot like folder of mine" }).click();
  await expect(page.getByLabel("Name of the solution")).toHaveValue("folder of mine");
  await expect(page.getByLabel("Pot", { exact: true })).toHaveValue("60");
});

test.describe("a file that is no solution", () => {
  test.use({ quiet: ["status of 4", "Failed to load resource: 4"] });
  test("is refused in one plain sentence", async ({ page, server }) => {
    await page.goto(`${server.url}/#/library`);
    await page.getByLabel("Add a file").setInputFiles({
      name: "picture.nrs",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("\u0089PNG and nothing else that would be a solution"),
    });
    await expect(page.getByRole("alert")).toHaveText("the file cannot be added: not a solution file");
  });
});

for (const colorScheme of ["dark", "light"] as const) {
  test(`the library and the spot are for everybody, ${colorScheme}`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme });
    shelve(server, "quick", "study/one");
    await loadPreset(page, server, "quick");
    await expectAccessible(page, "spot");
    await page.goto(`${server.url}/#/library`);
    await page.getByRole("button", { name: "Name, tags and note of study/one" }).click();
    await page.getByLabel("Tags, with commas").fill("a, b");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("button", { name: "#a" })).toBeVisible();
    await page.getByRole("button", { name: "Name, tags and note of study/one" }).click();
    await page.getByRole("button", { name: "Delete study/one" }).click();
    await expect(page.getByRole("status")).toContainText("deleted");
    await expectAccessible(page, "library");
  });
}
