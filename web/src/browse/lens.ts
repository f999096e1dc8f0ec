import type { Hands, Node, Seat } from "../api/types";
import { router } from "../shell/router.svelte";
import { isFiltering, passes, type Filter } from "./filter";
import { mean } from "./summary";

/** The filter of the address: one for the matrix, totals, list and charts. */
export function readLens(): Filter {
  const { query } = router.place;
  return {
    text: query.get("find") ?? "",
    made: query.get("made") ?? "",
    draw: query.get("draw") ?? "",
    suit: query.get("suit") ?? "",
    holds: query.get("holds") ?? "",
  };
}

/** A player's hands as the lens shows them: those that do not pass do not get here. */
export function seen(hands: Hands, lens: Filter): Hands {
  if (!isFiltering(lens)) return hands;
  const through = hands.hand.map((_, index) => passes(hands, index, lens));
  const only = (numbers: readonly number[]): number[] =>
    numbers.map((number, index) => (through[index] ? number : 0));
  return { ...hands, reach: only(hands.reach), share: only(hands.share) };
}

/** A node with one player's hands as the lens shows them. */
export function throughLens(node: Node, seat: Seat, lens: Filter): Node {
  const hands = node.hands[seat];
  const left = seen(hands, lens);
  return left === hands ? node : { ...node, hands: { ...node.hands, [seat]: left } };
}

/** Some hands together. */
export interface HandsTotal {
  name: string;
  combos: number;
  /** Of all hands that are here. */
  share: number;
  strategy: (number | null)[] | null;
  ev: number | null;
  equity: number | null;
}

/** Means over some hands, weighted by how often they are here after card removal. */
export function total(name: string, hands: Hands, indices: readonly number[], all: number): HandsTotal {
  const weight = indices.reduce((sum, index) => sum + (hands.share[index] ?? 0), 0);
  const actions = hands.strategy?.find((row) => row !== null)?.length ?? 0;
  const strategy = hands.strategy;
  return {
    name,
    combos: indices.reduce((sum, index) => sum + (hands.reach[index] ?? 0), 0),
    share: all > 0 ? weight / all : 0,
    strategy: strategy
      ? Array.from({ length: actions }, (_, at) =>
          mean(
            indices,
            hands.share,
            strategy.map((row) => row?.[at] ?? null),
          ),
        )
      : null,
    ev: mean(indices, hands.share, hands.ev),
    equity: mean(indices, hands.share, hands.equity),
  };
}

/** An action of the hands that pass: how often it is taken, and what they expect with it. */
export interface ActionTotal {
  frequency: number | null;
  combos: number;
  ev: number | null;
  equity: number | null;
  eqr: number | null;
}

/** The actions of the player to act, over the hands that the lens lets through. */
export function actionTotals(node: Node, lens: Filter): ActionTotal[] {
  if (!node.player) return [];
  const hands = seen(node.hands[node.player], lens);
  const weight = hands.share.reduce((sum, share) => sum + share, 0);
  return node.actions.map((_, at) => {
    let [share, combos, ev, equity] = [0, 0, 0, 0];
    hands.hand.forEach((_hand, index) => {
      const taken = hands.strategy?.[index]?.[at] ?? 0;
      if (taken <= 0) return;
      const here = (hands.share[index] ?? 0) * taken;
      share += here;
      combos += (hands.reach[index] ?? 0) * taken;
      ev += here * (hands.action_evs?.[index]?.[at] ?? 0);
      equity += here * (hands.equity[index] ?? 0);
    });
    return {
      frequency: weight > 0 ? share / weight : null,
      combos,
      ev: share > 0 ? ev / share : null,
      equity: share > 0 ? equity / share : null,
      eqr: equity > 0 ? ev / (equity * node.pot) : null,
    };
  });
}

/** Hands by what they make, strongest first, and then by what they may become. */
export function classTotals(
  node: Node,
  seat: Seat,
  lens: Filter,
): { made: HandsTotal[]; draws: HandsTotal[] } {
  const hands = seen(node.hands[seat], lens);
  const order = new Map(node.classes[seat].map((each, at) => [each.made, at]));
  const byMade = new Map<string, number[]>();
  const byDraw = new Map<string, number[]>();
  const put = (groups: Map<string, number[]>, name: string, index: number): void => {
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  };
  hands.hand.forEach((_, index) => {
    if ((hands.reach[index] ?? 0) <= 0) return;
    put(byMade, hands.made[index]!, index);
    for (const draw of hands.draws[index]!) put(byDraw, draw, index);
  });
  const all = node.hands[seat].share.reduce((sum, share) => sum + share, 0);
  const totals = (groups: Map<string, number[]>): HandsTotal[] =>
    [...groups].map(([name, indices]) => total(name, hands, indices, all));
  return {
    made: totals(byMade).sort((a, b) => (order.get(a.name) ?? 99) - (order.get(b.name) ?? 99)),
    draws: totals(byDraw).sort((a, b) => b.combos - a.combos),
  };
}

/** How often the player to act takes each action if the opponent holds a card: its hands with that card are not there. */
export function answersTo(node: Node, card: string): (number | null)[] {
  if (!node.player) return [];
  const hands = node.hands[node.player];
  const sums = node.actions.map(() => 0);
  let total = 0;
  hands.hand.forEach((hand, index) => {
    const plays = hands.strategy?.[index];
    const reach = hands.reach[index] ?? 0;
    if (!plays || reach <= 0 || hand.slice(0, 2) === card || hand.slice(2, 4) === card) return;
    total += reach;
    plays.forEach((play, at) => (sums[at]! += reach * play));
  });
  return sums.map((sum) => (total > 0 ? sum / total : null));
}
