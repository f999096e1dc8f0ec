import { sizes } from "./sizes";
import { expect, expectAccessible, loadPreset, test } from "./test";

for (const { name, viewport } of sizes) {
  test.describe(name, () => {
    test.use({ viewport });

    test("a solve is browsed while it runs and after it was stopped", async ({ page, server }) => {
      await loadPreset(page, server, "quick", "looked");
      // Asked for on the server: how a goal is typed is tried elsewhere.
      const id = await page.evaluate(async () => {
        const presets = (await (await fetch("/api/presets")).json()) as { name: string; toml: string }[];
        const { toml } = presets.find((preset) => preset.toml.includes("Kh9h4c"))!;
        const body = JSON.stringify({ name: "looked", toml, target_pct: 0, max_iterations: 1_000_000 });
        const headers = { "content-type": "application/json" };
        const answer = await fetch("/api/solves", { method: "POST", headers, body });
        return ((await answer.json()) as { id: string }).id;
      });
      await page.goto(`${server.url}/#/solve/${id}`);
      await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "running");
      const badge = page.getByRole("progressbar", { name: "Solving looked" });
      await expect(badge).toBeVisible();
      await page.getByRole("button", { name: "Browse so far" }).click();
      await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
      const status = page.getByText(/being solved: this is iteration/);
      await expect(status).toBeVisible();
      await expect(badge).toBeVisible();
      // The row that tells it takes nothing from the matrix.
      const box = (await page.getByRole("grid", { name: "Strategy of OOP" }).boundingBox())!;
      if (viewport.width > 640) expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      await expect(page.getByText(/exploitability \d/)).toBeVisible();
      const before = await status.textContent();
      await page.getByRole("button", { name: "Look again" }).click();
      await expect(status).not.toHaveText(before ?? "");
      await expectAccessible(page, `a solution that is being solved, ${name}`);

      await page.goto(`${server.url}/#/solve/${id}`);
      await page.getByRole("button", { name: "Stop" }).click();
      await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "stopped");
      await expect(badge).toHaveCount(0);
      await page.getByRole("link", { name: "Browse what was reached" }).click();
      await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
      await expect(page.getByText(/being solved/)).toHaveCount(0);
    });
  });
}
