import { ranks, suits } from "./cards";

/** Which of the 169 cells, row by row from AA: suited hands above the diagonal, offsuit ones below. */
export type CellIndex = number;

export const cellCount = 169;

/** `AKs`, `AA`, `72o`. */
export const cellNames: readonly string[] = Array.from({ length: cellCount }, (_, cell) => {
  const row = Math.floor(cell / 13);
  const column = cell % 13;
  const high = ranks.charAt(Math.min(row, column));
  const low = ranks.charAt(Math.max(row, column));
  return row === column ? high + low : high + low + (row < column ? "s" : "o");
});

/** The cell of a hand like `AhKh`, whichever card comes first. */
export function cellOf(hand: string): CellIndex {
  const first = ranks.indexOf(hand.charAt(0));
  const second = ranks.indexOf(hand.charAt(2));
  const high = Math.min(first, second);
  const low = Math.max(first, second);
  return hand.charAt(1) === hand.charAt(3) ? high * 13 + low : low * 13 + high;
}

/** The hands of each cell, higher card first; spades, hearts, diamonds, clubs. */
export const cellHands: readonly (readonly string[])[] = Array.from({ length: cellCount }, (_, cell) => {
  const row = Math.floor(cell / 13);
  const column = cell % 13;
  const high = ranks.charAt(Math.min(row, column));
  const low = ranks.charAt(Math.max(row, column));
  const hands: string[] = [];
  for (let a = 0; a < 4; a += 1) {
    for (let b = 0; b < 4; b += 1) {
      const fits = row === column ? a < b : row < column ? a === b : a !== b;
      if (fits) hands.push(high + suits.charAt(a) + low + suits.charAt(b));
    }
  }
  return hands;
});

/** A hand in the one spelling that this page uses: higher card first, then spades before hearts and so on. */
export function canonicalHand(hand: string): string {
  const first = hand.slice(0, 2);
  const second = hand.slice(2, 4);
  const order = (card: string): number => ranks.indexOf(card.charAt(0)) * 4 + suits.indexOf(card.charAt(1));
  return order(first) <= order(second) ? first + second : second + first;
}
