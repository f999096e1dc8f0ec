/** Dominoes are numbered by their high pip, then the low one: 0-0 is 0, 1-0 is 1, 1-1 is 2, … 6-6 is 27. */
export type DominoId = number;

export interface Pips {
  readonly high: number;
  readonly low: number;
}

const faces: readonly Pips[] = Array.from({ length: 7 }, (_, high) =>
  Array.from({ length: high + 1 }, (_, low) => ({ high, low })),
).flat();

/** Every domino by its number. */
export const allDominoes: readonly DominoId[] = faces.map((_, id) => id);

export const handSize = 7;
export const seats: readonly number[] = [0, 1, 2, 3];

export function pipsOf(id: DominoId): Pips {
  return faces[id] ?? { high: 0, low: 0 };
}

/** `6-4`. */
export function nameOf(id: DominoId): string {
  const { high, low } = pipsOf(id);
  return `${high}-${low}`;
}

/** The points that it counts: 10 for 5-5 and 6-4, 5 for 5-0, 4-1 and 3-2. */
export function countOf(id: DominoId): 0 | 5 | 10 {
  const { high, low } = pipsOf(id);
  const pips = high + low;
  return pips === 5 || pips === 10 ? pips : 0;
}

export function idOf(a: number, b: number): DominoId {
  const [high, low] = a < b ? [b, a] : [a, b];
  return (high * (high + 1)) / 2 + low;
}

/** Seats 0 and 2 against 1 and 3. */
export function teamOf(seat: number): 0 | 1 {
  return seat % 2 === 0 ? 0 : 1;
}

/** `+12`, `0`, `−8`: with a real minus sign. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}
