import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { locksOf, rounded, saying, sayingsOf, withLock, withLocks, withShare, withTarget } from "./locks";

test("a share that is moved leaves the others in proportion", () => {
  expect(withShare([0.2, 0.2, 0.6], 2, 0.2)).toEqual([0.4, 0.4, 0.2]);
  expect(withShare([0, 1], 1, 0.25)).toEqual([0.75, 0.25]);
  expect(rounded([0.1, 0.2, 0.7]).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});

test("targets never add up to more than everything", () => {
  expect(withTarget({}, "fold", 0.75)).toEqual({ fold: 0.75 });
  expect(withTarget({ fold: 0.75 }, "call", 0.2)).toEqual({ fold: 0.75, call: 0.2 });
  expect(withTarget({ fold: 0.75, call: 0.25 }, "raise 150", 0.5)).toEqual({
    fold: 0.375,
    call: 0.125,
    "raise 150": 0.5,
  });
});

const spec =
  '[ranges]\noop = "AA"\n[[locks]]\nline = "check"\nstrategy = "check"\n[[locks]]\nline = "check,bet 20"\nhands = "KK"\nstrategy = { fold = 1 }\n';

test("locks are read, replaced and written", () => {
  const locks = locksOf(spec);
  expect(locks.map((lock) => lock.line)).toEqual(["check", "check, bet 20"]);
  const merit = { line: "check, bet 20", by: "merit" as const, strategy: { fold: 0.75 } };
  const more = withLock(locks, merit);
  // One of all hands takes the place of whatever was at its line.
  expect(more).toEqual([locks[0], merit]);
  expect(parse(withLocks(spec, more))["locks"]).toHaveLength(2);
  expect(parse(withLocks(spec, []))["locks"]).toBeUndefined();
  expect(locksOf("[ranges]\n")).toEqual([]);
});

test("locks of other hands at a line stay", () => {
  const [air, pairs] = ["nothing", "pair"].map((kind) => ({
    line: "bet 60",
    kind,
    by: "merit" as const,
    strategy: { "raise 150": 0 },
  }));
  expect(withLock([air!], pairs!)).toEqual([air, pairs]);
  expect(withLock([air!, pairs!], { ...air!, strategy: { fold: 1 } })).toHaveLength(2);
});

test("a lock is said in words", () => {
  expect(saying({ line: "", by: "merit", strategy: { fold: 0.75 } })).toBe("all hands: fold 75%");
  expect(saying({ line: "", by: "merit", kind: "nothing", change: { call: 0.1 } })).toBe(
    "nothing: call +10 points",
  );
  expect(saying({ line: "", hands: "AhKh", strategy: { fold: 1 } })).toBe("AhKh: fold 100%, all alike");
  const inBlinds = (action: string): string => (action === "raise 150" ? "raise 15 bb" : action);
  expect(saying({ line: "", by: "merit", strategy: { "raise 150": 0.1, call: 0.9 } }, inBlinds)).toBe(
    "all hands: raise 15 bb 10%, call 90%",
  );
  expect(saying({ line: "", by: "merit", change: { "raise 150": 0.1 } }, inBlinds)).toBe(
    "all hands: raise 15 bb +10 points",
  );
  expect(saying({ line: "", strategy: "raise 150" }, inBlinds)).toBe("all hands: always raise 15 bb");
});

test("what coaches say is of the hands that are chosen", () => {
  const labels = ["fold", "call", "raise 150"];
  const of = (whose: { hands?: string; kind?: string }): string[] =>
    sayingsOf(labels, "bet 60", whose).map(({ lock }) => saying(lock));
  expect(of({ kind: "flush draw" })).toEqual([
    "flush draw: fold 75%",
    "flush draw: fold +10 points",
    "flush draw: call +10 points",
    "flush draw: raise 150 0%",
  ]);
  expect(of({ hands: "AhKh" })[2]).toBe("AhKh: call +10 points");
  // Bluffs are hands of a class of their own: only the whole range has them.
  expect(of({})[3]).toBe("nothing: raise 150 0%");
  // Locks of other hands stay.
  const draws = { line: "bet 60", kind: "flush draw", strategy: { call: 1 } };
  const pairs = sayingsOf(labels, "bet 60", { kind: "pair" })[0]!.lock;
  expect(withLock([draws], pairs)).toEqual([draws, pairs]);
});

test("without a bet to answer, nobody is said to fold, and without a bet to make, nobody to bet", () => {
  const names = (labels: string[]): string[] => sayingsOf(labels, "", {}).map(({ name }) => name);
  expect(names(["check", "bet 5"])).toEqual(["Never bluffs", "Never bets", "Checks 10 points more"]);
  expect(names(["fold", "call"])).toHaveLength(3);
});
