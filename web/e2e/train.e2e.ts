import { join } from "node:path";
import { cli, shelve, type Server } from "./server";
import { expect, expectAccessible, expectFits, screens, test, valueOf } from "./test";
import type { Page } from "@playwright/test";

interface Inspected {
  hands: { action_evs: number[]; strategy: number[] }[];
}

const table = (page: Page) => page.getByRole("region", { name: "The table" });
const cost = (page: Page) => page.getByRole("region", { name: "What it cost" });
const actions = (page: Page) => page.getByRole("group", { name: "Your action" }).getByRole("button");

/** What is asked, as the page has it: the same text for the same question. */
async function asked(page: Page): Promise<string> {
  await expect(actions(page).first()).toBeEnabled();
  const at = table(page);
  return `${await at.getAttribute("data-line")} | ${await at.getAttribute("data-hole")}`;
}

/** Answers with the first action, and goes on. */
async function passOn(page: Page): Promise<void> {
  await actions(page).first().click();
  await page.locator("[data-next]").click();
}

function inspect(server: Server, question: string): Inspected {
  const [line = "", hole = ""] = question.split(" | ");
  const file = join(server.library, "quick.nrs");
  return cli<Inspected>("inspect", file, "--line", line, "--hand", hole, "--json");
}

for (const viewport of screens) {
  test.describe(`training at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("a question, its answer and what that cost fit and can be read by all", async ({ page, server }) => {
      shelve(server, "quick");
      await page.goto(`${server.url}/#/train`);
      await expect(page.getByRole("heading", { name: "Train against the solution" })).toBeVisible();
      await page.getByLabel("Solution").selectOption("quick");
      await page.getByRole("radio", { name: "Single decisions" }).click();
      await page.getByRole("radio", { name: "Turn", exact: true }).click();
      await expectFits(page, "the form");
      await expectAccessible(page, "the form");
      await page.getByRole("button", { name: "Deal" }).click();
      const question = await asked(page);
      await expectFits(page, "the question");
      await expectAccessible(page, "the question");
      // All that can be done is in sight without scrolling, above the bar of views on a phone.
      for (const button of await actions(page).all()) await expect(button).toBeInViewport({ ratio: 1 });
      await actions(page).last().click();
      await expect(cost(page)).toBeVisible();
      await expect(page.getByRole("grid", { name: "Strategy of all hands" })).toBeVisible();
      await expectFits(page, "the verdict");
      await expectAccessible(page, "the verdict");
      await expect(page.locator("[data-next]")).toBeInViewport({ ratio: 1 });

      // The numbers are those of the command line, to the digit.
      const { hands } = inspect(server, question);
      const evs = hands[0]!.action_evs;
      const shown = await page
        .locator("td[data-value]")
        .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
      expect(shown).toEqual(evs);
      expect(await valueOf(page, "[data-verdict] + [data-value]")).toBe(Math.max(...evs) - evs.at(-1)!);

      // One's own hand is marked in the matrix.
      await expect(page.getByRole("gridcell", { selected: true })).toHaveCount(1);
      await page.locator("[data-next]").click();
      expect(await asked(page)).not.toBe(question);
      await expect(page.locator("[data-decisions]")).toHaveAttribute("data-decisions", "1");
    });
  });
}

test("a link asks the same, a reload goes on, and the session stays", async ({ page, server }) => {
  shelve(server, "quick");
  const link = `${server.url}/#/train/quick?seed=12&play=decisions&street=turn`;
  const questions: string[] = [];
  await page.goto(link);
  for (let each = 0; each < 3; each += 1) {
    questions.push(await asked(page));
    await passOn(page);
  }
  const fourth = await asked(page);
  await page.reload();
  expect(await asked(page)).toBe(fourth);
  await expect(page.locator("[data-decisions]")).toHaveAttribute("data-decisions", "3");
  // Somebody else, with the link alone.
  await page.goto(`${server.url}/#/`);
  await page.goto(link);
  for (const question of questions) {
    expect(await asked(page)).toBe(question);
    await passOn(page);
  }
  await page.getByRole("link", { name: "End" }).click();
  const sessions = page.getByRole("region", { name: "Sessions" });
  await expect(sessions.getByRole("link")).toHaveCount(2);
  await sessions.getByRole("button").first().click();
  await expect(sessions.getByRole("link")).toHaveCount(1);
});

test("a whole hand is played to its end by the keyboard alone", async ({ page, server }) => {
  shelve(server, "quick");
  await page.goto(`${server.url}/#/train?of=quick&seed=4`);
  await expect(page.getByRole("button", { name: "Deal" })).toBeEnabled();
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  for (let tabs = 0; tabs < 40 && (await focused()) !== "Deal"; tabs += 1) await page.keyboard.press("Tab");
  expect(await focused()).toBe("Deal");
  await page.keyboard.press("Enter");
  await asked(page);
  // The most passive action, until the hand is over.
  for (let decision = 0; decision < 12; decision += 1) {
    await page.keyboard.press("1");
    await expect(cost(page)).toBeVisible();
    const over = (await page.locator("[data-next]").textContent())?.includes("Next hand");
    await page.keyboard.press(decision % 2 === 0 ? "Enter" : "Space");
    await asked(page);
    if (over) break;
  }
  expect(Number(await page.locator("[data-decisions]").getAttribute("data-decisions"))).toBeGreaterThan(0);
});

test("what went wrong is asked again, and Browse leads to a drill", async ({ page, server }) => {
  shelve(server, "quick");
  await page.goto(`${server.url}/#/browse/quick?line=check`);
  await page.getByRole("link", { name: "Train from here" }).click();
  await page.getByRole("radio", { name: "IP", exact: true }).click();
  await page.getByRole("radio", { name: "Single decisions" }).click();
  await page.getByRole("button", { name: "Deal" }).click();
  // Folding or the largest bet goes wrong before long.
  let wrong = "";
  for (let each = 0; each < 25 && !wrong; each += 1) {
    const question = await asked(page);
    expect(question.startsWith("check")).toBe(true);
    const first = (await actions(page).first().textContent())?.toLowerCase().includes("fold");
    await (first ? actions(page).first() : actions(page).last()).click();
    await expect(cost(page)).toBeVisible();
    const verdict = await page.locator("[data-verdict]").getAttribute("data-verdict");
    if (verdict !== "best" && verdict !== "fine") wrong = question;
    await page.locator("[data-next]").click();
  }
  expect(wrong).not.toBe("");
  await asked(page);
  await page.getByRole("link", { name: "End" }).click();
  await page.getByRole("button", { name: "Ask 1 again" }).click();
  expect(await asked(page)).toBe(wrong);
  await actions(page).first().click();
  await page.locator("[data-next]").click();
  await expect(page.getByRole("heading", { name: "All asked again" })).toBeVisible();
});

test("a clock that has run out takes the most passive action", async ({ page, server }) => {
  shelve(server, "quick");
  await page.goto(`${server.url}/#/train/quick?seed=3&play=decisions&street=turn&clock=3`);
  await asked(page);
  await expect(page.getByRole("timer")).toBeVisible();
  await expect(cost(page)).toBeVisible();
  await expect(page.locator("tbody tr").first()).toHaveClass(/chosen/);
});
