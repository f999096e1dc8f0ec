import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli } from "./server";
import { expect, test, valueOf, withEmptySpot } from "./test";

interface Solved {
  ev: { oop: number; ip: number };
  equity: { oop: number; ip: number };
  exploitability_pct: number;
  iterations: number;
  root: { actions: { action: string; amount: number; frequency: number }[] };
}
interface Inspected {
  players: Record<"oop" | "ip", { ev: number; equity: number }>;
  actions: { action: string; amount: number; frequency: number; ev: number }[];
  matrix: Record<string, { strategy: number[] | null; combos: number }>;
}

test("from an empty page to a solved and browsed spot, with the numbers of the command line", async ({
  page,
  server,
}) => {
  await withEmptySpot(page);
  await page.goto(`${server.url}/#/spot`);
  await expect(page.getByRole("heading", { name: "Set up a spot" })).toBeVisible();

  // Ranges: one typed, one typed and then painted.
  await page.locator("#text-oop").fill("22+,A2s+,A9o+,KTs+,QTs+,JTs,T9s,98s");
  await page.locator("#text-ip").fill("JJ-22,ATs-A2s,KQs,QJs,JTs");
  await expect(
    page.getByRole("grid", { name: "Range of OOP" }).getByRole("gridcell", { name: "AKs, 100%" }),
  ).toBeVisible();
  const ip = page.getByRole("grid", { name: "Range of IP" });
  await expect(ip.getByRole("gridcell", { name: "KQs, 100%" })).toBeVisible();
  await ip.getByRole("gridcell", { name: /^AQo/ }).dragTo(ip.getByRole("gridcell", { name: /^AJo/ }));
  await expect(ip.getByRole("gridcell", { name: "AJo, 100%" })).toBeVisible();
  await expect(page.locator("#text-ip")).toHaveValue(/A[QJ]o/);

  // Board, money, sizes.
  const cards = page.getByRole("group", { name: "Cards of the board" });
  for (const card of ["Kh", "9h", "4c", "9s", "2d"])
    await cards.getByRole("button", { name: card, exact: true }).click();
  await page.getByLabel("Pot", { exact: true }).fill("sixty");
  await expect(page.locator("section", { hasText: "Pot and stacks" }).locator(".problem")).toBeVisible();
  await page.getByLabel("Pot", { exact: true }).fill("60");
  await page.getByLabel("Stack", { exact: true }).fill("200");
  await page.getByLabel("OOP bet on the river").fill("50%, 100%");
  await page.getByLabel("Target, % of pot").fill("0.2");

  // The tree can be walked before anything is solved.
  await page.getByRole("button", { name: "check", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Line in the tree" })).toContainText("check");

  await page.getByRole("button", { name: "TOML" }).click();
  const toml = await page.getByLabel("Spec as TOML").inputValue();
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByLabel("Name of the solution").fill("whole way");
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await expect(page.locator("[data-state]")).toHaveAttribute("data-state", "done");
  await expect(page.getByRole("img", { name: /Exploitability over time/ })).toBeVisible();
  await page.getByRole("link", { name: "Browse the solution" }).click();
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();

  const spec = join(server.library, "spec.toml");
  const saved = join(server.library, "again.nrs");
  writeFileSync(spec, toml);
  const solved = cli<Solved>("solve", spec, "--json", "--out", saved);
  for (const action of solved.root.actions) {
    const label = action.amount > 0 ? `${action.action} ${action.amount}` : action.action;
    expect(await valueOf(page, `tr[data-action="${label}"] td:nth-child(2)`)).toBeCloseTo(
      action.frequency,
      9,
    );
  }
  for (const seat of ["oop", "ip"] as const) {
    expect(await valueOf(page, `tr[data-seat="${seat}"] [data-what="ev"]`)).toBeCloseTo(solved.ev[seat], 6);
    expect(await valueOf(page, `tr[data-seat="${seat}"] [data-what="equity"]`)).toBeCloseTo(
      solved.equity[seat],
      9,
    );
  }

  // Further down, at a decision of the other player.
  await page.locator('tr[data-action="check"] a').click();
  await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
  const inspected = cli<Inspected>("inspect", saved, "--line", "check", "--json");
  for (const action of inspected.actions) {
    const row = `tr[data-action="${action.amount > 0 ? `${action.action} ${action.amount}` : action.action}"]`;
    expect(await valueOf(page, `${row} td:nth-child(2)`)).toBeCloseTo(action.frequency, 9);
    expect(await valueOf(page, `${row} td:nth-child(4)`)).toBeCloseTo(action.ev, 6);
  }
  const queens = inspected.matrix["AQo"]?.strategy;
  expect(queens).toBeTruthy();
  const shares = queens!.map((share) => `${(share * 100).toFixed(0)}%`).join(".*");
  await expect(
    page
      .getByRole("grid", { name: "Strategy of IP" })
      .getByRole("gridcell", { name: new RegExp(`^AQo: .*${shares}`) }),
  ).toBeVisible();

  // Back is back.
  await page.goBack();
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
});
