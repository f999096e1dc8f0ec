import type { Hands } from "../api/types";
import { isCard, suits } from "../poker/cards";
import { cellNames, cellOf } from "../poker/matrix";

/** Which hands to look at; what is empty lets all through. */
export interface Filter {
  text: string;
  made: string;
  draw: string;
  suit: string;
  /** A card or a rank that the hand holds: `Ah` or `A`. */
  holds: string;
}

export const noFilter: Filter = { text: "", made: "", draw: "", suit: "", holds: "" };

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== "");
}

/** Whether a hand is one that the text names: `AK`, `AKs`, `Ah`, `AhKh`; several with commas or spaces. */
export function named(hand: string, text: string): boolean {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length === 0 || words.some((word) => matches(hand, word));
}

function matches(hand: string, word: string): boolean {
  const cards = [hand.slice(0, 2), hand.slice(2, 4)];
  const plain = word.toLowerCase();
  const cell = cellNames[cellOf(hand)]!.toLowerCase();
  if (cell.startsWith(plain)) return true;
  const both = [cards.join(""), [...cards].reverse().join("")].map((each) => each.toLowerCase());
  if (both.some((each) => each.startsWith(plain))) return true;
  return (
    plain.length === 2 &&
    suits.includes(plain.charAt(1)) &&
    cards.some((card) => card.toLowerCase() === plain)
  );
}

/** Whether a hand holds a card, or a card of a rank. */
function holds(hand: string, wanted: string): boolean {
  const card = wanted.charAt(0).toUpperCase() + wanted.slice(1).toLowerCase();
  if (isCard(card)) return hand.slice(0, 2) === card || hand.slice(2, 4) === card;
  return hand.charAt(0) === card || hand.charAt(2) === card;
}

export function passes(hands: Hands, index: number, filter: Filter): boolean {
  const hand = hands.hand[index]!;
  if ((hands.reach[index] ?? 0) <= 0) return false;
  if (filter.made && hands.made[index] !== filter.made) return false;
  if (
    filter.draw &&
    !(filter.draw === "none" ? hands.draws[index]!.length === 0 : hands.draws[index]!.includes(filter.draw))
  )
    return false;
  if (filter.suit === "suited" && hand.charAt(1) !== hand.charAt(3)) return false;
  if (filter.suit === "offsuit" && hand.charAt(1) === hand.charAt(3)) return false;
  if (filter.suit.length === 1 && hand.charAt(1) !== filter.suit && hand.charAt(3) !== filter.suit)
    return false;
  if (filter.holds && !holds(hand, filter.holds)) return false;
  return named(hand, filter.text);
}

/** What a column of the list sorts by: a fixed one or `action N`. */
export type SortKey = "hand" | "made" | "reach" | "ev" | "equity" | "eqr" | `action ${number}`;

/** The order of the rows; hands without a value come last either way. */
export function sorted(hands: Hands, indices: readonly number[], key: SortKey, down: boolean): number[] {
  const value = (index: number): number | string | null => {
    if (key === "hand") return cellOf(hands.hand[index]!);
    if (key === "made") return hands.made[index] ?? null;
    if (key.startsWith("action ")) return hands.strategy?.[index]?.[Number(key.slice(7))] ?? null;
    return hands[key as "reach" | "ev" | "equity" | "eqr"][index] ?? null;
  };
  const rows = indices.map((index) => ({ index, value: value(index) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    const order = a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    return (down ? -order : order) || a.index - b.index;
  });
  return rows.map((row) => row.index);
}
