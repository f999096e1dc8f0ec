import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { binary } from "./server";
import { expect, expectAccessible, expectFits, screens, test } from "./test";

/** How many flops a report is over: with `NOREGRET_SCREENS=all` as many as a batch of the page has at most. */
const flops = process.env["NOREGRET_SCREENS"] === "all" ? 95 : 25;

/** Two hands each and one bet: a flop is solved in a moment, and many of them soon. */
const spec = (stack: number): string => `
[ranges]
oop = "TT,99"
ip = "JJ,88"
[cards]
flop = "2c3d4h"
[tree]
starting_pot = 60
effective_stack = ${stack}
big_blind = 10
[bet_sizes.flop]
oop_bet = "50%"
oop_raise = ""
ip_bet = "50%"
ip_raise = ""
[bet_sizes.turn]
oop_bet = ""
ip_bet = ""
[bet_sizes.river]
oop_bet = ""
ip_bet = ""
[solver]
target_exploitability_pct = 3
`;

let made = "";
test.beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), "noregret-many-"));
  const make = (name: string, stack: number, flops: string): void => {
    writeFileSync(join(made, `${name}.toml`), spec(stack));
    const plan = join(made, `plan-${name}.toml`);
    writeFileSync(plan, `[batch]\nspec = "${name}.toml"\nout = "${name}"\n${flops}\nsave = "flop"\n`);
    execFileSync(binary, ["batch", plan], { stdio: "ignore" });
  };
  make("deep", 200, `subset = ${String(flops)}`);
  // Some of the same flops, so that the two can be compared.
  const listed = readFileSync(join(made, "deep/batch.tsv"), "utf8").split("\n").slice(1, 9);
  make("shallow", 40, `flops = ${JSON.stringify(listed.map((line) => line.split(".nrs")[0]))}`);
});
test.afterAll(() => rmSync(made, { recursive: true, force: true }));

const rowsOf = (page: Page) =>
  page.getByRole("region", { name: "All boards" }).locator("tbody tr:not(.mean)");

