import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { cli, examples, type Server } from "./server";
import { expect, expectAccessible, expectFits, screens, test, valueOf } from "./test";

const history = readFileSync(join(examples, "session.txt"), "utf8");

/** So little is left on the flop that it is solved in a moment: top pair is folded to a small bet. */
const short = [
  "PokerStars Hand #7: Hold'em No Limit ($0.50/$1.00 USD) - 2026/03/14 20:00:00 ET",
  "Table 'Vega IV' 6-max Seat #4 is the button",
  ...["UTG", "HJ", "CO", "Hero", "SB", "BB"].map((name, at) => `Seat ${at + 1}: ${name} ($8 in chips)`),
  "SB: posts small blind $0.50",
  "BB: posts big blind $1",
  "*** HOLE CARDS ***",
  "Dealt to Hero [Ad Qd]",
  ...["UTG: folds", "HJ: folds", "CO: folds", "Hero: raises $1 to $2", "SB: folds"],
  ...["BB: raises $4 to $6", "Hero: calls $4", "*** FLOP *** [Qc 7d 2h]"],
  ...["BB: bets $2 and is all-in", "Hero: folds", "Uncalled bet ($2) returned to BB"],
  ...["BB collected $12.50 from pot", "*** SUMMARY ***", "Total pot $12.50 | Rake $0", "", "", ""],
].join("\n");
/** The same with a hand that ended before the flop and one with three players. */
const evening = short + history.split("\n\n\n").slice(1, 3).join("\n\n\n");

interface Inspected {
  hands: { action_evs: number[] }[];
  actions: { action: string }[];
}

/** Pastes the session of the examples, to be solved coarsely. */
async function paste(page: Page, server: Server, text = history): Promise<void> {
  await page.goto(`${server.url}/#/hands`);
  await page.getByLabel("Hand histories: PokerStars, GGPoker or PHH").fill(text);
  await page.getByLabel("Target, % of the pot").fill("20");
  await page.getByRole("button", { name: "Read the hands" }).click();
  await expect(page.getByRole("heading", { name: "Vega IV, 2026/03/14" })).toBeVisible();
}

const table = (page: Page) => page.getByRole("region", { name: "The table" });
const decision = (page: Page) => page.getByRole("region", { name: "The decision" });
const step = (page: Page) => page.locator("[data-step]");

