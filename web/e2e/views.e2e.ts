import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { makesSizes } from "./picture";
import { examples, pictures, shelve, shelveBlinds, type Server } from "./server";
import { at } from "./sizes";
import { expect, loadPreset, test } from "./test";

// With NOREGRET_PICTURES=sizes: every view in three windows, into target/pictures, to be looked at before a release.
test.skip(!makesSizes, "NOREGRET_PICTURES=sizes makes pictures of all views");
test.describe.configure({ retries: 0, timeout: 1_800_000 });

const windows = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

/** Pictures of what the page shows now, in each window; of a phone also one of the whole length. */
async function everySize(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  for (const viewport of windows) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(0, 0);
    // What is laid out anew by a script takes a moment.
    await page.waitForTimeout(400);
    const save = async (ending: string, fullPage: boolean): Promise<void> =>
      writeFileSync(
        join(pictures, `${name}-${viewport.width}${ending}.png`),
        await page.screenshot({ animations: "disabled", fullPage }),
      );
    await save("", false);
    if (viewport.width < 640) await save("-whole", true);
  }
  await page.setViewportSize(windows[0]!);
}

/** Opens an address and waits until what it is about is there. */
async function open(page: Page, server: Server, place: string, shown: string): Promise<void> {
  // To the address that is shown already, goto would not load the page again.
  await page.goto("about:blank");
  await page.goto(`${server.url}/${place}`);
  await expect(page.locator(shown).first()).toBeVisible();
  await page.waitForTimeout(500);
}

const schemes = ["dark", "light"] as const;

test("start, named spots, the library and a report", async ({ page, server }) => {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await open(page, server, "", ".examples a");
    await everySize(page, `start-${colorScheme}`);
    await open(page, server, "#/spot?spot=BTN+vs+BB,+single-raised,+100+bb", "[role=gridcell]");
    await expect(page.getByRole("button", { name: "Solve", exact: true })).toBeVisible();
    await everySize(page, `named-spot-${colorScheme}`);
    const report = encodeURIComponent("example:CO vs BTN, 4-bet, 100 bb, 25 flops");
    await open(page, server, `#/reports/batch/${report}`, "tbody tr:not(.mean)");
    await everySize(page, `report-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, server, "#/reports", "#main a");
  await everySize(page, "reports");
  shelve(server, "quick");
  shelve(server, "quick", "BTN vs BB/quick");
  shelve(server, "locked", "BTN vs BB/quick, IP folds more");
  await open(page, server, "#/library", 'a:has-text("quick")');
  await everySize(page, "library");
  await page.getByRole("button", { name: "Delete quick", exact: true }).click();
  await expect(page.getByText(/is deleted/)).toBeVisible();
  await everySize(page, "library-deleted");
  await page.keyboard.press("?");
  await everySize(page, "keys");
});

test("a spot, many flops and a solve", async ({ page, server }) => {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await loadPreset(page, server, "quick");
    await page.waitForTimeout(500);
    await everySize(page, `spot-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Many flops" }).click();
  await everySize(page, "many-flops");
  await page.keyboard.press("Escape");
  await loadPreset(page, server, "quick", "quick to 0.5");
  await page.getByLabel("Target, % of pot").fill("0.5");
  await page.waitForTimeout(800);
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
  await everySize(page, "solve");
});

test("browsing: modes, tabs, locks and the lens", async ({ page, server }) => {
  shelve(server, "quick");
  shelve(server, "locked", "quick locked");
  shelveBlinds(server);
  const views: [string, string, string][] = [
    ["browse", at("quick", "bet 20"), "[role=gridcell]"],
    ["browse-blinds", at("blinds", "bet 1.8"), "[role=gridcell]"],
    ["browse-classes", at("quick", "bet 60", { tab: "classes" }), "[role=gridcell]"],
    ["browse-charts", at("quick", "bet 60", { tab: "charts" }), "[role=gridcell]"],
    ["browse-blockers", at("quick", "bet 60", { tab: "blockers" }), "[role=gridcell]"],
    ["browse-equity", at("quick", "check, check", { who: "both", mode: "equity" }), "[role=gridcell]"],
    ["exploit", at("quick", "bet 60", { mode: "exploit" }), '[data-exploit="ready"]'],
    ["lens", at("quick", "bet 60", { made: "top pair" }), "[role=gridcell]"],
    ["lens-draw", at("quick", "bet 60", { draw: "flush draw", suit: "h" }), "[role=gridcell]"],
    ["compare", at("quick", "", { tab: "compare", against: "quick locked" }), "[role=gridcell]"],
    ["deep", at("quick", "check, bet 40, call, Th, check"), "[role=gridcell]"],
  ];
  for (const [name, place, shown] of views) {
    await open(page, server, place, shown);
    await everySize(page, name);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, server, at("quick", "bet 20"), "[role=gridcell]");
  await everySize(page, "browse-light");
  await open(page, server, at("quick", "bet 60", { tab: "lock" }), "[role=gridcell]");
  await page.getByRole("button", { name: "Folds 75%" }).click();
  await expect(page.getByText("all hands: fold 75%")).toBeVisible();
  await everySize(page, "lock-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await everySize(page, "lock");
  // A hand's detail, which is a sheet from below on a phone.
  await open(page, server, at("quick", "bet 20"), "[role=gridcell]");
  await page.getByRole("gridcell", { name: /^QJs/ }).first().click();
  await everySize(page, "detail");
});

test("hands: the paste box, a session, a hand and its ranges", async ({ page, server }) => {
  await open(page, server, "#/hands", "textarea");
  await everySize(page, "hands");
  await page
    .getByLabel("Hand histories: PokerStars, GGPoker or PHH")
    .fill(readFileSync(join(examples, "session.txt"), "utf8"));
  await page.getByLabel("Target, % of the pot").fill("5");
  await page.getByRole("button", { name: "Read the hands" }).click();
  await expect(page.getByRole("button", { name: /^Solve \d/ })).toBeVisible();
  await everySize(page, "session-new");
  await page.getByRole("button", { name: /^Solve \d/ }).click();
  // Flops are solved, which takes minutes on a machine that has other things to do.
  await expect(page.locator('[data-kind="solved"]')).toHaveCount(2, { timeout: 1_200_000 });
  await everySize(page, "session");
  await page.getByRole("region", { name: "The costliest decisions" }).getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "The decision" }).locator("[data-loss]")).toBeVisible();
  await page.waitForTimeout(500);
  await everySize(page, "hand");
  await page.emulateMedia({ colorScheme: "light" });
  await everySize(page, "hand-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, server, "#/hands", 'a:has-text("Vega")');
  await everySize(page, "hands-sessions");
});

