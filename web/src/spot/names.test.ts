import { expect, test } from "vitest";
import type { SpotName } from "../api/types";
import { nearestSpot, valuesOf } from "./names";

const spot = (format: string, depth: number, opener: string, other: string, pot_type: string): SpotName => ({
  name: `${opener} vs ${other}, ${pot_type}, ${depth} bb`,
  format,
  depth,
  opener,
  other,
  pot_type,
  pot: 5.5,
  stack: 97.5,
});
const spots = [
  spot("6-max", 20, "BTN", "BB", "single-raised"),
  spot("6-max", 100, "CO", "BTN", "3-bet"),
  spot("6-max", 100, "BTN", "BB", "single-raised"),
  spot("6-max", 100, "BTN", "BB", "4-bet"),
  spot("6-max", 100, "SB", "BB", "limped"),
  spot("heads-up", 100, "BTN", "BB", "limped"),
];

test("a part that is set anew keeps what can be kept of the others", () => {
  const choice = spots[3]!;
  expect(nearestSpot(spots, { ...choice, depth: 20 }, "depth")).toBe(spots[0]);
  expect(nearestSpot(spots, { ...choice, pot_type: "limped" }, "pot_type")).toBe(spots[4]);
  expect(nearestSpot(spots, { ...choice, opener: "CO" }, "opener")).toBe(spots[1]);
  expect(nearestSpot(spots, { ...choice, format: "heads-up" }, "format")).toBe(spots[5]);
  expect(nearestSpot(spots, { ...choice, format: "9-max" }, "format")).toBeNull();
});

test("the values of a part are listed once", () => {
  expect(valuesOf(spots, "depth")).toEqual([20, 100]);
  expect(valuesOf(spots, "opener")).toEqual(["BTN", "CO", "SB"]);
});
