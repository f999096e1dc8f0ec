import type { Hands, Node, Seat } from "../api/types";
import { actionColours, heat, stripes } from "../poker/colours";
import { AmountFormat } from "../poker/amount";
import { percent } from "../poker/format";
import { cellNames, cellOf } from "../poker/matrix";
import type { MatrixCell } from "../ui/Matrix13.svelte";
import { isFiltering, noFilter, type Filter } from "./filter";
import { seen } from "./lens";
import { summarise, type CellSummary } from "./summary";

export const modes = ["strategy", "ev", "equity", "eqr", "reach", "exploit"] as const;
export type Mode = (typeof modes)[number];
export const modeNames: Record<Mode, string> = {
  strategy: "Strategy",
  ev: "EV",
  equity: "Equity",
  eqr: "EQR",
  reach: "Reach",
  exploit: "Exploit",
};

export function readMode(text: string | null): Mode {
  return modes.find((mode) => mode === text) ?? "strategy";
}

/** How a matrix is shown besides its mode. */
export interface Look {
  amounts?: AmountFormat;
  /** What actions are called. */
  names?: readonly string[];
  lens?: Filter;
  /** Whether the cell that gets here most is full, and the others in proportion. */
  normalised?: boolean;
}

/** The cells of a player's matrix at a node. What the lens does not let through is dimmed. */
export function matrixCells(
  node: Node,
  seat: Seat,
  mode: Exclude<Mode, "exploit">,
  look: Look = {},
): MatrixCell[] {
  const { amounts = new AmountFormat(node), lens = noFilter, normalised = false } = look;
  const hands: Hands = node.hands[seat];
  const cells = summarise(seen(hands, lens), node.pot);
  const all = isFiltering(lens) ? combos(hands) : null;
  const colours = actionColours(node.actions);
  const labels = look.names ?? node.actions.map((action) => action.label);
  const scale = evScale(cells);
  const most = normalised ? Math.max(1e-9, ...cells.map((cell) => cell.reach)) : 1;
  const ev = (amount: number | null): string => amounts.ev(amount, node.pot, 1);
  return cells.map((cell, index) => {
    const name = cellNames[index]!;
    if (all && all[index]! > 0 && cell.combos <= 0)
      return { fill: "none", height: 0, dim: true, label: `${name}, not among the hands to look at` };
    return paint(cell, name, mode, { colours, labels, scale, ev, seat, most });
  });
}

/** How many combinations of each cell get here. */
function combos(hands: Hands): number[] {
  const counts = cellNames.map(() => 0);
  hands.hand.forEach((hand, index) => (counts[cellOf(hand)]! += hands.reach[index] ?? 0));
  return counts;
}

interface Palette {
  colours: readonly string[];
  labels: readonly string[];
  scale: (ev: number) => number;
  ev: (amount: number | null) => string;
  seat: Seat;
  /** The reach that fills a cell. */
  most: number;
}

function paint(
  cell: CellSummary,
  name: string,
  mode: Exclude<Mode, "exploit">,
  palette: Palette,
): MatrixCell {
  if (cell.hands.length === 0) return { fill: "none", height: 0, label: `${name}, not in the range` };
  if (cell.combos <= 0) return { fill: "none", height: 0, label: `${name}, does not get here` };
  switch (mode) {
    case "strategy":
      if (!cell.strategy)
        return {
          fill: `var(--${palette.seat}-soft)`,
          height: cell.reach / palette.most,
          label: `${name}, ${percent(cell.reach, 0)} gets here`,
        };
      return {
        fill: stripes(cell.strategy, palette.colours),
        height: cell.reach / palette.most,
        label: `${name}: ${cell.strategy.map((share, at) => `${palette.labels[at]} ${percent(share, 0)}`).join(", ")}`,
      };
    case "ev":
      return shaded(name, "EV", cell.ev, cell.ev === null ? 0 : palette.scale(cell.ev), palette.ev(cell.ev));
    case "equity":
      return shaded(name, "equity", cell.equity, cell.equity ?? 0, percent(cell.equity, 0));
    case "eqr":
      return shaded(name, "EQR", cell.eqr, ((cell.eqr ?? 0) - 0.4) / 1.2, percent(cell.eqr, 0));
    case "reach":
      return {
        fill: `var(--${palette.seat}-soft)`,
        height: cell.reach / palette.most,
        note: percent(cell.reach / palette.most, 0),
        label: `${name}, ${cell.combos.toFixed(2)} combinations, ${percent(cell.reach, 0)}`,
      };
  }
}

function shaded(name: string, what: string, value: number | null, place: number, note: string): MatrixCell {
  if (value === null) return { fill: "none", height: 0, label: `${name}, no ${what}` };
  return { fill: heat(place), height: 1, note, label: `${name}, ${what} ${note}` };
}

/** EVs spread over the colours from the worst cell to the best. */
function evScale(cells: readonly CellSummary[]): (ev: number) => number {
  const evs = cells.map((cell) => cell.ev).filter((ev) => ev !== null);
  const low = Math.min(...evs);
  const high = Math.max(...evs);
  return (ev) => (high > low ? (ev - low) / (high - low) : 0.5);
}
