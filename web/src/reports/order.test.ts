import { expect, test } from "vitest";
import type { ReportRow } from "./api";
import {
  actionOf,
  bettingAt,
  grouped,
  lineOfRow,
  matching,
  ofKinds,
  potOf,
  readPicked,
  sorted,
  stepsOf,
  togglePicked,
  ways,
  writePicked,
} from "./order";

function row(flop: string, check: number | null, suits: string, more: string[] = []): ReportRow {
  const board = [...(flop.match(/../g) ?? []), ...more];
  return {
    flop,
    board,
    weight: 12,
    matchups: 100,
    texture: [
      { by: "high card", kind: `${flop.charAt(0)} high`, order: flop.startsWith("A") ? 0 : 2 },
      { by: "suits", kind: suits, order: suits === "rainbow" ? 0 : 1 },
    ],
    frequencies: [check, check === null ? null : 1 - check],
    ev: { oop: 30, ip: 60 },
    equity: { oop: 0.4, ip: 0.6 },
    eqr: { oop: 0.75, ip: 1 },
    exploitability_pct: 0.3,
    solution: `x/${flop}`,
  };
}
const rows = [row("QsJh2h", 0.2, "two-tone"), row("As7d2c", 0.7, "rainbow"), row("QsQh2d", null, "rainbow")];
const flops = (of: readonly ReportRow[]): string[] => of.map((each) => each.flop);

test("rows sort by a number either way, those without it last", () => {
  expect(flops(sorted(rows, "action 0", true))).toEqual(["As7d2c", "QsJh2h", "QsQh2d"]);
  expect(flops(sorted(rows, "action 0", false))).toEqual(["QsJh2h", "As7d2c", "QsQh2d"]);
  expect(flops(sorted(rows, "board", true))).toEqual(["As7d2c", "QsQh2d", "QsJh2h"]);
  expect(flops(sorted(rows, "texture", true))).toEqual(["As7d2c", "QsQh2d", "QsJh2h"]);
});

test("rows fall into the kinds of a way, in its order", () => {
  expect(ways(rows)).toEqual(["high card", "suits"]);
  expect(grouped(rows, "suits").map((group) => [group.kind, group.rows.length])).toEqual([
    ["rainbow", 2],
    ["two-tone", 1],
  ]);
  expect(grouped(rows, "").map((group) => group.rows.length)).toEqual([3]);
});

test("words pick rows by board and kind", () => {
  expect(flops(matching(rows, "rainbow q"))).toEqual(["QsQh2d"]);
  expect(matching(rows, " ")).toHaveLength(3);
  const pairs = [row("QsQh2d", 1, "paired"), row("QsJh2h", 1, "unpaired")];
  expect(flops(matching(pairs, "paired"))).toEqual(["QsQh2d"]);
  expect(flops(matching(pairs, "unpaired"))).toEqual(["QsJh2h"]);
});

test("kinds that are picked of one way are alternatives, of several ways conditions", () => {
  const picked = readPicked("suits:rainbow;high card:Q high");
  expect(flops(ofKinds(rows, picked))).toEqual(["QsQh2d"]);
  expect(flops(ofKinds(rows, readPicked("suits:rainbow;suits:two-tone")))).toHaveLength(3);
  expect(ofKinds(rows, readPicked(""))).toHaveLength(3);
  expect(writePicked(togglePicked(picked, "suits", "two-tone"))).toBe(
    "suits:rainbow;suits:two-tone;high card:Q high",
  );
  expect(writePicked(togglePicked(picked, "suits", "rainbow"))).toBe("high card:Q high");
});

test("the betting that an action answers is read from the line", () => {
  expect(bettingAt("check, bet 20", 80)).toEqual({ pot: 80, stacks: { oop: -0, ip: -20 }, previous: 20 });
  expect(bettingAt("bet 20, raise 60", 140).previous).toBe(60);
  expect(bettingAt("check, bet 20, call, 7d", 100)).toEqual({
    pot: 100,
    stacks: { oop: -0, ip: -0 },
    previous: 0,
  });
});

test("a row of a line with open cards has a line of its own", () => {
  const runout = row("QsJh2h", 0.5, "rainbow", ["7d", "Ac"]);
  expect(lineOfRow("check, check, *, check, check, *", runout)).toBe("check, check, 7d, check, check, Ac");
  expect(lineOfRow("check, check, 7d, bet 40, call, *", runout)).toBe("check, check, 7d, bet 40, call, Ac");
  expect(lineOfRow("check", rows[0]!)).toBe("check");
});

test("steps, actions and the pot are read", () => {
  expect(stepsOf("check,  bet 20 ,call")).toEqual(["check", "bet 20", "call"]);
  expect(actionOf("bet 94")).toEqual({ action: "bet", amount: 94 });
  expect(actionOf("check")).toEqual({ action: "check", amount: 0 });
  expect(potOf(rows[0]!, "oop")).toBeCloseTo(100);
});
