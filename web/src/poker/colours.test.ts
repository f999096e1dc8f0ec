import { expect, test } from "vitest";
import { actionColours, stripes } from "./colours";

test("players find the colours that they know", () => {
  const actions = [
    { action: "fold", amount: 0 },
    { action: "call", amount: 20 },
    { action: "raise", amount: 50 },
    { action: "raise", amount: 120 },
    { action: "all-in", amount: 300 },
  ];
  expect(actionColours(actions)).toEqual([
    "var(--fold)",
    "var(--passive)",
    "var(--bet-1)",
    "var(--bet-2)",
    "var(--all-in)",
  ]);
  expect(actionColours([{ action: "bet", amount: 30 }])).toEqual(["var(--bet-2)"]);
});

test("stripes are as wide as the shares, and none for nothing", () => {
  expect(stripes([1, 0, 3], ["a", "b", "c"])).toBe(
    "linear-gradient(to right, a 0.00% 25.00%, c 25.00% 100.00%)",
  );
  expect(stripes([0, 0], ["a", "b"])).toBe("none");
});
