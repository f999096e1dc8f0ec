import { expect, expectAccessible, expectFits, screens, test } from "./test";

for (const viewport of screens) {
  test.describe(`spots by name at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("from the first visit to an own solved flop in five clicks", async ({ page, server }) => {
      test.setTimeout(600_000);
      await page.goto(server.url);
      let clicks = 0;
      const click = async (role: "link" | "button", name: string): Promise<void> => {
        const wanted = page.getByRole(role, { name, exact: true });
        await wanted
          .and(page.locator("a:not([href*=browse]), [href*=browse]:has-text('solution'), button"))
          .click();
        clicks += 1;
      };
      await click("link", "CO vs BTN, 4-bet, 100 bb");
      await expect(page.getByLabel("Name of the solution")).toHaveValue("CO vs BTN, 4-bet, 100 bb");
      await page.getByLabel("Board as text").fill("8h 8d 3c");
      // For a quick test; the spot is the reader's own.
      await page.getByLabel("Target, % of pot").fill("3");
      const solve = page.getByRole("button", { name: "Solve", exact: true });
      await expect(solve).toBeEnabled();
      await click("button", "Solve");
      await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done", { timeout: 500_000 });
      await click("link", "Browse the solution");
      await expect(page.getByRole("grid", { name: /^Strategy of/ })).toBeVisible();
      expect(clicks).toBeLessThanOrEqual(5);
      await expect(page.locator("main h1")).toContainText("CO vs BTN, 4-bet, 100 bb");
    });

    test("game, depth, positions and pot fill in the spot, and the board stays", async ({ page, server }) => {
      await page.goto(`${server.url}/#/spot`);
      const name = page.getByLabel("Name of the solution");
      await expect(name).toHaveValue("BTN vs BB, single-raised, 100 bb");
      await expect(page.getByLabel("Pot", { exact: true })).toHaveValue("5.5");
      await expect(page.getByLabel("Stack", { exact: true })).toHaveValue("97.5");
      await page.getByLabel("Board as text").fill("ks7d2C");
      await expect(page.getByRole("button", { name: "Take Ks off the board" })).toBeVisible();
      await page
        .getByRole("radiogroup", { name: "Type of pot" })
        .getByRole("radio", { name: "3-bet" })
        .click();
      await expect(name).toHaveValue("BTN vs BB, 3-bet, 100 bb");
      await expect(page.getByLabel("Stack", { exact: true })).toHaveValue("88.5");
      await page.getByRole("radio", { name: "CO", exact: true }).click();
      await expect(name).toHaveValue("CO vs BB, 3-bet, 100 bb");
      await page.getByRole("radio", { name: "40 bb" }).click();
      await expect(name).toHaveValue("CO vs BB, 3-bet, 40 bb");
      await page.getByRole("radio", { name: "heads-up" }).click();
      await expect(name).toHaveValue("BTN vs BB, 3-bet, 40 bb, heads-up");
      await page.getByRole("radio", { name: "limped" }).click();
      await expect(name).toHaveValue("BTN vs BB, limped, 40 bb, heads-up");
      await expect(page.getByLabel("Pot", { exact: true })).toHaveValue("2");
      await expect(page.getByRole("button", { name: "Take Ks off the board" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Solve", exact: true })).toBeEnabled();
      await expectFits(page, "the spot");
    });

    test("boards are typed, and what is no board is told when it is there", async ({ page, server }) => {
      await page.goto(`${server.url}/#/spot`);
      const typed = page.getByLabel("Board as text");
      await typed.fill("10h 9");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await typed.fill("Th 9x");
      await expect(page.getByRole("alert")).toContainText("“9x” is no card");
      await typed.fill("Th 9c 9c");
      await expect(page.getByRole("alert")).toContainText("9c is there twice");
      await typed.fill("Th 9c 4d 2s");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await expect(page.getByRole("button", { name: /off the board$/ })).toHaveCount(4);
    });

    test("rakes and ranges of the library are picked, and own ranges lie beside them", async ({
      page,
      server,
    }) => {
      await page.goto(`${server.url}/#/spot`);
      await expect(page.getByLabel("Pot", { exact: true })).toHaveValue("5.5");
      await page.getByLabel("Rake", { exact: true }).selectOption("online-high");
      await expect(page.getByLabel("Rake rate")).toHaveValue("0.05");
      await expect(page.getByLabel("Rake cap")).toHaveValue("0.6");
      await page.getByLabel("Rake", { exact: true }).selectOption("none");
      await expect(page.getByLabel("Rake rate")).toHaveValue("");

      const first = await page.locator("#text-oop").inputValue();
      await page.getByRole("button", { name: "Ranges" }).first().click();
      await page.getByLabel("Name to save the range under").fill("my defence");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByRole("button", { name: "my defence", exact: true })).toBeVisible();
      await page.getByLabel("Find a range").fill("BB 3-bets");
      const charts = page.getByRole("list", { name: "Starting points" }).getByRole("button");
      await expect(charts).toHaveCount(5);
      await charts.filter({ hasText: "BB 3-bets UTG" }).click();
      await expect(page.locator("#text-oop")).toHaveValue(/AA:0.75/);
      // So is another range under the same name.
      await page.getByRole("button", { name: "Ranges" }).first().click();
      await page.getByLabel("Name to save the range under").fill("my defence");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const status = page.getByRole("status");
      await expect(status).toContainText("“my defence” is another now");
      await page.getByRole("button", { name: "Undo", exact: true }).last().click();
      await expect(status).not.toContainText("another now");
      await page.getByRole("button", { name: "Ranges" }).first().click();
      await page.getByLabel("Find a range").fill("");
      await page.getByRole("button", { name: "my defence", exact: true }).click();
      await expect(page.locator("#text-oop")).toHaveValue(first);
      // A deletion is taken back.
      await page.getByRole("button", { name: "Ranges" }).first().click();
      await page.getByLabel("Find a range").fill("");
      await page.getByRole("button", { name: "Forget my defence" }).click();
      await expect(page.getByRole("status")).toContainText("deleted");
      await page.getByRole("button", { name: "Undo", exact: true }).last().click();
      await page.getByRole("button", { name: "Ranges" }).first().click();
      await expect(page.getByRole("button", { name: "my defence", exact: true })).toBeVisible();
      if (viewport.width === 1280) await expectAccessible(page, "ranges");
    });
  });
}

test("a mistake in one size is told once, at its field", async ({ page, server }) => {
  await page.goto(`${server.url}/#/spot`);
  await expect(page.getByLabel("Pot", { exact: true })).toHaveValue("5.5");
  await page.getByRole("button", { name: "Random flop" }).click();
  await page.getByLabel("OOP bet on the turn").fill("banana");
  const field = page.locator(".field", { has: page.getByLabel("OOP bet on the turn") });
  await expect(field.locator(".problem")).toBeVisible();
  const words = (await field.locator(".problem").innerText()).slice(0, 30);
  await expect(page.getByRole("alert")).toHaveText("Look at OOP bet on the turn.");
  expect((await page.locator("main").innerText()).split(words).length - 1).toBe(1);
});
