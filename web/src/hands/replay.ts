/** A hand step by step: the table before each action, and at the end. */
import { splitCards } from "../poker/cards";
import type { Decision, Hand, HandAction } from "./api";
import { inBlinds } from "./money";

/** Somebody at the table, at a step. Amounts are in big blinds. */
export interface SeatState {
  readonly position: string;
  readonly name: string;
  readonly hole: readonly string[];
  readonly stack: number;
  /** What the player has put in on this street. */
  readonly bet: number;
  readonly folded: boolean;
  readonly acts: boolean;
  /** What the player gets of the pot, at the end. */
  readonly won: number;
}

/** The table at a step. Amounts are in big blinds. */
export interface TableState {
  readonly street: string;
  readonly board: readonly string[];
  /** All chips in the middle, bets of the street included. */
  readonly pot: number;
  readonly toCall: number;
  readonly seats: readonly SeatState[];
  readonly over: boolean;
}

/** An action of a hand, and the decision that it is, if that is looked at. */
export interface ReplayStep {
  readonly action: HandAction;
  readonly decision: Decision | null;
}

const cardsOn: Record<string, number> = { preflop: 0, flop: 3, turn: 4, river: 5 };
/** What is put in and nobody has to call. */
const dead = ["ante", "dead blind"];

/** What was done, with the decisions that are looked at. */
export function stepsOf(hand: Hand): ReplayStep[] {
  const left = [...hand.decisions];
  return hand.actions.map((action) => {
    const next = left[0];
    const same = next && action.street === next.street && action.position === next.position;
    return { action, decision: same ? (left.shift() ?? null) : null };
  });
}

/** Where to begin: at the costliest decision, or the first one, or the first action. */
export function firstStep(steps: readonly ReplayStep[]): number {
  const loss = (step: ReplayStep): number => step.decision?.ev_loss_bb ?? 0;
  const costliest = steps.reduce((best, step, at) => (loss(step) > loss(steps[best]!) ? at : best), 0);
  if (steps[costliest] && loss(steps[costliest]) > 0) return costliest;
  return Math.max(
    0,
    steps.findIndex((step) => step.decision !== null),
  );
}

/** The table before an action; after the last one, at the end. */
export function tableAt(hand: Hand, at: number): TableState {
  const blind = hand.big_blind || 1;
  const action = hand.actions[at];
  const before = hand.actions.slice(0, at);
  const over = action === undefined;
  const street = action?.street ?? hand.actions.at(-1)?.street ?? "preflop";
  const board = splitCards(hand.board).slice(0, over ? 5 : (cardsOn[street] ?? 0));
  const seats = hand.players.map((player): SeatState => {
    const own = <T extends { position: string }>(list: readonly T[]): T[] =>
      list.filter((each) => each.position === player.position);
    const posts = own(hand.posts);
    const done = own(before);
    const put = [...posts.map((post) => post.amount), ...done.map((each) => each.added)];
    const left = player.stack - put.reduce((sum, amount) => sum + amount, 0);
    const here = done.filter((each) => each.street === street);
    const blinds = posts.filter((post) => street === "preflop" && !dead.includes(post.kind));
    const bet = here.at(-1)?.to ?? blinds.reduce((sum, post) => sum + post.amount, 0);
    return {
      position: player.position,
      name: player.name,
      hole: splitCards(player.hole ?? ""),
      stack: (over ? player.final_stack : left) / blind,
      bet: over ? 0 : bet / blind,
      folded: done.some((each) => each.action === "fold"),
      acts: action?.position === player.position,
      won: over ? player.collected / blind : 0,
    };
  });
  return {
    street: over ? "end" : street,
    board,
    pot: (action?.pot ?? hand.pot) / blind,
    toCall: (action?.to_call ?? 0) / blind,
    seats,
    over,
  };
}

/** An action in words, its amount in big blinds or as it was played: `raise to 6`, `call 4, all-in`. */
export function actionText(action: HandAction, blind: number, money = inBlinds): string {
  const words = {
    raise: `raise to ${money.number(action.to / blind)}`,
    bet: `bet ${money.number(action.to / blind)}`,
    call: `call ${money.number(action.added / blind)}`,
  };
  const text = words[action.action as keyof typeof words] ?? action.action;
  return action.all_in ? `${text}, all-in` : text;
}

/** An action of the tree with its amount in big blinds or as it was played: `bet 180` as `bet 1.8`. */
export function treeAction(label: string, decision: Decision, money = inBlinds): string {
  const [name = "", amount] = label.split(" ");
  return amount === undefined ? name : `${name} ${money.number(Number(amount) / decision.big_blind)}`;
}

/** What a decision cost, in words; nothing where that is not known or there was no choice. */
export function lossOf(decision: Decision | null, money = inBlinds): string {
  if (!decision || decision.ev_loss_bb === null || (decision.choices ?? 0) < 2) return "";
  return decision.ev_loss_bb < 0.005 ? "0" : `−${money.fixed(decision.ev_loss_bb)}`;
}

/** How bad a decision is: what a drill would call it, in three tones. */
export function tone(pct: number | null): "good" | "warn" | "bad" {
  if (pct === null || pct <= 0.5) return "good";
  return pct <= 3 ? "warn" : "bad";
}
