import { shelve, shelveBlinds } from "./server";
import { at, sizes } from "./sizes";
import { expect, expectAccessible, test, valueOf } from "./test";

test.beforeEach(({ server }) => shelve(server, "quick"));

for (const { name, viewport } of sizes) {
  test.describe(name, () => {
    test.use({ viewport });

    test("a coach's words are a lock by merit, previewed, kept and solved", async ({ page, server }) => {
      await page.goto(`${server.url}/${at("quick", "bet 60", { tab: "lock" })}`);
      const matrix = page.getByRole("grid", { name: "Strategy of IP" });
      // Nothing is bound yet: the best hands do not fold.
      const quads = matrix.getByRole("gridcell", { name: /^99:/ });
      await expect(quads).toBeVisible();
      await page.getByRole("button", { name: "Folds 75%" }).click();
      await expect(page.getByText("locked, not solved yet")).toBeVisible();
      await expect(page.getByText("all hands: fold 75%")).toBeVisible();
      // By merit, the worst hands fold and the best do not.
      await expect(quads).toHaveAttribute("aria-label", /fold 0%/);
      // Totals and strip are of what the matrix shows.
      expect(await valueOf(page, '[data-action="fold"] [data-value]')).toBeCloseTo(0.75, 3);
      await expect(page.locator(".strip .now .choice").first()).toHaveText(/fold\s*75%/i);
      await expect(page.getByLabel("Share of fold")).toHaveValue("75");
      await expect(
        page.getByRole("navigation", { name: "Line" }).getByRole("img", { name: "locked" }),
      ).toBeVisible();
      await expectAccessible(page, `the lock of a frequency, ${name}`);

      // The draft is there after a reload.
      await page.reload();
      await expect(page.getByText("all hands: fold 75%")).toBeVisible();
      await page.getByRole("button", { name: "Solve again" }).click();
      await expect(page.getByRole("button", { name: "Solve again" })).toBeDisabled();
      // The solve goes on, and its outcome stays, while something else is looked at.
      const more = page.getByRole("radiogroup", { name: "More" });
      await more.getByRole("radio", { name: "Hands" }).click();
      await expect(page.getByRole("region", { name: "Hand list" })).toBeVisible();
      await more.getByRole("radio", { name: "Lock", exact: true }).click();
      const told = page.locator(".told");
      await expect(told).toContainText(/OOP gains/, { timeout: 240_000 });
      await expect(told).toContainText(/changed most: OOP/);
      const solved = await page.evaluate(async () =>
        (await fetch(`/api/solutions/${encodeURIComponent("quick locked")}`)).json(),
      );
      const ev = (solved as { ev: { oop: number } }).ev.oop;
      expect(ev).toBeGreaterThan(36.5);
      expect(ev).toBeLessThan(38);
    });
  });
}

