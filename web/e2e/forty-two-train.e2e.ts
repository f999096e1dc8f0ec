import { expect, expectAccessible, expectFits, screens, test } from "./test";
import type { Page } from "@playwright/test";

const game = (page: Page) => page.locator("[data-decision]");
const gaveAway = (page: Page) => page.getByRole("region", { name: "What it gave away" });
/** What can be played, without what is on its way to the middle. */
const legal = (page: Page) => page.locator(".felt .tile:not([inert]) [data-domino]");

/** What is asked, as the page has it: the same text for the same question. */
async function asked(page: Page): Promise<string> {
  await expect(legal(page).first()).toBeEnabled();
  const dominoes = await legal(page).evaluateAll((all) =>
    all.map((each) => each.getAttribute("data-domino")),
  );
  return `${await game(page).getAttribute("data-decision")}: ${dominoes.join(" ")}`;
}

async function playFirst(page: Page): Promise<void> {
  await legal(page).first().click();
  await expect(gaveAway(page)).toBeVisible();
}

for (const viewport of screens) {
  test.describe(`Texas 42 trained at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("a hand is played with the others hidden, and every play is scored", async ({ page, server }) => {
      await page.goto(`${server.url}/#/forty-two/train`);
      await page.getByRole("radio", { name: "Seat 1" }).click();
      await expectFits(page, "the form");
      await expectAccessible(page, "the form");
      await page.getByRole("button", { name: "Deal" }).click();
      await asked(page);
      await expect(page.getByLabel("A hidden domino").first()).toBeVisible();
      // Only the own hand is open.
      const open = await page
        .getByRole("region", { name: /^Seat [023]/ })
        .locator("[data-domino]")
        .count();
      expect(open).toBe(0);
      await expectFits(page, "the question");
      await expectAccessible(page, "the question");
      await playFirst(page);
      await expectFits(page, "the verdict");
      await expectAccessible(page, "the verdict");
      await expect(page.locator("[data-next]")).toBeInViewport({ ratio: 1 });
      const known = await page
        .locator("[data-known]")
        .evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-known"))));
      expect(Math.min(...known)).toBe(0);
      let plays = 1;
      while ((await page.locator("[data-points]").count()) === 0) {
        await page.locator("[data-next]").click();
        await expect(gaveAway(page)).toHaveCount(0);
        await asked(page);
        await playFirst(page);
        plays += 1;
      }
      await expect(page.locator("[data-plays]")).toHaveAttribute("data-plays", String(plays));
      await expect(page.getByLabel("A hidden domino")).toHaveCount(0);
      const end = page.locator("[data-points]");
      const [points, par] = [await end.getAttribute("data-points"), await end.getAttribute("data-par")];
      expect(Number(points)).toBeLessThanOrEqual(Number(par));
      await expectAccessible(page, "the end");
    });
  });
}

test("a link deals the same, a reload goes on, and the session stays", async ({ page, server }) => {
  const link = `${server.url}/#/forty-two/train?seed=12&seat=2&worlds=10`;
  await page.goto(link);
  const questions: string[] = [];
  for (let each = 0; each < 2; each += 1) {
    questions.push(await asked(page));
    await playFirst(page);
    await page.locator("[data-next]").click();
    await expect(gaveAway(page)).toHaveCount(0);
  }
  const third = await asked(page);
  await page.reload();
  expect(await asked(page)).toBe(third);
  await expect(page.locator("[data-plays]")).toHaveAttribute("data-plays", "2");
  // Somebody else, with the link alone, by the keyboard alone.
  await page.goto(`${server.url}/#/`);
  await page.goto(link);
  expect(await asked(page)).toBe(questions[0]);
  await legal(page).first().focus();
  await page.keyboard.press("Enter");
  await expect(gaveAway(page)).toBeVisible();
  await page.locator("[data-next]").focus();
  await page.keyboard.press("Enter");
  await expect(gaveAway(page)).toHaveCount(0);
  expect(await asked(page)).toBe(questions[1]);
  await page.getByRole("link", { name: "End" }).click();
  const sessions = page.getByRole("region", { name: "Sessions" });
  await expect(sessions.getByRole("link")).toHaveCount(2);
  await sessions.getByRole("button").first().click();
  await expect(sessions.getByRole("link")).toHaveCount(1);
});
