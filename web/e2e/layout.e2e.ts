import { shelve } from "./server";
import { at, sizes } from "./sizes";
import { expect, expectAccessible, expectFits, test } from "./test";

test.beforeEach(({ server }) => shelve(server, "quick"));

const deep = "check, bet 40, call, Th, check";

for (const { name, viewport } of sizes) {
  test.describe(name, () => {
    test.use({ viewport });

    test("the matrix fits, the strip follows, and what one must know stays in sight", async ({
      page,
      server,
    }) => {
      await page.goto(`${server.url}/${at("quick", "bet 60")}`);
      const matrix = page.getByRole("grid", { name: "Strategy of IP" });
      await expect(matrix).toBeVisible();
      const box = (await matrix.boundingBox())!;
      if (viewport.width > 640) expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      // No sideways scrolling of the page.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );

      const facts = page.locator('dl[aria-label="The point"]');
      await expect(facts.locator('[data-fact="pot"]')).toHaveText("120");
      await expect(facts.locator('[data-fact="call"]')).toHaveText("60 (33%)");
      await expect(facts.locator('[data-fact="spr"]')).toHaveText("3.42");
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expect(facts).toBeInViewport();
      await page.getByRole("radio", { name: "% pot" }).click();
      await expect(facts.locator('[data-fact="call"]')).toHaveText("50% (33%)");

      await page.evaluate(() => window.scrollTo(0, 0));
      await page.goto(`${server.url}/${at("quick", deep)}`);
      await expect(page.locator(".strip .now")).toBeInViewport({ ratio: 0.9 });
      await expectAccessible(page, `a long line, ${name}`);
    });
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a hand comes up in a sheet from below, and goes again", async ({ page, server }) => {
    await page.goto(`${server.url}/${at("quick", "bet 60")}`);
    const sheet = page.locator(".detail");
    await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
    await expect(sheet).toBeHidden();
    await page.getByRole("gridcell", { name: /^KQs/ }).tap();
    await expect(sheet).toBeVisible();
    await expect(sheet.getByRole("heading", { name: "KQs of IP" })).toBeVisible();
    const box = (await sheet.boundingBox())!;
    expect(box.y).toBeGreaterThan(844 * 0.4);
    await expectAccessible(page, "the sheet of a hand");
    await sheet.getByRole("button", { name: "Close the hand" }).click();
    await expect(sheet).toBeHidden();

    // Back closes it, too, and then leaves the line.
    await page.goto(`${server.url}/${at("quick", "")}`);
    await page
      .getByRole("link", { name: /bet 60/i })
      .first()
      .tap();
    await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
    await page.getByRole("gridcell", { name: /^KQs/ }).tap();
    await page.getByRole("gridcell", { name: /^AKs/ }).tap();
    await expect(sheet.getByRole("heading", { name: "AKs of IP" })).toBeVisible();
    await page.goBack();
    await expect(sheet).toBeHidden();
    await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
  });

  test("all that can be done to a solution of the library is on the screen", async ({ page, server }) => {
    await page.goto(`${server.url}/#/library`);
    await expect(page.getByRole("link", { name: "quick", exact: true })).toBeVisible();
    for (const name of ["Set up a spot like quick", "Name, tags and note of quick", "Delete quick"])
      await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("link", { name: "Download quick" })).toBeInViewport({ ratio: 1 });
    await expectFits(page, "the library on a phone");
    await expectAccessible(page, "the library on a phone");
  });

  test("Solve is under the thumb wherever one is in the spot", async ({ page, server }) => {
    await page.goto(`${server.url}/#/spot`);
    const solve = page.getByRole("button", { name: "Solve", exact: true });
    await expect(solve).toBeInViewport({ ratio: 1 });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(solve).toBeInViewport({ ratio: 1 });
  });
});

/** WCAG's contrast of two colours. */
function contrast(a: number[], b: number[]): number {
  const light = (colour: number[]): number => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}

test("text is readable on every colour of an action, and players have colours of their own", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/#/browse/quick`);
  for (const theme of ["dark", "light"]) {
    await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    const colours = await page.evaluate(() => {
      const names = [
        "fold",
        "passive",
        "bet-1",
        "bet-2",
        "bet-3",
        "bet-4",
        "all-in",
        "oop-soft",
        "ip-soft",
        "unfilled",
        "oop",
        "ip",
        "page",
      ];
      const probe = document.body.appendChild(document.createElement("i"));
      const read = names.map((name) => {
        probe.style.color = `var(--${name})`;
        return [name, getComputedStyle(probe).color.match(/\d+/g)!.map(Number)] as const;
      });
      probe.remove();
      return Object.fromEntries(read);
    });
    for (const name of [
      "fold",
      "passive",
      "bet-1",
      "bet-2",
      "bet-3",
      "bet-4",
      "all-in",
      "oop-soft",
      "ip-soft",
      "unfilled",
    ])
      expect(
        contrast(colours[name]!, [255, 255, 255]),
        `${name} in the ${theme} theme`,
      ).toBeGreaterThanOrEqual(4.5);
    for (const name of ["oop", "ip"])
      expect(
        contrast(colours[name]!, colours["page"]!),
        `${name} in the ${theme} theme`,
      ).toBeGreaterThanOrEqual(4.5);
    const apart = colours["ip"]!.map((part, at) => Math.abs(part - colours["fold"]![at]!));
    expect(Math.max(...apart)).toBeGreaterThan(45);
  }
});

test.describe("a line that is not there", () => {
  test.use({ quiet: ["422"] });

  test("leads back to the root", async ({ page, server }) => {
    await page.goto(`${server.url}/${at("quick", "bet 61")}`);
    await page.getByRole("link", { name: "To the root" }).click();
    await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
  });
});

test("a turn is compared with solutions of the same turn", async ({ page, server }) => {
  await page.goto(`${server.url}/#/browse/quick?tab=compare`);
  await expect(page.getByText("Pick a solution of the same turn")).toBeVisible();
});

test("a window that gets narrower keeps the decision, the chosen tab and an open list in sight", async ({
  page,
  server,
}) => {
  const [wide, narrow] = [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
  ];
  await page.setViewportSize(wide);
  await page.goto(`${server.url}/${at("quick", "bet 60", { tab: "compare" })}`);
  const tab = page.getByRole("radiogroup", { name: "More" }).getByRole("radio", { name: "Compare" });
  await expect(tab).toBeVisible();
  await page.setViewportSize(narrow);
  await expect(page.locator(".strip .now .choice").first()).toBeInViewport({ ratio: 1 });
  /** Whether a tab is between the left and right edges of what is scrolled sideways. */
  const isInside = (): Promise<boolean> =>
    tab.evaluate((button) => {
      const [own, frame] = [button, button.parentElement!].map((each) => each.getBoundingClientRect());
      return own!.left >= frame!.left && own!.right <= frame!.right;
    });
  await expect.poll(isInside).toBe(true);

  await page.setViewportSize(wide);
  await page.goto(`${server.url}/#/spot`);
  await page.getByRole("button", { name: "Many flops" }).click();
  await expect(page.getByRole("button", { name: "25 flops" })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(narrow);
  for (const name of ["25 flops", "95 flops"])
    await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
});
