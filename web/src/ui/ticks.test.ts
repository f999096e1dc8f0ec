import { expect, test } from "vitest";
import { linearTicks, logTicks } from "./ticks";

test("ticks are round and inside", () => {
  expect(linearTicks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(linearTicks(0.13, 0.41, 3)).toEqual([0.2, 0.3, 0.4]);
  expect(logTicks(0.08, 12)).toEqual([0.1, 0.3, 1, 3, 10]);
});

test("no ticks where there is no span", () => {
  expect(linearTicks(1, 1, 5)).toEqual([]);
  expect(logTicks(0, 1)).toEqual([]);
});
