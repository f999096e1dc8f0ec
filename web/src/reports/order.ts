import type { Seat } from "../api/types";
import { ranks, suits } from "../poker/cards";
import type { Kind, ReportRow } from "./api";

/** What rows are sorted by: `board`, `weight`, `texture`, `action 2`, `ev oop`, `equity ip`, `eqr ip`, `exploitability`. */
export type SortKey = string;

/** The cards of a board in one number, high cards first when it is sorted downwards. */
function boardRank(board: readonly string[]): number {
  return board.reduce(
    (sum, card) => sum * 52 + (12 - ranks.indexOf(card.charAt(0))) * 4 + (3 - suits.indexOf(card.charAt(1))),
    0,
  );
}

function textureRank(texture: readonly Kind[]): number {
  return -texture.reduce((sum, kind) => sum * 64 + kind.order, 0);
}

export function numberOf(row: ReportRow, key: SortKey): number | null {
  const [what = "", which = ""] = key.split(" ");
  switch (what) {
    case "board":
      return boardRank(row.board);
    case "weight":
      return row.weight;
    case "texture":
      return textureRank(row.texture);
    case "action":
      return row.frequencies[Number(which)] ?? null;
    case "ev":
    case "equity":
    case "eqr":
      return row[what][which === "ip" ? "ip" : "oop"];
    case "exploitability":
      return row.exploitability_pct;
    default:
      return null;
  }
}

/** Sorted by a key; rows without the number come last, equal ones by their board. */
export function sorted(rows: readonly ReportRow[], key: SortKey, down: boolean): ReportRow[] {
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [numberOf(a, key), numberOf(b, key)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (x - y) || boardRank(b.board) - boardRank(a.board);
  });
}

/** Rows of one kind, with the colour that stands for it. */
export interface Grouped {
  readonly kind: string;
  readonly colour: string;
  readonly rows: readonly ReportRow[];
}

/** Enough hues for thirteen high cards, far apart for those next to each other. */
const colours = [
  "#4f8fe8",
  "#e8823a",
  "#45ab72",
  "#c95fc0",
  "#c9a227",
  "#35aab8",
  "#e0586a",
  "#8a7be0",
  "#85a83a",
  "#d08a6a",
  "#6f8fa8",
  "#b06fa0",
  "#9a9a6a",
];

/** Rows by one of the ways to sort boards, in the order of its kinds; all of them together for the empty way. */
export function grouped(rows: readonly ReportRow[], by: string): Grouped[] {
  const found = new Map<string, { order: number; rows: ReportRow[] }>();
  for (const row of rows) {
    const kind = row.texture.find((each) => each.by === by);
    const name = kind?.kind ?? "";
    const group = found.get(name) ?? { order: kind?.order ?? 0, rows: [] };
    group.rows.push(row);
    found.set(name, group);
  }
  return [...found.entries()]
    .sort(([, a], [, b]) => a.order - b.order)
    .map(([kind, group], at) => ({ kind, colour: colours[at % colours.length]!, rows: group.rows }));
}

/** The ways to sort boards that the rows have. */
export function ways(rows: readonly ReportRow[]): string[] {
  return rows[0]?.texture.map((kind) => kind.by) ?? [];
}

/** Rows whose board or kinds have every word in them. */
export function matching(rows: readonly ReportRow[], words: string): ReportRow[] {
  const wanted = words
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return rows.filter((row) => {
    const text = `${row.board.join("")} ${row.texture.map((kind) => kind.kind).join(" ")}`;
    return wanted.every((word) => text.toLowerCase().includes(word));
  });
}

/** The pot at the end of the line, if EV, equity and EQR tell it. */
export function potOf(row: ReportRow, seat: Seat): number | null {
  const [ev, equity, eqr] = [row.ev[seat], row.equity[seat], row.eqr[seat]];
  return ev !== null && equity && eqr ? ev / (equity * eqr) : null;
}

/** The steps of a line. */
export function stepsOf(line: string): string[] {
  return line
    .split(",")
    .map((step) => step.trim())
    .filter(Boolean);
}

const isCardStep = (step: string): boolean => step === "*" || /^[2-9TJQKA][shdc]$/.test(step);

/** The line of one row: each `*` is the card that was dealt there. */
export function lineOfRow(line: string, row: ReportRow): string {
  const steps = stepsOf(line);
  let card = row.board.length - steps.filter(isCardStep).length;
  return steps
    .map((step) => {
      if (!isCardStep(step)) return step;
      card += 1;
      return row.board[card - 1] ?? step;
    })
    .join(", ");
}

/** `bet 94` as a name and an amount. */
export function actionOf(label: string): { action: string; amount: number } {
  const [action = "", amount = "0"] = label.split(" ");
  return { action, amount: Number(amount) || 0 };
}
