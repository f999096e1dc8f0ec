import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { lockTables, locksAt, rounded, withLocks, withShare } from "./locks";

test("hands that do the same share a table, and shares add up to one", () => {
  const tables = lockTables({
    line: "bet 60",
    actions: ["fold", "call", "raise 150"],
    hands: new Map([
      ["AhKh", [1 / 3, 1 / 3, 1 / 3]],
      ["AsKs", [1, 0, 0]],
      ["AdKd", [1, 0, 0]],
    ]),
  });
  expect(tables).toEqual([
    { line: "bet 60", hands: "AhKh", strategy: { fold: 0.3334, call: 0.3333, "raise 150": 0.3333 } },
    { line: "bet 60", hands: "AsKs,AdKd", strategy: { fold: 1 } },
  ]);
  expect(rounded([0.1, 0.2, 0.7]).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});

test("a share that is moved leaves the others in proportion", () => {
  expect(withShare([0.2, 0.2, 0.6], 2, 0.2)).toEqual([0.4, 0.4, 0.2]);
  expect(withShare([0, 1], 1, 0.25)).toEqual([0.75, 0.25]);
});

const spec =
  '[ranges]\noop = "AA"\n[[locks]]\nline = "check"\nstrategy = "check"\n[[locks]]\nline = "check,bet 20"\nhands = "KK"\nstrategy = { fold = 1 }\n';

test("locks of the line are replaced, others stay", () => {
  const lock = { line: "check, bet 20", actions: ["fold", "call"], hands: new Map([["KhKs", [0, 1]]]) };
  expect(parse(withLocks(spec, [lock]))["locks"]).toEqual([
    { line: "check", strategy: "check" },
    { line: "check, bet 20", hands: "KhKs", strategy: { call: 1 } },
  ]);
  expect(parse(withLocks(spec, [{ ...lock, hands: new Map() }]))["locks"]).toHaveLength(1);
});

test("the locks of a line are found however it is spaced", () => {
  expect(locksAt(spec, "check, bet 20")).toEqual([{ hands: "KK", strategy: { fold: 1 } }]);
  expect(locksAt("[ranges]\n", "")).toEqual([]);
});
