import type { Hands } from "../api/types";
import { cellCount, cellOf } from "../poker/matrix";

/** Of one cell of the matrix: its hands, how many of them get here, and means by how often they do after card removal. */
export interface CellSummary {
  /** Where the cell's hands are in the columns. */
  hands: number[];
  combos: number;
  reach: number;
  strategy: number[] | null;
  ev: number | null;
  equity: number | null;
  eqr: number | null;
}

/** The 169 cells of a player's hands in a pot. Means weigh by share, as everywhere. */
export function summarise(hands: Hands, pot: number): CellSummary[] {
  const cells: CellSummary[] = Array.from({ length: cellCount }, () => ({
    hands: [],
    combos: 0,
    reach: 0,
    strategy: null,
    ev: null,
    equity: null,
    eqr: null,
  }));
  hands.hand.forEach((hand, index) => cells[cellOf(hand)]!.hands.push(index));
  for (const cell of cells) {
    for (const index of cell.hands) cell.combos += hands.reach[index] ?? 0;
    cell.reach = cell.hands.length > 0 ? cell.combos / cell.hands.length : 0;
    cell.ev = mean(cell.hands, hands.share, hands.ev);
    cell.equity = mean(cell.hands, hands.share, hands.equity);
    cell.eqr = realised(cell.ev, cell.equity, pot);
    cell.strategy = meanStrategy(cell.hands, hands);
  }
  return cells;
}

/** EQR: what is expected by what the equity is worth. That of several hands is no mean of theirs, in which one without equity has none. */
function realised(ev: number | null, equity: number | null, pot: number): number | null {
  return ev !== null && equity !== null && equity * pot > 0 ? ev / (equity * pot) : null;
}

export function mean(
  indices: readonly number[],
  weights: readonly number[],
  values: readonly (number | null)[],
): number | null {
  let sum = 0;
  let total = 0;
  for (const index of indices) {
    const value = values[index];
    if (value == null) continue;
    const weight = weights[index] ?? 0;
    sum += weight * value;
    total += weight;
  }
  return total > 0 ? sum / total : null;
}

function meanStrategy(indices: readonly number[], hands: Hands): number[] | null {
  const strategy = hands.strategy;
  if (!strategy) return null;
  let sums: number[] | null = null;
  let total = 0;
  for (const index of indices) {
    const row = strategy[index];
    const weight = hands.share[index] ?? 0;
    if (!row || weight <= 0) continue;
    sums ??= row.map(() => 0);
    row.forEach((share, action) => (sums![action]! += weight * share));
    total += weight;
  }
  return sums && total > 0 ? sums.map((sum) => sum / total) : null;
}

/** A player's hands from the best down: which share of the range has at least so much. */
export function distribution(
  hands: Hands,
  values: readonly (number | null)[],
): [share: number, value: number][] {
  const rows = hands.hand
    .map((_, index) => ({ value: values[index], weight: hands.share[index] ?? 0 }))
    .filter((row): row is { value: number; weight: number } => row.value != null && row.weight > 0)
    .sort((a, b) => a.value - b.value);
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  const points: [number, number][] = [];
  let below = 0;
  for (const row of rows) {
    points.push([(below / total) * 100, row.value]);
    below += row.weight;
    points.push([(below / total) * 100, row.value]);
  }
  return points;
}
