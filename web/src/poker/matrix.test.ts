import { expect, test } from "vitest";
import { canonicalHand, cellHands, cellNames, cellOf } from "./matrix";

test("every hand is in its own cell, and 1326 there are", () => {
  const seen = new Set<string>();
  cellHands.forEach((hands, cell) => {
    for (const hand of hands) {
      expect(cellOf(hand)).toBe(cell);
      expect(canonicalHand(hand.slice(2) + hand.slice(0, 2))).toBe(hand);
      seen.add(hand);
    }
  });
  expect(seen.size).toBe(1326);
});

test("cells are named as players name them", () => {
  expect([cellNames[0], cellNames[1], cellNames[13], cellNames[168]]).toEqual(["AA", "AKs", "AKo", "22"]);
});
