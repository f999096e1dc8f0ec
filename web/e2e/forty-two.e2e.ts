import type { Page } from "@playwright/test";
import { keepsPictures, shoot } from "./picture";
import { cli } from "./server";
import { expect, expectAccessible, test } from "./test";

interface Value {
  deal: string;
  value: number;
  moves: { domino: string; value: number; regret: number }[];
}
interface Bids {
  declarations: {
    name: string;
    lead: string;
    mean_points: number;
    bids: { bid: number; chance: number }[];
  }[];
  best: { name: string; bid: number } | null;
}

const table = (page: Page) => page.locator(".felt");
const moves = (page: Page) => table(page).getByRole("button", { name: /^Play / });
const played = (page: Page, count: number) => expect(page.getByText(`${count} of 28 played`)).toBeAttached();
const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

async function open(page: Page, url: string, query: string): Promise<void> {
  await page.goto(`${url}/#/forty-two?${query}`);
  await expect(moves(page).first()).toBeVisible();
}

test("a deal played to the end by best moves ends as the first position promised", async ({
  page,
  server,
}) => {
  await open(page, server.url, "seed=42&decl=6");
  const told = cli<Value>("forty-two", "value", "--seed", "42", "--decl", "6", "--json");
  for (const move of told.moves) {
    const name = `Play ${move.domino}: ${signed(move.value)} for Team 0, ${move.regret === 0 ? "best" : `gives away ${move.regret}`}`;
    await expect(moves(page).and(page.getByRole("button", { name, exact: true }))).toBeVisible();
  }
  await expect(moves(page)).toHaveCount(told.moves.length);
  const promised = await page.getByTestId("final-0").textContent();
  expect(Number(promised)).toBe((42 + told.value) / 2);

  for (let count = 1; count <= 28; count += 1) {
    await moves(page)
      .and(page.getByRole("button", { name: /best$/ }))
      .first()
      .click();
    await played(page, count);
    await expect(page.getByTestId("final-0")).toHaveText(promised ?? "");
  }
  await expect(page.getByText("All is played:")).toBeVisible();
  await expect(page.getByTestId("score-0")).toHaveText(promised ?? "");
  await expect(page.getByTestId("score-1")).toHaveText(String(42 - Number(promised)));
  await expect(page.getByRole("region", { name: "Tricks" }).getByRole("listitem")).toHaveCount(7);
});

test("the keyboard alone plays a deal and takes back", async ({ page, server }) => {
  await open(page, server.url, "seed=7&decl=9");
  await page.keyboard.press("ArrowRight");
  const first = moves(page).and(page.locator(":focus"));
  await expect(first).toBeVisible();
  const name = await first.getAttribute("aria-label");
  await page.keyboard.press("ArrowRight");
  await expect(first).not.toHaveAttribute("aria-label", name ?? "");
  await page.keyboard.press("Enter");
  await played(page, 1);
  await page.keyboard.press("Backspace");
  await played(page, 0);
  await page.keyboard.press("ArrowLeft");
  for (let count = 1; count <= 28; count += 1) {
    await expect(moves(page).and(page.locator(":focus"))).toBeVisible();
    await page.keyboard.press("Enter");
    await played(page, count);
  }
  await expect(page.getByText("All is played:")).toBeVisible();
});

test("moves are taken back and redone, and the address brings a position back", async ({ page, server }) => {
  await open(page, server.url, "seed=0&decl=0");
  await moves(page)
    .and(page.getByRole("button", { name: /^Play 2-2/ }))
    .click();
  await played(page, 1);
  await moves(page).first().click();
  await played(page, 2);
  const address = page.url();
  await page.getByRole("button", { name: "Take back", exact: true }).click();
  await played(page, 1);
  await page.getByRole("button", { name: "Redo" }).click();
  await played(page, 2);
  expect(page.url()).toBe(address);
  await page.reload();
  await played(page, 2);
  await expect(page.getByRole("region", { name: "Tricks" }).getByRole("button")).toHaveCount(2);
  await page.goBack();
  await played(page, 1);
  await page.getByRole("button", { name: "Start again" }).click();
  await played(page, 0);
  await page.getByRole("radio", { name: "no trump" }).click();
  await expect(page).toHaveURL(/decl=9/);
  await expect(page.locator(".called")).toHaveText("no trump");
});

