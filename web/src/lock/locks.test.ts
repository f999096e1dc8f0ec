import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { canonicalHand } from "../poker/matrix";
import { lockTables, locksAt, rounded, withLocks, withShare } from "./locks";

const somewhere = {
  line: "bet 60",
  actions: ["fold", "call", "raise 150"],
  range: ["AhKh", "QcJd"],
  board: ["Ac", "7d", "2s"],
};

test("hands that do the same share a table: kinds together, single hands alone; shares add up to one", () => {
  const tables = lockTables({
    ...somewhere,
    hands: new Map([
      ["AhKh", [1, 0, 0]],
      ["AsKs", [1, 0, 0]],
      ["AdKd", [1, 0, 0]],
      ["QsJs", [1 / 3, 1 / 3, 1 / 3]],
      ["QhJh", [1 / 3, 1 / 3, 1 / 3]],
    ]),
  });
  const thirds = { fold: 0.3334, call: 0.3333, "raise 150": 0.3333 };
  expect(tables).toEqual([
    { line: "bet 60", hands: "AKs", strategy: { fold: 1 } },
    { line: "bet 60", hands: "QsJs", strategy: thirds },
    { line: "bet 60", hands: "QhJh", strategy: thirds },
  ]);
  expect(rounded([0.1, 0.2, 0.7]).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});

test("the whole range needs no hands", () => {
  const all = new Map([
    ["AhKh", [0, 1, 0]],
    ["QcJd", [0, 1, 0]],
  ]);
  expect(
    lockTables({
      ...somewhere,
      range: ["KhAh", "QcJd"],
      hands: new Map([...all].map(([hand, shares]) => [canonicalHand(hand), shares])),
    }),
  ).toEqual([{ line: "bet 60", strategy: { call: 1 } }]);
});

test("a share that is moved leaves the others in proportion", () => {
  expect(withShare([0.2, 0.2, 0.6], 2, 0.2)).toEqual([0.4, 0.4, 0.2]);
  expect(withShare([0, 1], 1, 0.25)).toEqual([0.75, 0.25]);
});

const spec =
  '[ranges]\noop = "AA"\n[[locks]]\nline = "check"\nstrategy = "check"\n[[locks]]\nline = "check,bet 20"\nhands = "KK"\nstrategy = { fold = 1 }\n';

test("locks of the line are replaced, others stay", () => {
  const lock = {
    line: "check, bet 20",
    actions: ["fold", "call"],
    hands: new Map([["KsKh", [0, 1]]]),
    range: ["KhKs", "KdKc"],
    board: ["Ac", "7d", "2s"],
  };
  expect(parse(withLocks(spec, [lock]))["locks"]).toEqual([
    { line: "check", strategy: "check" },
    { line: "check, bet 20", hands: "KsKh", strategy: { call: 1 } },
  ]);
  expect(parse(withLocks(spec, [{ ...lock, hands: new Map() }]))["locks"]).toHaveLength(1);
});

test("the locks of a line are found however it is spaced", () => {
  expect(locksAt(spec, "check, bet 20")).toEqual([{ hands: "KK", strategy: { fold: 1 } }]);
  expect(locksAt("[ranges]\n", "")).toEqual([]);
});