test("the trainer: the form, a question and an answer", async ({ page, server }) => {
  shelve(server, "quick");
  await open(page, server, "#/train", "form, .columns");
  await everySize(page, "train-start");
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await open(page, server, "#/train/quick?seed=6&play=decisions&street=turn", '[aria-label="Your action"]');
    await everySize(page, `train-question-${colorScheme}`);
    await page.keyboard.press("2");
    await expect(page.getByRole("grid", { name: "Strategy of all hands" })).toBeVisible();
    await everySize(page, `train-answer-${colorScheme}`);
  }
  await open(page, server, "#/train", "form, .columns");
  await everySize(page, "train-sessions");
});

test("Texas 42: the table, bids and the drill", async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await open(page, server, "#/forty-two?seed=42&decl=6", "[data-domino]");
    await page.waitForTimeout(3000);
    await everySize(page, `forty-two-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, server, "#/forty-two/bid?hand=66.65.64.55.44.20.10&samples=2", '[data-testid="advice"]');
  await expect(page.locator(".answer[aria-busy=false]")).toBeVisible();
  await everySize(page, "forty-two-bids");
  await open(page, server, "#/forty-two/train", "#main button");
  await everySize(page, "forty-two-train-start");
  await page.getByRole("button", { name: "Deal" }).click();
  await expect(page.locator(".felt .tile:not([inert]) [data-domino]").first()).toBeEnabled();
  await everySize(page, "forty-two-train-question");
  await page.locator(".felt .tile:not([inert]) [data-domino]").first().click();
  await expect(page.getByRole("region", { name: "What it gave away" })).toBeVisible();
  await page.waitForTimeout(600);
  await everySize(page, "forty-two-train");
});