test("best play shows itself, at once where motion is not wanted", async ({ page, server }) => {
  await open(page, server.url, "seed=3&decl=5");
  await page.getByRole("button", { name: "Show best play" }).click();
  await expect(page.getByText(/\b([2-9]|[12]\d) of 28 played/)).toBeAttached();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("button", { name: "Show best play" })).toBeVisible();

  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, server.url, "seed=4&decl=5");
  await played(page, 0);
  const promised = await page.getByTestId("final-0").textContent();
  await page.getByRole("button", { name: "Show best play" }).click();
  await played(page, 28);
  await expect(page.getByTestId("score-0")).toHaveText(promised ?? "");
});

test.describe("a deal that is wrong", () => {
  test.use({ quiet: ["status of 4", "Failed to load resource: 4"] });
  test("hands are chosen, filled, pasted and refused", async ({ page, server }) => {
    await open(page, server.url, "seed=1&decl=6");
    await page.getByRole("button", { name: "Choose or paste…" }).click();
    const editor = page.getByRole("region", { name: "Choose the deal" });
    await editor.getByLabel("As text, from Seat 0 on").fill("6-6 6-6 | 1-0");
    await editor.getByRole("button", { name: "Use this deal" }).click();
    await expect(editor.getByRole("alert")).toBeVisible();

    await editor.getByRole("button", { name: "Clear" }).click();
    for (const domino of ["6-6", "6-5", "6-4"])
      await editor.getByRole("button", { name: domino, exact: true }).click();
    await expect(editor.getByText("3 of 7")).toBeVisible();
    await editor.getByRole("button", { name: "Fill the rest at random" }).click();
    await editor.getByRole("button", { name: "Use this deal" }).click();
    await expect(editor).toBeHidden();
    await expect(table(page).getByRole("button", { name: /^Play 6-5/ })).toBeVisible();
    await expect(page).toHaveURL(/hands=/);

    const told = cli<Value>("forty-two", "value", "--seed", "0", "--decl", "6", "--json");
    await page.getByRole("button", { name: "Choose or paste…" }).click();
    await editor.getByLabel("As text, from Seat 0 on").fill(told.deal);
    await editor.getByRole("button", { name: "Use this deal" }).click();
    await expect(editor).toBeHidden();
    await expect(page.getByTestId("final-0")).toHaveText(String((42 + told.value) / 2));
    await page.getByRole("button", { name: "Random" }).click();
    await expect(page).not.toHaveURL(/hands=/);
    await expect(moves(page).first()).toBeVisible();
  });
});

/** Enough to compare: each deal is solved ten times, here and by the command line. */
const deals = 3;
test("the chances of bids are those of the command line", async ({ page, server }) => {
  const hand = ["6-6", "6-5", "6-4", "5-5", "4-4", "2-0", "1-0"];
  await page.goto(`${server.url}/#/forty-two/bid?samples=${deals}`);
  for (const domino of hand)
    await page.getByRole("toolbar").getByRole("button", { name: domino, exact: true }).click();
  const told = cli<Bids>(
    ...["forty-two", "bid", "--hand", hand.join(" "), "--deals", String(deals), "--seed", "0", "--json"],
  );
  const chances = page.getByRole("region", { name: "The chance to make each bid, in percent" });
  for (const declaration of told.declarations) {
    const row = chances.getByRole("row", { name: new RegExp(`^${declaration.name.replace("-", " ")} `) });
    const cells = [
      declaration.lead,
      declaration.mean_points.toFixed(1),
      ...declaration.bids.map((bid) => String(Math.round(bid.chance * 100))),
    ];
    await expect(row.getByRole("cell")).toHaveText(cells);
  }
  const advice = told.best ? `Bid ${told.best.bid} on ${told.best.name.replace("-", " ")}` : "Pass";
  await expect(page.getByTestId("advice")).toHaveText(advice);
});

test("a phone has room for it", async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const fits = async (): Promise<void> => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(360);
  };
  await open(page, server.url, "seed=42&decl=6&samples=1");
  await fits();
  for (let count = 1; count <= 5; count += 1) {
    await moves(page).first().click();
    await played(page, count);
  }
  await fits();
  await page.getByRole("link", { name: "Bid helper" }).click();
  await page.getByRole("button", { name: "Seat 0’s" }).click();
  await expect(page.getByTestId("advice")).toBeVisible();
  await fits();
});

