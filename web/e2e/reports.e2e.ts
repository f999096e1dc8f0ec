import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { keepsPictures, shoot } from "./picture";
import { binary, examples, type Server } from "./server";
import { expect, expectAccessible, test } from "./test";

/** A few hands and one size: each flop is solved in a moment. */
const spec = `
[ranges]
oop = "99-77,AJs,KQs,JTs,T9s"
ip = "TT-88,AQs,KJs,QJs,A5s"
[cards]
flop = "QsJh2h"
[tree]
starting_pot = 60
effective_stack = 120
[bet_sizes.flop]
oop_bet = ""
oop_raise = "a"
ip_bet = "33%, 75%"
ip_raise = "a"
[bet_sizes.turn]
oop_bet = "75%"
oop_raise = "a"
ip_bet = "75%"
ip_raise = "a"
[bet_sizes.river]
oop_bet = "75%"
oop_raise = "a"
ip_bet = "75%"
ip_raise = "a"
[solver]
target_exploitability_pct = 2.0
`;
const flops = ["QsJh2h", "As7d2c", "KsKd5h", "Ts9s8s", "8s5h3d"];

let made = "";
test.beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), "noregret-batch-"));
  writeFileSync(join(made, "spec.toml"), spec);
  writeFileSync(
    join(made, "plan.toml"),
    `[batch]\nspec = "spec.toml"\nout = "small"\nflops = ${JSON.stringify(flops)}\nsave = "turn"\n`,
  );
  execFileSync(binary, ["batch", join(made, "plan.toml")], { stdio: "ignore" });
});
test.afterAll(() => rmSync(made, { recursive: true, force: true }));
test.beforeEach(({ server }) => {
  cpSync(join(made, "small"), join(server.library, "small"), { recursive: true });
});

type Line = Record<string, number | string | null>;

