import { expect, test } from "vitest";
import type { Node } from "../api/types";
import { noFilter, passes } from "./filter";
import { actionTotals, answersTo, classTotals, seen } from "./lens";

const node = {
  player: "ip",
  actions: [{ label: "fold" }, { label: "call" }],
  classes: { oop: [], ip: [{ made: "top pair" }, { made: "nothing" }] },
  hands: {
    oop: null,
    ip: {
      hand: ["AhKh", "QcJc", "7d2s"],
      reach: [1, 1, 0.5],
      share: [10, 10, 5],
      ev: [20, 5, 0],
      equity: [0.8, 0.4, 0.1],
      eqr: [1, 1, 1],
      made: ["top pair", "nothing", "nothing"],
      draws: [[], ["flush draw"], []],
      strategy: [
        [0, 1],
        [0.5, 0.5],
        [1, 0],
      ],
      action_evs: [
        [0, 20],
        [0, 10],
        [0, -8],
      ],
    },
  },
} as unknown as Node;

test("one filter: what it does not let through does not get here", () => {
  const hands = node.hands.ip;
  expect(seen(hands, noFilter)).toBe(hands);
  expect(seen(hands, { ...noFilter, made: "nothing" }).reach).toEqual([0, 1, 0.5]);
  expect(seen(hands, { ...noFilter, holds: "Q" }).reach).toEqual([0, 1, 0]);
  expect(seen(hands, { ...noFilter, holds: "ah" }).share).toEqual([10, 0, 0]);
  expect(passes(hands, 0, { ...noFilter, holds: "Kd" })).toBe(false);
});

test("totals are over the hands that pass", () => {
  const [fold, call] = actionTotals(node, { ...noFilter, made: "nothing" });
  expect(fold!.frequency).toBeCloseTo((5 + 5) / 15);
  expect(call!.frequency).toBeCloseTo(5 / 15);
  expect(call!.ev).toBeCloseTo(10);
  expect(call!.combos).toBeCloseTo(0.5);
});

test("classes are in the order of their strength, with draws beside them", () => {
  const { made, draws } = classTotals(node, "ip", noFilter);
  expect(made.map((each) => each.name)).toEqual(["top pair", "nothing"]);
  expect(made[1]!.share).toBeCloseTo(15 / 25);
  expect(draws.map((each) => [each.name, each.combos])).toEqual([["flush draw", 1]]);
});

test("a card in the opponent's hand takes away the hands that hold it", () => {
  const [fold] = answersTo(node, "2s");
  expect(fold).toBeCloseTo(0.5 / 2);
  expect(answersTo(node, "3s")[0]).toBeCloseTo(1 / 2.5);
});
