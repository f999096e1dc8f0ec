import { expect, test } from "vitest";
import type { DominoQuestion } from "./api";
import { drillSettings, sharedQuery } from "./link";
import { endOf, givenAway, tableOf } from "./view";

const question: DominoQuestion = {
  decision: 1,
  hand: 0,
  declaration: 6,
  seat: 1,
  dealt: [1, 2, 3, 4, 5, 6, 7],
  held: [2, 3, 4, 5, 6, 7],
  legal: [2, 3],
  leader: 0,
  trick: [{ seat: 0, domino: 20 }],
  tricks: [
    {
      leader: 0,
      winner: 0,
      points: 11,
      plays: [
        { seat: 0, domino: 27 },
        { seat: 1, domino: 1 },
        { seat: 2, domino: 25 },
        { seat: 3, domino: 9 },
      ],
    },
  ],
  score: [11, 0],
};

test("others hold backs, and what they played leaves a gap", () => {
  const { deal, position, at } = tableOf(question);
  expect(deal.hands.map((hand) => hand.length)).toEqual([7, 7, 7, 7]);
  expect(position.hands.map((hand) => hand.length)).toEqual([5, 6, 6, 6]);
  expect(deal.hands[0]!.slice(0, 2).map((domino) => domino.id)).toEqual([27, 20]);
  const ids = deal.hands.flat().map((domino) => domino.id);
  expect(new Set(ids).size).toBe(28);
  expect(position.moves.map((move) => move.domino)).toEqual([2, 3]);
  expect(at.plays).toEqual([27, 1, 25, 9, 20]);
});

test("at the end all hands are open and the points are counted", () => {
  const hands = [0, 1, 2, 3].map((seat) => Array.from({ length: 7 }, (_, at) => seat * 7 + at));
  const { deal, position } = endOf(question, { points: 0, par: 7, hands, tricks: question.tricks });
  expect(position.finished && position.seat === null).toBe(true);
  expect(position.score).toEqual([11, 0]);
  expect(deal.hands.flat().map((domino) => domino.id)).toEqual(hands.flat());
});

test("regrets are short, and links leave the session out", () => {
  expect([0, 0.01, 4, 1.25].map(givenAway)).toEqual(["best", "best", "−4", "−1.3"]);
  const query = new URLSearchParams("seed=7&session=3&seat=0&decl=");
  expect(drillSettings(query)).toBe("seed=7&seat=0");
  expect(sharedQuery(query)).toEqual({ seed: "7", seat: "0" });
});
