import { ranks, suits } from "../poker/cards";

/** Reads typed cards: `Ks7d2c`, `ks 7d 2c`, `10h`. The cards, or what is wrong with the text. */
export function readBoard(text: string): string[] | string {
  const plain = text.replace(/10/g, "T").replace(/[\s,]+/g, "");
  const cards: string[] = [];
  for (let at = 0; at < plain.length; at += 2) {
    const piece = plain.slice(at, at + 2);
    const card = piece.charAt(0).toUpperCase() + piece.charAt(1).toLowerCase();
    if (card.length < 2 || !ranks.includes(card.charAt(0)) || !suits.includes(card.charAt(1)))
      return `“${piece}” is no card: write them like Ks 7d 2c.`;
    if (cards.includes(card)) return `${card} is there twice.`;
    cards.push(card);
  }
  return cards.length > 5 ? "A board has at most five cards." : cards;
}
