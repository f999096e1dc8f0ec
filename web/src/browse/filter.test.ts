import { expect, test } from "vitest";
import type { Hands } from "../api/types";
import { named, noFilter, passes, sorted } from "./filter";

test("text names kinds of hands, hands and cards", () => {
  expect(["AK", "AKs", "Ah", "AhKh", "KhAh", "ak qq"].map((text) => named("AhKh", text))).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["AQ", "AKo", "As", "72"].map((text) => named("AhKh", text))).toEqual([false, false, false, false]);
});

const hands: Hands = {
  hand: ["AhKh", "QsJd", "2c2d"],
  reach: [1, 0.5, 0],
  share: [1, 1, 0],
  ev: [10, 30, null],
  equity: [0.5, 0.7, null],
  eqr: [1, 1, null],
  made: ["nothing", "top pair", "pair"],
  draws: [["flush draw"], [], []],
  strategy: [[0.2, 0.8], [0.9, 0.1], null],
  action_evs: null,
};
const all = noFilter;

test("filters hold together, and what does not get here is left out", () => {
  const shown = (filter: object): number[] =>
    [0, 1, 2].filter((index) => passes(hands, index, { ...all, ...filter }));
  expect(shown({})).toEqual([0, 1]);
  expect(shown({ made: "top pair" })).toEqual([1]);
  expect(shown({ draw: "flush draw" })).toEqual([0]);
  expect(shown({ draw: "none" })).toEqual([1]);
  expect(shown({ suit: "d" })).toEqual([1]);
  expect(shown({ suit: "suited", draw: "none" })).toEqual([]);
});

test("rows sort by numbers, by actions, and absent ones come last", () => {
  expect(sorted(hands, [0, 1, 2], "ev", true)).toEqual([1, 0, 2]);
  expect(sorted(hands, [0, 1, 2], "ev", false)).toEqual([0, 1, 2]);
  expect(sorted(hands, [0, 1, 2], "action 1", true)).toEqual([0, 1, 2]);
});
