import type { DrillQuestion } from "../api/types";
import { AmountFormat } from "../poker/amount";
import { previousBet } from "./words";

/** The actions of a question, as they are shown in a unit. */
export function questionNames(question: DrillQuestion, unit: string | null): string[] {
  const amounts = new AmountFormat(question, unit);
  const { pot, stacks } = question;
  const at = { pot, stacks, previous: previousBet(question) };
  return question.actions.map((action) => amounts.action(action.label, at));
}