for (const colorScheme of ["dark", "light"] as const) {
  test(`nothing is in the way of anybody, ${colorScheme}`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open(page, server.url, "seed=42&decl=6&plays=22.42");
    await expectAccessible(page, "the table");
    await page.getByRole("button", { name: "Choose or paste…" }).click();
    await expectAccessible(page, "choosing a deal");
    await page.getByRole("button", { name: "Show best play" }).click();
    await played(page, 28);
    await expectAccessible(page, "the end");
    await page.goto(`${server.url}/#/forty-two/bid?hand=66.65.64.55.44.20.10&samples=1`);
    await expect(page.getByTestId("advice")).toBeVisible();
    await expectAccessible(page, "bids");
  });
}

test("pictures of Texas 42 for the documentation", async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 830 });
  // Best play up to the third trick, then a choice that matters.
  await open(page, server.url, "seed=42&decl=6");
  for (let count = 1; count <= (keepsPictures ? 10 : 1); count += 1) {
    await moves(page)
      .and(page.getByRole("button", { name: /best$/ }))
      .first()
      .click();
    await played(page, count);
  }
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-forty-two.png");
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(
    `${server.url}/#/forty-two/bid?hand=66.65.64.55.44.20.10&samples=${keepsPictures ? 100 : 1}`,
  );
  await expect(page.getByTestId("advice")).toBeVisible({ timeout: 150_000 });
  // All of the deals, from the top.
  if (keepsPictures) await expect(page.locator(".answer[aria-busy=false]")).toBeVisible({ timeout: 250_000 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-bids.png");
});

interface Expected {
  moves: { domino: string; mean: number }[];
}

test("with the other hands hidden, a move is judged by what could be known and by what was the case", async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, server.url, "seed=42&decl=6&own=0");
  const told = cli<Value>("forty-two", "value", "--seed", "42", "--decl", "6", "--json");
  // Nothing is told before the move: no values, no hands, no end.
  await expect(table(page).getByRole("img", { name: "A hidden domino" })).toHaveCount(21);
  await expect(moves(page).first()).toHaveAttribute("aria-label", /^Play \d-\d$/);
  await expect(page.getByTestId("final-0")).toHaveCount(0);
  await expectAccessible(page, "hidden hands");

  const [hand] = told.deal.split("|").map((text) => text.trim());
  const expected = cli<Expected>(
    ...["forty-two", "expect", "--hand", hand ?? "", "--decl", "6", "--worlds", "1000", "--json"],
  );
  const first = told.moves[0]?.domino ?? "";
  const highest = Math.max(...expected.moves.map((move) => move.mean));
  const known = highest - (expected.moves.find((move) => move.domino === first)?.mean ?? 0);
  const exact = told.moves[0]?.regret ?? 0;
  await moves(page)
    .and(page.getByRole("button", { name: `Play ${first}`, exact: true }))
    .click();
  const judged = page.getByRole("region", { name: "Your moves" });
  await expect(judged.getByTestId("exact")).toHaveText(exact === 0 ? "best" : `−${exact}`);
  await expect(judged.getByTestId("known")).toContainText("1000 deals", { timeout: 60_000 });
  await expect(judged.getByTestId("known")).toContainText(known < 0.05 ? "best" : `−${known.toFixed(1)}`);

  // The other seats play by themselves until it is the reader's turn again, and a move is taken back with theirs.
  await expect(moves(page).first()).toBeVisible();
  await page.getByRole("button", { name: "Take back", exact: true }).click();
  await played(page, 0);
  await page.getByRole("radio", { name: "all hands open" }).click();
  await expect(table(page).getByRole("img", { name: "A hidden domino" })).toHaveCount(0);
  await expect(page.getByTestId("final-0")).toHaveText(String((42 + told.value) / 2));
});

test("bids fill in while deals are solved, and say when they are too close to call", async ({
  page,
  server,
}) => {
  const question = "hand=66.65.64.55.44.20.10&samples=200";
  await page.goto(`${server.url}/#/forty-two/bid?${question}`);
  const progress = page.getByRole("progressbar");
  await expect(progress).toBeVisible();
  await expect(page.getByTestId("advice")).toBeVisible();
  await expect(progress).toHaveCount(0, { timeout: 120_000 });
  const told = cli<Bids & { too_close: boolean }>(
    ...["forty-two", "bid", "--hand", "6-6 6-5 6-4 5-5 4-4 2-0 1-0", "--deals", "200", "--json"],
  );
  await expect(page.getByTestId("too-close")).toHaveCount(told.too_close ? 1 : 0);
});