for (const viewport of screens) {
  test.describe(`batches at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test("a spot is solved on 25 flops from the form, with progress", async ({ page, server }) => {
      test.setTimeout(600_000);
      await page.addInitScript((text) => localStorage.setItem("spot", text), spec(40));
      await page.addInitScript(() => localStorage.setItem("spot-name", "pairs"));
      await page.goto(`${server.url}/#/spot`);
      await expect(page.getByRole("button", { name: "Solve", exact: true })).toBeEnabled();
      await page.getByRole("button", { name: "Many flops" }).click();
      await page.getByRole("button", { name: "25 flops" }).click();
      await expect(page).toHaveURL(/reports\/batch\/pairs%2C%2025%20flops/);
      await expect(page.getByRole("group", { name: "Progress of the batch" })).toContainText(
        /\d+ of 25 flops solved/,
      );
      await expect(rowsOf(page)).toHaveCount(25, { timeout: 500_000 });
      await expect(page.getByRole("group", { name: "Progress of the batch" })).toHaveCount(0);
      await expectFits(page, "the report");
      // Folded in the library, and no flood in the list of solves.
      await page.goto(`${server.url}/#/library`);
      await expect(page.getByRole("button", { name: /pairs, 25 flops\s+25 flops of a batch/ })).toBeVisible();
      await expect(
        page.getByRole("region", { name: "Solutions" }).getByRole("link", { name: "Report" }),
      ).toBeVisible();
      expect(await (await page.request.get(`${server.url}/api/solves`)).json()).toEqual([]);
    });

    test("a line that was read is there at once, and none shows the numbers of another", async ({
      page,
      server,
    }) => {
      cpSync(join(made, "deep"), join(server.library, "deep"), { recursive: true });
      await page.goto(`${server.url}/#/reports/batch/deep`);
      await expect(rowsOf(page)).toHaveCount(flops);
      const on = page.getByRole("group", { name: /^Go on/ });
      await on.getByRole("link", { name: /^check/ }).click();
      await expect(page.getByRole("heading", { name: "What IP does on every flop" })).toBeVisible();
      await expect(rowsOf(page)).toHaveCount(flops);
      await page.goBack();
      await expect(page.getByRole("heading", { name: "What OOP does on every flop" })).toBeVisible();
      // Asked from the page itself, so that nothing but the server and the network counts.
      const times = await page.evaluate(async () => {
        const took: number[] = [];
        for (let turn = 0; turn < 5; turn += 1) {
          const start = performance.now();
          const answer = await fetch("/api/batches/deep/rows", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ line: turn % 2 ? "check" : "" }),
          });
          await answer.text();
          took.push(performance.now() - start);
        }
        return took.sort((a, b) => a - b);
      });
      console.log(
        `a step of ${String(flops)} flops that were read: ${times.map((time) => time.toFixed(0)).join(", ")} ms`,
      );
      expect(times[2]).toBeLessThan(100);
      // While a line is read, nothing of the last one is shown.
      await page.route("**/rows", async (route) => {
        await new Promise((done) => setTimeout(done, 1500));
        await route.continue();
      });
      await on.getByRole("link", { name: /^bet/ }).click();
      await expect(page.getByRole("heading", { name: "What OOP does on every flop" })).toHaveCount(0);
      await expect(page.getByRole("region", { name: "All boards" })).toHaveCount(0);
      await expect(page.getByRole("heading", { name: "What IP does on every flop" })).toBeVisible();
    });

    test("chips pick kinds of boards, amounts have units, and the report goes out as CSV and PNG", async ({
      page,
      server,
    }) => {
      cpSync(join(made, "deep"), join(server.library, "deep"), { recursive: true });
      await page.goto(`${server.url}/#/reports/batch/deep`);
      await expect(rowsOf(page)).toHaveCount(flops);
      const chips = page.getByRole("group", { name: "Kinds of boards to show" });
      await chips.getByRole("button", { name: "paired", exact: true }).click();
      const paired = await rowsOf(page).count();
      expect(paired).toBeLessThan(flops / 2);
      await chips.getByRole("button", { name: "unpaired", exact: true }).click();
      const both = await rowsOf(page).count();
      expect(both).toBeGreaterThan(paired);
      await chips.getByRole("button", { name: "All boards" }).click();
      await page.getByLabel("Find boards").fill("paired");
      await expect(rowsOf(page)).toHaveCount(paired);
      // The mean is of what is shown: of one board, its own numbers.
      const cells = (row: Locator) => row.getByRole("cell").allInnerTexts();
      const board = await rowsOf(page)
        .first()
        .locator("th .card")
        .evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label")).join(""));
      await page.getByLabel("Find boards").fill(board);
      await expect(rowsOf(page)).toHaveCount(1);
      const mean = page.getByRole("region", { name: "All boards" }).getByRole("row", { name: /^mean/ });
      expect((await cells(mean)).slice(2, -1)).toEqual((await cells(rowsOf(page).first())).slice(2, -1));
      await page.getByLabel("Find boards").fill("");

      const on = page.getByRole("group", { name: /^Go on/ });
      await expect(on.getByRole("link", { name: /^bet 30/ })).toBeVisible();
      await page.getByRole("radio", { name: "% pot" }).click();
      await expect(on.getByRole("link", { name: /^bet 50%/ })).toBeVisible();
      await page.getByRole("radio", { name: "BB", exact: true }).click();
      await expect(on.getByRole("link", { name: /^bet 3 bb/ })).toBeVisible();
      await page.getByRole("radio", { name: "Chips" }).click();

      const [csv] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "CSV" }).click(),
      ]);
      const lines = readFileSync(await csv.path(), "utf8")
        .trim()
        .split("\n");
      expect(lines).toHaveLength(flops + 2);
      expect(lines[0]).toContain("check: frequency");
      const [png] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "PNG" }).click(),
      ]);
      expect(
        readFileSync(await png.path())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
      await expectFits(page, "the report");
    });

    test("two batches are compared", async ({ page, server }) => {
      for (const name of ["deep", "shallow"])
        cpSync(join(made, name), join(server.library, name), { recursive: true });
      await page.goto(`${server.url}/#/reports/batch/deep`);
      await expect(rowsOf(page)).toHaveCount(flops);
      await page.getByLabel("Compare with").focus();
      await page.getByLabel("Compare with").selectOption("shallow");
      const compared = page.getByRole("region", { name: "Two batches compared" });
      await expect(compared.getByRole("row")).toHaveCount(10);
      await expect(compared.getByRole("row", { name: /^mean of 8/ })).toContainText(/[+-]\d/);
      await page.getByRole("radio", { name: "BB", exact: true }).click();
      await expect(compared.getByRole("columnheader", { name: "OOP EV, bb" })).toBeVisible();
      await expectFits(page, "the comparison");
      if (viewport.width === 1280) await expectAccessible(page, "the comparison");
    });
  });
}

test("a report that is opened from Browse asks for no solution of that name", async ({ page, server }) => {
  cpSync(join(made, "deep"), join(server.library, "deep"), { recursive: true });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/#/reports/batch/deep`);
  await rowsOf(page).first().getByRole("link").click();
  await expect(page.getByRole("grid", { name: /^Strategy of/ })).toBeVisible();
  await page.goBack();
  await expect(rowsOf(page)).toHaveCount(flops);
  expect(asked.filter((path) => path.includes("/solutions/batch"))).toEqual([]);
});