test("a coach's words bind the chosen hands, and locks that go can be taken back", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/${at("quick", "bet 60", { tab: "lock" })}`);
  const panel = page.getByRole("region", { name: "Lock and solve again" });
  const undo = page.getByRole("status").getByRole("button", { name: "Undo" });
  await panel.getByRole("radio", { name: "Class" }).click();
  await panel.getByLabel("Class of hands").selectOption("flush draw");
  await panel.getByRole("button", { name: "Always call" }).click();
  await expect(panel.getByText("flush draw: call 100%")).toBeVisible();
  await panel.getByRole("button", { name: "Folds 75%" }).click();
  await expect(panel.getByText("flush draw: fold 75%")).toBeVisible();
  await expect(panel.getByText(/all hands/)).toHaveCount(0);
  await expect(page.getByText("Replaced: flush draw: call 100%.")).toBeVisible();
  await undo.click();
  await expect(panel.getByText("flush draw: call 100%")).toBeVisible();
  await panel.getByRole("button", { name: "Calls 10 points more" }).click();
  await expect(panel.getByText("flush draw: call +10 points")).toBeVisible();
  // The detail of a hand has the lock too.
  await page.getByRole("gridcell", { name: /^AKs/ }).hover();
  await expect(page.getByRole("region", { name: /^AKs of IP/ })).toContainText("with the locks");

  for (const name of ["Remove the lock flush draw: call +10 points", "Unlock", "Forget the draft"]) {
    await panel.getByRole("button", { name }).click();
    await expect(panel.getByText("flush draw: call +10 points")).toHaveCount(0);
    await undo.click();
    await expect(panel.getByText("flush draw: call +10 points")).toBeVisible();
  }
});

test("locks are said in the unit that is chosen, here and at other nodes", async ({ page, server }) => {
  shelveBlinds(server);
  await page.goto(`${server.url}/${at("blinds", "bet 1.8", { tab: "lock" })}`);
  const panel = page.getByRole("region", { name: "Lock and solve again" });
  const units = page.getByRole("radiogroup", { name: "What amounts are in" });
  const list = panel.getByRole("listitem");
  await panel.getByRole("button", { name: "Never raises" }).click();
  await expect(list).toContainText(/bet 1.8\s+all hands: raise 4.5 0%/);
  await units.getByRole("radio", { name: "Chips" }).click();
  await expect(list).toContainText(/bet 3.6 chips\s+all hands: raise 9 chips 0%/);
  await expect(panel.getByLabel("Share of raise 9 chips")).toBeVisible();
  await units.getByRole("radio", { name: "% pot" }).click();
  await expect(list).toContainText(/bet 32.73%\s+all hands: raise 29.67% 0%/);
  // The message that offers to undo says the same, and so does the list at another node, after a reload too.
  await panel.getByRole("button", { name: "Remove the lock all hands: raise 29.67% 0%" }).click();
  await expect(page.getByText(/^The lock all hands: raise 29.67% 0%.* is gone\.$/)).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await page.goto(`${server.url}/${at("blinds", "", { tab: "lock", unit: "pot" })}`);
  await page.reload();
  await expect(list).toContainText(/bet 32.73%\s+all hands: raise 29.67% 0%/);
  await list.getByRole("link").click();
  await expect(page).toHaveURL(/line=bet(\+|%20)1.8/);
});

test.describe("by hand", () => {
  // Hands that are locked twice are refused where they are tried out.
  test.use({ quiet: ["422"] });

  test("sliders ask for frequencies, all alike warns, classes are locked by themselves", async ({
    page,
    server,
  }) => {
    await page.goto(`${server.url}/${at("quick", "bet 60", { tab: "lock" })}`);
    const panel = page.getByRole("region", { name: "Lock and solve again" });
    await expect(panel).toBeVisible();
    await panel.getByLabel("Share of fold").fill("75");
    await expect(panel.getByText(/gives up .* a hand if nobody reacts/)).toBeVisible();
    await expect(panel.getByText(/the best hands do what only the worst should/)).toHaveCount(0);
    await panel.getByRole("radio", { name: "All alike" }).click();
    await panel.getByLabel("Share of fold").fill("75");
    await expect(panel.getByText(/the best hands do what only the worst should/)).toBeVisible();
    await panel.getByRole("button", { name: "Lock the whole range" }).click();
    await expect(panel.getByText(/all hands: fold 75%.*all alike/)).toBeVisible();
    await panel.getByRole("button", { name: "Unlock" }).click();
    await expect(panel.getByText(/all hands: fold/)).toHaveCount(0);

    await panel.getByRole("button", { name: "Never bluff-raises" }).click();
    await expect(panel.getByText(/nothing: raise 150 0%/)).toBeVisible();
    await panel.getByRole("radio", { name: "Class" }).click();
    await panel.getByLabel("Class of hands").selectOption("flush draw");
    await panel.getByRole("button", { name: "Always call" }).click();
    await expect(panel.getByText(/flush draw: call 100%/)).toBeVisible();
    // Both at once bind hands twice, which is told where it is seen.
    await expect(panel.getByRole("alert")).toContainText(/is locked here already/);
    await panel.getByRole("button", { name: /Remove the lock flush draw/ }).click();
    await expect(panel.getByRole("alert")).toHaveCount(0);
    await panel.getByRole("button", { name: "Forget the draft" }).click();
    await expect(panel.getByRole("button", { name: "Solve again" })).toBeDisabled();
  });
});
