import { expect, test } from "vitest";
import type { DrillQuestion } from "../api/types";
import { endText, lossText, previousBet, reviewName, stepsByStreet } from "./words";

const end = { board: [], line: "", opponent_hole: "KdKh" };

test("the end of a hand is told from the side of whoever played", () => {
  expect(endText({ ...end, kind: "fold", winner: "oop" }, "oop")).toContain("the pot is yours");
  expect(endText({ ...end, kind: "fold", winner: "ip" }, "oop")).toBe("You folded.");
  expect(endText({ ...end, kind: "showdown", winner: null }, "ip")).toContain("shared");
  expect(endText({ ...end, kind: "answered", winner: null }, "ip")).toBe("");
});

test("what is asked again is named after where it went wrong", () => {
  expect([undefined, "Vega IV"].map(reviewName)).toEqual(["What went wrong", "Costly in Vega IV"]);
});

test("losses are short, and none is none", () => {
  expect([0, -1, 0.004, 0.5, 12.34].map(lossText)).toEqual([
    "0% of the pot",
    "0% of the pot",
    "0.00% of the pot",
    "0.5% of the pot",
    "12.3% of the pot",
  ]);
});

test("what happened is told street by street, and what a raise answers is known", () => {
  const step = (
    label: string,
    player: "oop" | "ip" | null,
    street: "flop" | "turn",
  ): DrillQuestion["steps"][0] => ({
    label,
    player,
    street,
    pot: 10,
  });
  const steps = [
    step("check", "oop", "flop"),
    step("check", "ip", "flop"),
    step("Th", null, "flop"),
    step("bet 1.8", "oop", "turn"),
  ];
  const question = { steps } as DrillQuestion;
  expect(stepsByStreet(question).map(({ street, steps }) => [street, steps.length])).toEqual([
    ["flop", 2],
    ["turn", 1],
  ]);
  expect(previousBet(question)).toBe(1.8);
  expect(previousBet({ steps: steps.slice(0, 3) } as DrillQuestion)).toBe(0);
});
