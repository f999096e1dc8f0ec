import { expect, test } from "vitest";
import type { Decision, Hand, HandAction } from "./api";
import { HandMoney } from "./money";
import { actionText, firstStep, lossOf, stepsOf, tableAt, tone, treeAction } from "./replay";

const act = (position: string, street: string, action: string, more: Partial<HandAction>): HandAction => ({
  position,
  street,
  action,
  added: 0,
  to: 0,
  all_in: false,
  pot: 0,
  to_call: 0,
  stack: 0,
  line: 1,
  ...more,
});

const decide = (street: string, more: Partial<Decision>): Decision => ({
  file: "",
  hand: "1",
  player: "Hero",
  position: "BTN",
  opponent: "BB",
  pot_type: "single-raised",
  street,
  board: "",
  hole: "AhKd",
  line: "",
  played: "call",
  big_blind: 100,
  pot_bb: 1,
  to_call_bb: 0,
  choices: 2,
  best: null,
  frequency: null,
  ev_played_bb: null,
  ev_best_bb: null,
  ev_loss_bb: null,
  ev_loss_pct: null,
  exploitability_pct: null,
  actions: [],
  solution: "",
  link: "",
  ...more,
});

/** Blinds of 0.50 and 1; the button raises, the big blind calls and folds on the turn. */
const hand: Hand = {
  file: "",
  hand: "1",
  source: "PokerStars",
  line: 1,
  time: "",
  table: "",
  tournament: null,
  currency: "USD",
  small_blind: 1,
  big_blind: 2,
  board: "Ks7d2c9h",
  hero: "BTN",
  pot: 23,
  rake: 1,
  players: [
    { seat: 1, name: "Hero", position: "BTN", stack: 200, final_stack: 212, collected: 22, hole: "AhKd" },
    { seat: 2, name: "V1", position: "SB", stack: 200, final_stack: 199, collected: 0, hole: null },
    { seat: 3, name: "V2", position: "BB", stack: 100, final_stack: 90, collected: 0, hole: null },
  ],
  posts: [
    { position: "SB", kind: "small blind", amount: 1 },
    { position: "BB", kind: "ante", amount: 2 },
    { position: "BB", kind: "big blind", amount: 2 },
  ],
  actions: [
    act("BTN", "preflop", "raise", { added: 5, to: 5, pot: 5, to_call: 2 }),
    act("SB", "preflop", "fold", { pot: 10 }),
    act("BB", "preflop", "call", { added: 3, to: 5, pot: 10, to_call: 3 }),
    act("BB", "flop", "check", { pot: 13 }),
    act("BTN", "flop", "bet", { added: 5, to: 5, pot: 13 }),
    act("BB", "flop", "call", { added: 5, to: 5, pot: 18, to_call: 5 }),
    act("BB", "turn", "check", { pot: 23 }),
    act("BTN", "turn", "bet", { added: 85, to: 85, all_in: true, pot: 23 }),
    act("BB", "turn", "fold", { pot: 108, to_call: 85 }),
  ],
  decisions: [decide("flop", { ev_loss_bb: 0.1 }), decide("turn", { ev_loss_bb: 1.25, ev_loss_pct: 9 })],
};

test("decisions are found at their actions, and the costliest is where one begins", () => {
  const steps = stepsOf(hand);
  expect(steps.map((step) => step.decision?.street ?? "")).toEqual([
    "",
    "",
    "",
    "",
    "flop",
    "",
    "",
    "turn",
    "",
  ]);
  expect(firstStep(steps)).toBe(7);
  expect(firstStep(stepsOf({ ...hand, decisions: [decide("flop", {})] }))).toBe(4);
  expect(firstStep(stepsOf({ ...hand, decisions: [] }))).toBe(0);
});

test("the table has the chips that are there before each action", () => {
  const first = tableAt(hand, 0);
  expect(first).toMatchObject({ street: "preflop", board: [], pot: 2.5, toCall: 1, over: false });
  // An ante is in the pot, and no bet.
  expect(first.seats.map((seat) => [seat.stack, seat.bet, seat.acts])).toEqual([
    [100, 0, true],
    [99.5, 0.5, false],
    [48, 1, false],
  ]);
  const flop = tableAt(hand, 4);
  expect([flop.street, flop.board.join(""), flop.pot]).toEqual(["flop", "Ks7d2c", 6.5]);
  expect(flop.seats.map((seat) => [seat.stack, seat.bet, seat.folded])).toEqual([
    [97.5, 0, false],
    [99.5, 0, true],
    [46.5, 0, false],
  ]);
  const end = tableAt(hand, 9);
  expect([end.over, end.board.length, end.pot]).toEqual([true, 4, 11.5]);
  expect(end.seats.map((seat) => [seat.stack, seat.won])).toEqual([
    [106, 11],
    [99.5, 0],
    [45, 0],
  ]);
});

test("actions and losses are told in big blinds", () => {
  expect(hand.actions.map((action) => actionText(action, 2))).toEqual([
    "raise to 2.5",
    "fold",
    "call 1.5",
    "check",
    "bet 2.5",
    "call 2.5",
    "check",
    "bet 42.5, all-in",
    "fold",
  ]);
  expect(treeAction("bet 180", decide("flop", {}))).toBe("bet 1.8");
  expect(treeAction("check", decide("flop", {}))).toBe("check");
  const dollars = new HandMoney({ big_blind: 2, currency: "USD" }, "played");
  expect(actionText(hand.actions[0]!, 2, dollars)).toBe("raise to 5");
  expect(treeAction("bet 180", decide("flop", {}), dollars)).toBe("bet 3.6");
  const losses = [
    null,
    decide("flop", {}),
    decide("flop", { ev_loss_bb: 0.001 }),
    decide("flop", { ev_loss_bb: 2 }),
  ];
  expect(losses.map((loss) => lossOf(loss))).toEqual(["", "", "0", "−2.00"]);
  expect(lossOf(losses[3]!, dollars)).toBe("−4.00");
  expect(lossOf(decide("flop", { ev_loss_bb: 2, choices: 1 }))).toBe("");
  expect([null, 0.5, 2, 3.1].map(tone)).toEqual(["good", "good", "warn", "bad"]);
});