for (const viewport of screens) {
  test.describe(`hands at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("hands are pasted, solved, replayed and trained", async ({ page, server }) => {
      await page.goto(`${server.url}/#/hands`);
      await expect(page.getByRole("heading", { name: "Study your hands" })).toBeVisible();
      await expectFits(page, "the paste box");
      await expectAccessible(page, "the paste box");
      await paste(page, server, evening.replace("Total pot $2.50", "Total pot $25"));
      const list = page.getByRole("region", { name: "Hands", exact: true });
      await expect(list.getByRole("link")).toHaveCount(2);
      await expect(list).toContainText("3 players saw the flop, and heads-up pots are solved");
      await expect(page.getByRole("region", { name: "Not read" })).toContainText(
        "the players have put in $2.50, and the pot is $25",
      );
      await list.getByRole("radio", { name: "Left out 1" }).click();
      await expect(list.getByRole("link")).toHaveCount(1);
      await list.getByRole("radio", { name: "All 2" }).click();
      await expectFits(page, "the session");
      await expectAccessible(page, "the session");

      // A hand that is not solved yet can be replayed.
      await list.getByRole("link").first().click();
      await expect(table(page)).toHaveAttribute("data-street", "flop");
      await expect(decision(page)).toContainText("Not solved yet");
      await decision(page).getByRole("link", { name: "the session" }).click();

      await page.getByRole("button", { name: "Solve 1 spot" }).click();
      await expect(list.locator('[data-kind="solved"]')).toHaveCount(1);
      await expectFits(page, "the report");
      await expectAccessible(page, "the report");
      const costly = page.getByRole("region", { name: "The costliest decisions" });
      const lost = await valueOf(page, "#main .loss[data-value]");
      await costly.getByRole("link").first().click();

      // Where it cost most is where the hand is opened.
      await expect(decision(page).locator("[data-loss]")).toHaveAttribute("data-loss", String(lost));
      await expect(page.locator(".strip .own.now")).toBeVisible();
      await expectFits(page, "the hand");
      await expectAccessible(page, "the hand");
      // In the money that was played for: a big blind is a dollar here, and in chips elsewhere.
      const units = page.getByRole("radiogroup", { name: "What amounts are in" });
      await expect(table(page)).toContainText(/Pot [\d.]+ bb/);
      await expect(decision(page).getByRole("columnheader", { name: "EV, bb" })).toBeVisible();
      await units.getByRole("radio", { name: "USD" }).click();
      await expect(page).toHaveURL(/unit=played/);
      await expect(table(page)).toContainText(/Pot [\d.]+ USD/);
      await expect(table(page)).not.toContainText("bb");
      await expect(decision(page).getByRole("columnheader", { name: "EV, USD" })).toBeVisible();
      await expect(decision(page)).toContainText(`costs ${lost.toFixed(2)} USD`);
      await expectFits(page, "the hand in dollars");
      await page.getByRole("button", { name: "To the start" }).click();
      await expect(table(page)).toHaveAttribute("data-street", "preflop");
      await expect(table(page)).toContainText("USD");
      await units.getByRole("radio", { name: "BB" }).click();
      await expect(table(page)).not.toContainText("USD");
      await page.getByRole("button", { name: "One step on" }).click();
      await expect(step(page)).toHaveAttribute("data-step", "1");
      await page.getByRole("button", { name: "To the next decision" }).click();
      await expect(page.locator(".strip .own.now")).toBeVisible();

      // The numbers are those of the command line, and Browse has what was played.
      await decision(page).getByRole("link", { name: "Open in Browse" }).click();
      await expect(page.locator(".strip .choice.played").first()).toBeVisible();
      await expect(units.getByRole("radio", { name: "BB" })).toBeChecked();
      const address = new URLSearchParams(page.url().split("?")[1]);
      expect(address.get("played")!.startsWith(address.get("line")!)).toBe(true);
      await page.getByRole("link", { name: "Back to the hand" }).click();
      await expect(table(page)).toBeVisible();
    });
  });
}

test("a decision costs what inspect says, and is asked again with one click", async ({ page, server }) => {
  await paste(page, server, evening);
  await page.getByRole("button", { name: "Solve 1 spot" }).click();
  const costly = page.getByRole("region", { name: "The costliest decisions" });
  await expect(
    page.getByRole("region", { name: "Hands", exact: true }).locator('[data-kind="solved"]'),
  ).toHaveCount(1);
  await expect(costly).toBeVisible();
  const lost = await valueOf(page, "#main .loss[data-value]");
  const browse = await costly.getByRole("link", { name: "Browse" }).first().getAttribute("href");
  const [id = "", query = ""] = browse!.replace("#/browse/", "").split("?");
  const address = new URLSearchParams(query);
  const file = join(server.library, `${decodeURIComponent(id)}.nrs`);
  const hole = await page.evaluate(async () => {
    const report = (await (await fetch("/api/hands/1")).json()) as {
      totals: { costliest: { hole: string; played: string }[] };
    };
    return report.totals.costliest[0]!;
  });
  const point = cli<Inspected>(
    "inspect",
    file,
    "--line",
    address.get("line") ?? "",
    "--hand",
    hole.hole,
    "--json",
  );
  const evs = point.hands[0]!.action_evs;
  const played = point.actions.findIndex((action) => action.action === hole.played.split(" ")[0]);
  expect(lost).toBeCloseTo((Math.max(...evs) - evs[played]!) / 100, 9);

  await page.getByRole("button", { name: /^Train the/ }).click();
  await expect(page.getByRole("heading", { name: "Costly in Vega IV, 2026/03/14" })).toBeVisible();
  await expect(page.getByRole("region", { name: "The table" })).toHaveAttribute("data-hole", hole.hole);
  await page.getByRole("group", { name: "Your action" }).getByRole("button").first().click();
  await expect(page.getByRole("region", { name: "What it cost" })).toBeVisible();
  await page.getByRole("link", { name: "End" }).click();
  await expect(page.getByRole("region", { name: "Sessions" })).toContainText("Costly in Vega IV");
});

