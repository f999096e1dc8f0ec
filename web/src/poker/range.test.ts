import { expect, test } from "vitest";
import { cellNames } from "./matrix";
import { combos, emptyWeights, fromHands, indicesOf, printRange, toHands, wholeRow } from "./range";

const cell = (name: string): number => cellNames.indexOf(name);

test("hands go in and out whichever card comes first", () => {
  const weights = fromHands([
    { hand: "KhAh", weight: 0.5 },
    { hand: "2c2s", weight: 1 },
  ]);
  expect(toHands(weights)).toEqual([
    { hand: "AhKh", weight: 0.5 },
    { hand: "2s2c", weight: 1 },
  ]);
  expect(combos(weights)).toBe(1.5);
});

test("text names whole cells, and hands where they differ", () => {
  const weights = emptyWeights();
  for (const index of indicesOf(cell("AA"))) weights[index] = 1;
  for (const index of indicesOf(cell("T9s"))) weights[index] = 0.25;
  weights[indicesOf(cell("72o"))[0]!] = 1;
  expect(printRange(weights)).toBe("AA,T9s:0.25,7s2h");
});

test("shift takes pairs, or what has the same high card and shape", () => {
  expect(wholeRow(cell("77"))).toHaveLength(13);
  expect(wholeRow(cell("Q8s")).map((each) => cellNames[each])).toEqual(
    [..."JT98765432"].map((low) => `Q${low}s`),
  );
  expect(wholeRow(cell("43o")).map((each) => cellNames[each])).toEqual(["43o", "42o"]);
});
