import type { DominoFace, Play, Position } from "../api";
import { countOf, handSize, pipsOf, seats, type DominoId } from "../dominoes";
import type { Shown } from "../game.svelte";
import type { DominoQuestion, DominoVerdict } from "./api";

/** Numbers from here on stand for dominoes that lie face down. */
const unknown = 100;

function face(id: DominoId): DominoFace {
  return id < unknown ? { id, ...pipsOf(id), count: countOf(id) } : { id, high: 0, low: 0, count: 0 };
}

/** Every play of a question, in order. */
export function playsOf({ tricks, trick }: Pick<DominoQuestion, "tricks" | "trick">): Play[] {
  return [...tricks.flatMap((each) => each.plays), ...trick];
}

/** The table as the player sees it: the own hand, and backs where the others hold something. */
export function tableOf(question: DominoQuestion): Shown {
  const plays = playsOf(question);
  const playedBy = (seat: number): DominoId[] =>
    plays.filter((play) => play.seat === seat).map((play) => play.domino);
  const backs = (seat: number): DominoId[] =>
    Array.from({ length: handSize - playedBy(seat).length }, (_, at) => unknown + seat * handSize + at);
  const dealt = seats.map((seat) =>
    seat === question.seat ? question.dealt : [...playedBy(seat), ...backs(seat)],
  );
  const held = seats.map((seat) => (seat === question.seat ? question.held : backs(seat)));
  return shownOf(question, dealt, {
    seat: question.seat,
    leader: question.leader,
    trick: question.trick,
    tricks: question.tricks,
    score: question.score,
    moves: question.legal.map((domino) => ({ domino, value: 0, regret: 0 })),
    hands: held.map((hand) => hand.map(face)),
    finished: false,
  });
}

/** The table at the end of a hand, with all hands open. */
export function endOf(question: DominoQuestion, end: NonNullable<DominoVerdict["end"]>): Shown {
  const points = (team: number): number =>
    end.tricks.filter((trick) => trick.winner % 2 === team).reduce((sum, trick) => sum + trick.points, 0);
  return shownOf(question, end.hands, {
    seat: null,
    leader: end.tricks.at(-1)?.winner ?? 0,
    trick: [],
    tricks: end.tricks,
    score: [points(0), points(1)],
    moves: [],
    hands: end.hands.map((hand) => hand.map(face)),
    finished: true,
  });
}

type Known = Omit<Position, "value" | "points" | "best_line">;

/** What is not known, the value of the position above all, is left empty. */
function shownOf(question: DominoQuestion, dealt: readonly DominoId[][], position: Known): Shown {
  return {
    at: {
      deal: { hands: [] },
      declaration: question.declaration,
      plays: playsOf(position).map((play) => play.domino),
    },
    deal: { hands: dealt.map((hand) => hand.map(face)), text: "" },
    position: { ...position, value: 0, points: [0, 0], best_line: [] },
  };
}

/** What a play gave away, as short as it can be said. */
export function givenAway(regret: number): string {
  return regret < 0.05 ? "best" : `−${Number.isInteger(regret) ? regret : regret.toFixed(1)}`;
}