/** What the command line reports, a line for each board and one for all. */
function told(server: Server, ...words: string[]): Line[] {
  const printed = execFileSync(binary, ["report", ...words, "--json"], {
    cwd: server.library,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return printed
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const percent = (share: unknown): string =>
  typeof share === "number" ? `${(share * 100).toFixed(1)}%` : "–";
const chips = (amount: unknown): string => (typeof amount === "number" ? amount.toFixed(2) : "–");
const boards = (page: Page) => page.getByRole("region", { name: "All boards" });

/** The cells of a row that the command line has too. */
function numbers(line: Line, actions: readonly string[]): string[] {
  return [
    ...actions.map((action) => percent(line[`${action}: frequency`])),
    ...["oop", "ip"].flatMap((seat) => [
      chips(line[`${seat}_ev`]),
      percent(line[`${seat}_equity`]),
      percent(line[`${seat}_eqr`]),
    ]),
  ];
}

test("a batch from the list to a flop in Browse, with the numbers of the command line", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/#/reports`);
  await page.getByRole("link", { name: /^small/ }).click();
  await page
    .getByRole("group", { name: "Go on: OOP acts" })
    .getByRole("link", { name: /^check/ })
    .click();
  await expect(page).toHaveURL(/line=check/);
  await expect(page.getByRole("heading", { name: "What IP does on every flop" })).toBeVisible();

  const lines = told(server, "small", "--line", "check");
  const actions = ["check", "bet 20", "bet 45"];
  for (const line of lines) {
    const name =
      line["board"] === "all" ? /^mean/ : new RegExp(`^${String(line["board"]).match(/../g)?.join(" ")}`);
    const cells = await boards(page).getByRole("row", { name }).getByRole("cell").allTextContents();
    expect(cells.map((text) => text.trim()).join(" ")).toContain(numbers(line, actions).join(" "));
  }

  // Sorted by what is clicked, either way.
  const rows = boards(page).locator("tbody tr:not(.mean)");
  await expect(rows).toHaveCount(flops.length);
  const byEv = lines
    .filter((line) => line["board"] !== "all")
    .sort((a, b) => Number(b["ip_ev"]) - Number(a["ip_ev"]))
    .map((line) => chips(line["ip_ev"]));
  await boards(page).getByRole("button", { name: "IP EV" }).click();
  await expect(boards(page).getByRole("columnheader", { name: "IP EV" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  for (const [at, ev] of byEv.entries()) await expect(rows.nth(at)).toContainText(ev);
  await boards(page).getByRole("button", { name: "IP EV" }).click();
  for (const [at, ev] of [...byEv].reverse().entries()) await expect(rows.nth(at)).toContainText(ev);

  await page.getByLabel("Group by").selectOption("suits");
  await expect(page.getByRole("region", { name: "Kinds of boards" }).getByRole("row")).toHaveCount(4);
  await page.getByLabel("Find boards").fill("monotone");
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link").click();
  await expect(page).toHaveURL(/browse\/small%2FTs9s8s\?line=check/);
  await expect(page.getByRole("grid", { name: "Strategy of IP" })).toBeVisible();
});

test("the cards that can come in one solution", async ({ page, server }) => {
  await page.goto(`${server.url}/#/reports`);
  await page.getByLabel("Find a solution").fill("QsJh2h");
  await page.getByRole("link", { name: /QsJh2h/ }).click();
  const on = page.getByRole("group", { name: /^Go on/ });
  await on.getByRole("link", { name: /^check/ }).click();
  await expect(on).toContainText("IP acts");
  await on.getByRole("link", { name: /^check/ }).click();
  await on.getByRole("link", { name: "every card" }).click();
  await expect(page.getByRole("heading", { name: "What OOP does on every runout" })).toBeVisible();
  const lines = told(server, "small/QsJh2h.nrs", "--line", "check, check, *");
  await expect(boards(page).locator("tbody tr:not(.mean)")).toHaveCount(lines.length - 1);
  const mean = await boards(page).getByRole("row", { name: /^mean/ }).getByRole("cell").allTextContents();
  const all = lines.find((line) => line["board"] === "all") ?? {};
  const actions = Object.keys(all)
    .filter((key) => key.endsWith(": frequency"))
    .map((key) => key.replace(": frequency", ""));
  expect(mean.map((text) => text.trim()).join(" ")).toContain(numbers(all, actions).join(" "));

  await boards(page).locator("tbody tr:not(.mean)").first().getByRole("link").click();
  await expect(page).toHaveURL(/browse\/small%2FQsJh2h\?line=check%2C\+check%2C\+[2-9TJQKA][shdc]$/);
  await expect(page.getByRole("grid", { name: "Strategy of OOP" })).toBeVisible();
});

test("different stacks are averaged apart, one at a time", async ({ page, server }) => {
  const plan = join(server.library, "stacks.toml");
  writeFileSync(join(server.library, "spec.toml"), spec);
  writeFileSync(
    plan,
    `[batch]\nspec = "spec.toml"\nout = "stacks"\nflops = ["QsJh2h", "As7d2c"]\nstacks = [60, 120]\nsave = "flop"\n`,
  );
  execFileSync(binary, ["batch", plan], { stdio: "ignore" });
  await page.goto(`${server.url}/#/reports/batch/stacks?line=check`);
  const variants = page.getByRole("radiogroup", { name: "Ranges and stack" }).getByRole("radio");
  await expect(variants).toHaveCount(2);
  const means = told(server, "stacks", "--line", "check").filter((line) => line["board"] === "all");
  for (const line of means) {
    await page.getByRole("radio", { name: String(line["variant"]), exact: true }).click();
    await expect(boards(page).locator("tbody tr:not(.mean)")).toHaveCount(2);
    const mean = boards(page).getByRole("row", { name: /^mean/ });
    for (const seat of ["oop", "ip"]) await expect(mean).toContainText(chips(line[`${seat}_ev`]));
  }
});

test.describe("a line that is not there", () => {
  test.use({ quiet: ["status of 4", "Failed to load resource: 4"] });
  test("is told", async ({ page, server }) => {
    await page.goto(`${server.url}/#/reports/batch/small?line=${encodeURIComponent("bet 999")}`);
    await expect(page.getByRole("alert")).toContainText("999");
  });
});

test("a library without a batch says how to make one", async ({ page, server }) => {
  rmSync(join(server.library, "small"), { recursive: true });
  await page.goto(`${server.url}/#/reports`);
  await expect(page.getByText("There is no batch in the library yet.")).toBeVisible();
});

test("a phone has room for reports", async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const place of ["", "/batch/small?line=check"]) {
    await page.goto(`${server.url}/#/reports${place}`);
    await expect(place ? boards(page) : page.getByRole("link", { name: /^small/ })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
});

for (const colorScheme of ["dark", "light"] as const) {
  test(`reports are in nobody's way, ${colorScheme}`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${server.url}/#/reports`);
    await expect(page.getByRole("link", { name: /^small/ })).toBeVisible();
    await expectAccessible(page, "the list");
    await page.goto(`${server.url}/#/reports/batch/small?line=check`);
    await expect(boards(page)).toBeVisible();
    await expectAccessible(page, "a batch");
  });
}

test("a first read of a report shows how many flops are read, and then the report", async ({
  page,
  server,
}) => {
  // What the server says in a moment here takes a while of a large batch: its answer is held back after a line of progress.
  await page.addInitScript(() => {
    const ask = window.fetch.bind(window);
    const held = new Promise<void>((release) => Object.assign(window, { release }));
    window.fetch = async (input, options) => {
      const answer = await ask(input, options);
      if (!(input instanceof Request ? input.url : String(input)).endsWith("/rows")) return answer;
      const body = new ReadableStream<Uint8Array>({
        async start(lines) {
          lines.enqueue(new TextEncoder().encode('{"done":2,"total":5}\n'));
          await held;
          lines.enqueue(new Uint8Array(await answer.arrayBuffer()));
          lines.close();
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    };
  });
  await page.goto(`${server.url}/#/reports/batch/small?line=check`);
  const bar = page.getByRole("progressbar", { name: "Flops read" });
  await expect(bar).toHaveAttribute("value", "2");
  await expect(bar).toHaveAttribute("max", "5");
  await expect(page.getByText("2 of 5 flops read")).toBeVisible();
  await expect(boards(page)).toHaveCount(0);
  await expectAccessible(page, "a report that is being read");
  await page.evaluate(() => (window as unknown as { release: () => void }).release());
  await expect(boards(page).locator("tbody tr:not(.mean)")).toHaveCount(flops.length);
  await expect(bar).toHaveCount(0);
});

test("a picture of a report for the documentation", async ({ page, server }) => {
  let batch = "small";
  if (keepsPictures) {
    test.setTimeout(1_800_000);
    batch = "short-stack";
    const plan = readFileSync(join(examples, "batch.toml"), "utf8")
      .replace('"short-stack.toml"', JSON.stringify(join(examples, "short-stack.toml")))
      .replace('"solved"', JSON.stringify(batch))
      .replace("subset = 8", "subset = 25");
    writeFileSync(join(server.library, "plan.toml"), plan);
    execFileSync(binary, ["batch", join(server.library, "plan.toml")], { stdio: "ignore" });
    expect(readdirSync(join(server.library, batch)).length).toBeGreaterThan(25);
  }
  await page.goto(`${server.url}/#/reports/batch/${batch}?line=check`);
  await expect(boards(page)).toBeVisible();
  // Down to the table of all boards, and nothing of it.
  const top = await boards(page).evaluate(
    (table) => (table.closest(".panel") ?? table).getBoundingClientRect().top,
  );
  await page.setViewportSize({ width: 1440, height: Math.floor(top) - 2 });
  await page.mouse.move(0, 0);
  await shoot(page, server, "web-report.png");
});
