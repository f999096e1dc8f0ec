import type { WeightedHand } from "../api/types";
import { canonicalHand, cellHands, cellNames, type CellIndex } from "./matrix";

/** A weight from 0 to 1 for each of the 1326 hands, in the order of the cells. */
export type Weights = Float64Array;

export const allHands: readonly string[] = cellHands.flat();

const indexOfHand = new Map(allHands.map((hand, index) => [hand, index]));

const firstOfCell: readonly number[] = cellHands.map((_, cell) =>
  cellHands.slice(0, cell).reduce((sum, hands) => sum + hands.length, 0),
);

export function emptyWeights(): Weights {
  return new Float64Array(allHands.length);
}

export function fromHands(hands: readonly WeightedHand[]): Weights {
  const weights = emptyWeights();
  for (const { hand, weight } of hands) {
    const index = indexOfHand.get(canonicalHand(hand));
    if (index !== undefined) weights[index] = weight;
  }
  return weights;
}

export function toHands(weights: Weights): WeightedHand[] {
  const hands: WeightedHand[] = [];
  allHands.forEach((hand, index) => {
    const weight = weights[index]!;
    if (weight > 0) hands.push({ hand, weight });
  });
  return hands;
}

/** Where the hands of a cell are. */
export function indicesOf(cell: CellIndex): number[] {
  return cellHands[cell]!.map((_, at) => firstOfCell[cell]! + at);
}

/** The mean weight of the hands of a cell. */
export function cellWeight(weights: Weights, cell: CellIndex): number {
  const indices = indicesOf(cell);
  return indices.reduce((sum, index) => sum + weights[index]!, 0) / indices.length;
}

/** How many combinations a range has, weights counted. */
export function combos(weights: Weights): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** The hands that a stroke with shift paints: all pairs, or all suited or offsuit hands with the same high card. */
export function wholeRow(cell: CellIndex): CellIndex[] {
  const row = Math.floor(cell / 13);
  const column = cell % 13;
  const steps = Array.from({ length: 13 }, (_, step) => step);
  if (row === column) return steps.map((step) => step * 14);
  if (row < column) return steps.filter((step) => step > row).map((step) => row * 13 + step);
  return steps.filter((step) => step > column).map((step) => step * 13 + column);
}

/** A range as text, cell by cell; hands of a cell that differ are written out. The server's normal form is shorter. */
export function printRange(weights: Weights): string {
  const groups: string[] = [];
  cellNames.forEach((name, cell) => {
    const indices = indicesOf(cell);
    const first = weights[indices[0]!]!;
    if (indices.every((index) => weights[index] === first)) {
      if (first > 0) groups.push(name + suffix(first));
      return;
    }
    for (const index of indices)
      if (weights[index]! > 0) groups.push(allHands[index]! + suffix(weights[index]!));
  });
  return groups.join(",");
}

function suffix(weight: number): string {
  return weight >= 1 ? "" : `:${Number(weight.toFixed(4))}`;
}
