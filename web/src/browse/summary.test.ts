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
  const cell = summarise(hands)[cellNames.indexOf("AKs")]!;
  expect(cell.hands).toEqual([0, 1]);
  expect(cell.combos).toBe(1.5);
  expect(cell.strategy).toEqual([0.75, 0.25]);
  expect(cell.ev).toBe(25);
  expect(cell.equity).toBeCloseTo(0.55);
});

test("a hand that does not get here says nothing", () => {
  const cell = summarise(hands)[cellNames.indexOf("22")]!;
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
