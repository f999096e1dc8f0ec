import type { Seat } from "../api/types";
import type { ToAnswer } from "../poker/amount";
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

/** Rows with every word: as cards of the board, or as the beginning of a word of a kind. `paired` is not `unpaired`. */
export function matching(rows: readonly ReportRow[], words: string): ReportRow[] {
  const wanted = words
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return rows.filter((row) => {
    const board = row.board.join("").toLowerCase();
    const kinds = row.texture
      .flatMap(({ kind }) => [kind, ...kind.split(/\s+/)])
      .map((text) => text.toLowerCase());
    return wanted.every((word) => board.includes(word) || kinds.some((kind) => kind.startsWith(word)));
  });
}

/** Kinds that are picked, by the way to sort boards that they belong to. */
export type Picked = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads `suits:two-tone;suits:rainbow;pairs:paired`. */
export function readPicked(text: string): Picked {
  const picked = new Map<string, Set<string>>();
  for (const part of text.split(";")) {
    const at = part.indexOf(":");
    if (at <= 0) continue;
    const by = part.slice(0, at);
    picked.set(by, (picked.get(by) ?? new Set()).add(part.slice(at + 1)));
  }
  return picked;
}

export function writePicked(picked: Picked): string {
  return [...picked].flatMap(([by, kinds]) => [...kinds].map((kind) => `${by}:${kind}`)).join(";");
}

/** The same with one kind more, or one less if it was picked. */
export function togglePicked(picked: Picked, by: string, kind: string): Picked {
  const next = new Map([...picked].map(([way, kinds]) => [way, new Set(kinds)]));
  const kinds = next.get(by) ?? new Set<string>();
  if (!kinds.delete(kind)) kinds.add(kind);
  if (kinds.size > 0) next.set(by, kinds);
  else next.delete(by);
  return next;
}

/** Rows that have, of each way in which something is picked, one of the picked kinds. */
export function ofKinds(rows: readonly ReportRow[], picked: Picked): ReportRow[] {
  return rows.filter((row) =>
    [...picked].every(([by, kinds]) => row.texture.some((each) => each.by === by && kinds.has(each.kind))),
  );
}

/** The betting at the end of a line, for actions in percent of the pot: what is in the pot, and what is to be answered. */
export function bettingAt(line: string, pot: number): ToAnswer {
  const committed = [0, 0];
  let player = 0;
  for (const step of stepsOf(line)) {
    if (isCardStep(step)) {
      committed.fill(0);
      player = 0;
      continue;
    }
    const { action, amount } = actionOf(step);
    if (action === "call") committed[player] = committed[1 - player]!;
    else if (amount > 0) committed[player] = amount;
    player = 1 - player;
  }
  const [oop = 0, ip = 0] = committed;
  return { pot, stacks: { oop: -oop, ip: -ip }, previous: committed[1 - player] ?? 0 };
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
