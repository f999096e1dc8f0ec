import { expect, test } from "vitest";
import type { Hands } from "../api/types";
import { cellNames } from "../poker/matrix";
import { distribution, summarise } from "./summary";

const hands: Hands = {
  hand: ["AhKh", "KsAs", "2c2d"],
  reach: [1, 0.5, 0],
  share: [30, 10, 0],
  ev: [20, 40, null],
  equity: [0.5, 0.7, null],
  eqr: [1, 1.2, null],
  made: ["nothing", "nothing", "pair"],
  draws: [[], [], []],
  strategy: [[1, 0], [0, 1], null],
  action_evs: [[20, 10], [30, 40], null],
};

test("a cell's means weigh by share", () => {
  const cell = summarise(hands, 40)[cellNames.indexOf("AKs")]!;
  expect(cell.hands).toEqual([0, 1]);
  expect(cell.combos).toBe(1.5);
  expect(cell.strategy).toEqual([0.75, 0.25]);
  expect(cell.ev).toBe(25);
  expect(cell.equity).toBeCloseTo(0.55);
});

test("a cell's EQR is that of its own means, and a hand without equity counts", () => {
  const eqr = (of: Hands): number | null => summarise(of, 40)[cellNames.indexOf("AKs")]!.eqr;
  expect(eqr(hands)).toBeCloseTo(25 / (0.55 * 40));
  expect(eqr({ ...hands, ev: [20, 0, null], equity: [0.5, 0, null], eqr: [1, null, null] })).toBeCloseTo(
    15 / (0.375 * 40),
  );
  expect(eqr({ ...hands, ev: [1, 1, null], equity: [0, 0, null] })).toBeNull();
});

test("a hand that does not get here says nothing", () => {
  const cell = summarise(hands, 40)[cellNames.indexOf("22")]!;
  expect(cell).toMatchObject({ combos: 0, strategy: null, ev: null });
});

test("a distribution climbs from the worst hand to the best, over the whole range", () => {
  expect(distribution(hands, hands.ev)).toEqual([
    [0, 20],
    [75, 20],
    [75, 40],
    [100, 40],
  ]);
});
