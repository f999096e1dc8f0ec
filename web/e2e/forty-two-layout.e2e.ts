import { expect, expectFits, screens, test } from "./test";

for (const viewport of screens) {
  test(`the hand that plays is on the screen at ${viewport.width}×${viewport.height}, and nothing lies under it`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${server.url}/#/forty-two?seed=42&decl=6`);
    const playing = page.locator(".on-turn");
    for (let turn = 0; turn < 5; turn += 1) {
      const moves = playing.locator("[data-domino]");
      await expect(moves.first()).toBeVisible();
      const box = (await playing.boundingBox())!;
      // Below the bar at the top, and above the one at the bottom of a phone.
      expect(box.y).toBeGreaterThanOrEqual(40);
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height - (viewport.width < 641 ? 50 : 0));
      await moves.first().hover();
      const raised = (await moves.first().boundingBox())!;
      const told = (await page.locator(".told").boundingBox())!;
      const apart = raised.y >= told.y + told.height || raised.y + raised.height <= told.y;
      const beside = raised.x >= told.x + told.width || raised.x + raised.width <= told.x;
      expect(apart || beside, `turn ${turn}`).toBe(true);
      const before = page.url();
      await moves.first().click();
      await expect(page).not.toHaveURL(before);
    }
    await expectFits(page, "the table");
  });
}
