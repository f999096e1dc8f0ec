import { allDominoes, handSize, idOf, pipsOf, seats, type DominoId } from "./dominoes";

/** Where the four hands come from. */
export type DealSource = { readonly seed: number } | { readonly hands: DominoId[][] };

/** A position of a game, as the address holds it. */
export interface TableAddress {
  readonly deal: DealSource;
  readonly declaration: number;
  readonly plays: readonly DominoId[];
}

/** What there is to see before anything is chosen. */
export const firstSeed = 42;
export const firstDeclaration = 6;

/** Reads dominoes like `66.64.50`; what is not a domino ends them. */
export function readDominoes(text: string): DominoId[] {
  const found: DominoId[] = [];
  for (const part of text.split(".")) {
    if (!/^[0-6][0-6]$/.test(part)) break;
    found.push(idOf(Number(part[0]), Number(part[1])));
  }
  return found;
}

export function writeDominoes(ids: readonly DominoId[]): string {
  return ids
    .map(pipsOf)
    .map(({ high, low }) => `${high}${low}`)
    .join(".");
}

function readHands(text: string): DominoId[][] | null {
  const hands = text.split("_").map(readDominoes);
  const dealt = new Set(hands.flat());
  const whole = hands.length === seats.length && hands.every((hand) => hand.length === handSize);
  return whole && dealt.size === allDominoes.length ? hands : null;
}

function readNumber(text: string | null, most: number): number | null {
  return text !== null && /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** The position of an address; what is missing or unreadable is as before anything is chosen. */
export function readTable(query: URLSearchParams): TableAddress {
  const hands = readHands(query.get("hands") ?? "");
  const seed = readNumber(query.get("seed"), Number.MAX_SAFE_INTEGER) ?? firstSeed;
  return {
    deal: hands ? { hands } : { seed },
    declaration: readNumber(query.get("decl"), 9) ?? firstDeclaration,
    plays: readDominoes(query.get("plays") ?? ""),
  };
}

/** Whose hand alone is seen, 0 to 3; null where all are. */
export function readOwn(query: URLSearchParams): number | null {
  return readNumber(query.get("own"), 3);
}

/** What `readTable` reads. */
export function writeTable({ deal, declaration, plays }: TableAddress): Record<string, string | undefined> {
  return {
    seed: "seed" in deal ? String(deal.seed) : undefined,
    hands: "hands" in deal ? deal.hands.map(writeDominoes).join("_") : undefined,
    decl: String(declaration),
    plays: writeDominoes(plays) || undefined,
  };
}