for (const viewport of screens) {
  test.describe(`own ranges at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("take the place of the chart's for a session, and the chart's are taken again", async ({
      page,
      server,
    }) => {
      await paste(page, server, evening);
      await page.getByRole("button", { name: "Solve 1 spot" }).click();
      const list = page.getByRole("region", { name: "Hands", exact: true });
      await expect(list.locator('[data-kind="solved"]')).toHaveCount(1);
      await list.getByRole("link").first().click();
      const spot = page.getByRole("region", { name: "The spot" });
      const range = "BTN calls the 3-bet of BB, 6-max, 20 bb";
      const dialog = page.getByRole("dialog");
      // By the keyboard, and away again.
      await spot.getByRole("button", { name: `Edit range: ${range}` }).focus();
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("heading", { name: range })).toBeVisible();
      await expect(dialog.getByRole("button", { name: "Use this range" })).toBeDisabled();
      await expectFits(page, "the range");
      await expectAccessible(page, "the range");
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();

      await spot.getByRole("button", { name: `Edit range: ${range}` }).click();
      await dialog.getByLabel("As text").fill("99-66, AQs-ATs");
      await dialog.getByRole("button", { name: "Use this range" }).click();
      await expect(dialog).toBeHidden();
      await expect(spot).toContainText("yours");
      await expect(spot).toContainText(`the range is yours, in the place of \`${range}\``);
      await expect(decision(page)).toContainText("Not solved yet");
      await expect(page.getByText("is yours now: 1 spot is to be solved.")).toBeVisible();
      await expectFits(page, "the hand with an own range");
      await expectAccessible(page, "the hand with an own range");

      await decision(page).getByRole("link", { name: "the session" }).click();
      const own = page.getByRole("region", { name: "Your ranges" });
      await expect(own).toContainText(`${range} 1 hand`);
      await own.getByRole("button", { name: `Edit range: ${range}` }).click();
      await expect(dialog.getByLabel("As text")).toHaveValue("99-66,AQs-ATs");
      await dialog.getByRole("button", { name: "Back to the chart" }).click();
      // What was solved with it is still there.
      await expect(own).toBeHidden();
      await expect(list.locator('[data-kind="solved"]')).toHaveCount(1);
    });
  });
}

test("a hand is walked through by the keyboard alone, and a session stays until it is forgotten", async ({
  page,
  server,
}) => {
  await paste(page, server);
  await page.goto(`${server.url}/#/hands/1/0?step=0`);
  await expect(step(page)).toHaveText("1 of 12");
  await page.keyboard.press("ArrowRight");
  await expect(step(page)).toHaveText("2 of 12");
  await page.keyboard.press("d");
  await expect(table(page)).toHaveAttribute("data-street", "flop");
  await expect(table(page).locator("[data-pot]")).toHaveAttribute("data-pot", "16.5");
  await page.keyboard.press("End");
  await expect(table(page)).toHaveAttribute("data-street", "end");
  await expect(decision(page)).toContainText("BB wins 19.5 bb");
  await page.keyboard.press("Home");
  await expect(step(page)).toHaveText("1 of 12");
  await page.keyboard.press("Shift+D");
  await expect(step(page)).toHaveText("1 of 12");
  await page.goto(`${server.url}/#/hands`);
  await page.reload();
  const sessions = page.getByRole("region", { name: "Sessions" });
  await expect(sessions).toContainText("4 hands · 0 of 2 solved");
  await sessions.getByRole("button", { name: "Forget the session Vega IV, 2026/03/14" }).click();
  await expect(sessions.getByRole("link")).toHaveCount(0);
});

test.describe("what is no hand", () => {
  test.use({ quiet: ["422"] });

  test("is told, and what was pasted stays", async ({ page, server }) => {
    await page.goto(`${server.url}/#/hands`);
    const box = page.getByLabel("Hand histories: PokerStars, GGPoker or PHH");
    await box.fill("dear diary");
    await page.getByRole("button", { name: "Read the hands" }).click();
    await expect(page.getByRole("alert")).toContainText("line 1: this is no hand");
    await expect(box).toHaveValue("dear diary");
    const file = { name: "evening.txt", mimeType: "text/plain", buffer: Buffer.from(history) };
    await box.fill("");
    await page.getByLabel("Files with hand histories").setInputFiles(file);
    await page.getByRole("button", { name: "Read the hands" }).click();
    await expect(page.getByRole("heading", { name: "evening" })).toBeVisible();
  });
});
