import type { DrillEnd, DrillQuestion, DrillVerdict, MistakeKind, Seat, VerdictName } from "../api/types";

export const verdictNames: Record<VerdictName, string> = {
  best: "Best",
  fine: "Fine",
  inaccuracy: "Inaccuracy",
  mistake: "Mistake",
  blunder: "Blunder",
};

export const mistakeNames: Record<MistakeKind, string> = {
  "folded-too-much": "Folded too much",
  "called-too-wide": "Called too wide",
  "missed-bet": "Missed a bet",
  "missed-raise": "Missed a raise",
  "bet-too-much": "Bet too much",
  "raised-too-much": "Raised too much",
  "wrong-size": "Wrong size",
};

/** What a session is called that asks again what went wrong: in drills, or in hands that were played. */
export function reviewName(hands: string | undefined): string {
  return hands === undefined ? "What went wrong" : `Costly in ${hands}`;
}

/** Whether an answer is as good as the best. */
export function isRight(verdict: VerdictName): boolean {
  return verdict === "best" || verdict === "fine";
}

export function seatName(seat: Seat): string {
  return seat === "oop" ? "OOP" : "IP";
}

/** What is said about how a hand ended; nothing where only one decision was asked. */
export function endText(end: DrillEnd, player: Seat): string {
  switch (end.kind) {
    case "answered":
      return "";
    case "fold":
      return end.winner === player ? "Your opponent folded: the pot is yours." : "You folded.";
    case "showdown":
      if (end.winner === null) return "Showdown: the pot is shared.";
      return end.winner === player ? "Showdown: you win." : "Showdown: you lose.";
    case "street":
      return "The street is over.";
    case "unplayed":
      return "The solution never does this with the hand, so it does not say how it goes on.";
  }
}

/** A loss in percent of the pot, as short as it can be said. */
export function lossText(pct: number): string {
  if (pct <= 0) return "0% of the pot";
  return `${pct < 0.1 ? pct.toFixed(2) : pct.toFixed(1)}% of the pot`;
}

/** How many questions in a row were as good as the best, up to the last. */
export function streakAfter(streak: number, verdict: DrillVerdict): number {
  return isRight(verdict.verdict) ? streak + 1 : 0;
}

/** The steps to a question by street, for a strip of what happened. */
export function stepsByStreet(question: DrillQuestion): { street: string; steps: DrillQuestion["steps"] }[] {
  const streets: { street: string; steps: DrillQuestion["steps"] }[] = [];
  for (const step of question.steps) {
    if (step.player === null) continue;
    const last = streets.at(-1);
    if (last?.street === step.street) last.steps.push(step);
    else streets.push({ street: step.street, steps: [step] });
  }
  return streets;
}

/** What was put in on this street before the question by whoever is not asked: what a raise answers. */
export function previousBet(question: DrillQuestion): number {
  const last = question.steps.at(-1);
  if (!last || last.player === null) return 0;
  return Number(last.label.split(" ")[1] ?? 0) || 0;
}
