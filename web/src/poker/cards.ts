/** Ranks from the highest down, as the matrix shows them. */
export const ranks = "AKQJT98765432";
/** Suits in the order in which cards are listed. */
export const suits = "shdc";

const signs: Record<string, string> = { s: "♠", h: "♥", d: "♦", c: "♣" };
// The four-colour deck; dark enough for white text.
const colours: Record<string, string> = { s: "#3a4350", h: "#b3302f", d: "#2563b0", c: "#2a7a45" };

export function suitSign(card: string): string {
  return signs[card.charAt(1)] ?? "?";
}

export function suitColour(card: string): string {
  return colours[card.charAt(1)] ?? "#555";
}

/** `Qs` as `Q♠`. */
export function pretty(card: string): string {
  return card.charAt(0) + suitSign(card);
}

/** Every card, by rank from the ace down, then by suit. */
export const deck: readonly string[] = [...ranks].flatMap((rank) => [...suits].map((suit) => rank + suit));

export function isCard(text: string): boolean {
  return text.length === 2 && ranks.includes(text.charAt(0)) && suits.includes(text.charAt(1));
}

/** The cards of `QsJh2h`, spaces and commas ignored; what is not a card ends it. */
export function splitCards(text: string): string[] {
  const plain = text.replace(/[\s,]/g, "");
  const cards: string[] = [];
  for (let at = 0; at + 2 <= plain.length; at += 2) {
    const card = plain.charAt(at).toUpperCase() + plain.charAt(at + 1).toLowerCase();
    if (!isCard(card)) break;
    cards.push(card);
  }
  return cards;
}
