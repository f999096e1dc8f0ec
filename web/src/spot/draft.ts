import { parse, stringify, type TomlTable } from "smol-toml";
import { splitCards } from "../poker/cards";

export const streets = ["flop", "turn", "river"] as const;
export const sizeKeys = ["oop_bet", "oop_raise", "oop_donk", "ip_bet", "ip_raise"] as const;
export type SizeKey = (typeof sizeKeys)[number];

/** A number as typed; what is not one goes to the server as text, which then says what is wrong at that field. */
export type Typed = string;

/** A spot as the form holds it. Everything is text as typed; tables that the form does not show are kept in `rest`. */
export interface Draft {
  ranges: { oop: string; ip: string };
  board: string[];
  tree: Record<TreeKey, Typed>;
  sizes: Record<(typeof streets)[number], Record<SizeKey, string | null>>;
  solver: Record<SolverKey, Typed>;
  rest: TomlTable;
}

export const treeKeys = [
  "starting_pot",
  "effective_stack",
  "unit",
  "big_blind",
  "rake_rate",
  "rake_cap",
  "add_allin_threshold",
  "force_allin_threshold",
  "merging_threshold",
] as const;
export type TreeKey = (typeof treeKeys)[number];

export const solverKeys = [
  "target_exploitability_pct",
  "max_iterations",
  "algorithm",
  "strategy_bits",
  "regret_bits",
  "precision",
] as const;
export type SolverKey = (typeof solverKeys)[number];

export function emptyDraft(): Draft {
  const sizes = { oop_bet: "50%", oop_raise: "2.5x", oop_donk: null, ip_bet: "50%", ip_raise: "2.5x" };
  return {
    ranges: { oop: "", ip: "" },
    board: [],
    tree: fill(treeKeys, { starting_pot: "60", effective_stack: "470" }),
    sizes: { flop: { ...sizes }, turn: { ...sizes }, river: { ...sizes } },
    solver: fill(solverKeys, { target_exploitability_pct: "0.3" }),
    rest: {},
  };
}

function fill<K extends string>(keys: readonly K[], values: Partial<Record<K, string>>): Record<K, string> {
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? ""])) as Record<K, string>;
}

/** Reads a spec. Throws with the parser's message where it is no TOML. */
export function readToml(text: string): Draft {
  const doc = parse(text);
  const ranges = take(doc, "ranges");
  const cards = take(doc, "cards");
  const tree = take(doc, "tree");
  const bets = take(doc, "bet_sizes");
  const solver = take(doc, "solver");
  const draft = emptyDraft();
  draft.ranges = { oop: word(pull(ranges, "oop")), ip: word(pull(ranges, "ip")) };
  draft.board = splitCards(["flop", "turn", "river"].map((key) => word(pull(cards, key))).join(""));
  draft.tree = Object.fromEntries(treeKeys.map((key) => [key, word(pull(tree, key))])) as Draft["tree"];
  for (const street of streets) {
    const table = take(bets, street);
    for (const key of sizeKeys) {
      const value = pull(table, key);
      const standard = key === "oop_donk" ? null : key.endsWith("bet") ? "50%" : "2.5x";
      draft.sizes[street][key] = value === undefined ? standard : word(value);
    }
    keep(bets, street, table);
  }
  draft.solver = Object.fromEntries(
    solverKeys.map((key) => [key, word(pull(solver, key))]),
  ) as Draft["solver"];
  if (solver["quantization"] === "16bit" || solver["quantization"] === "32bit") {
    const bits = word(pull(solver, "quantization")).replace("bit", "");
    draft.solver.strategy_bits ||= bits;
    draft.solver.regret_bits ||= bits;
  }
  for (const [key, table] of Object.entries({ ranges, cards, tree, bet_sizes: bets, solver }))
    keep(doc, key, table);
  draft.rest = doc;
  return draft;
}

/** Takes a table out of another, as one that may be changed. */
function take(doc: TomlTable, key: string): TomlTable {
  const value = doc[key];
  if (value === undefined || typeof value !== "object" || Array.isArray(value) || value instanceof Date)
    return {};
  delete doc[key];
  return { ...value };
}

function pull(table: TomlTable, key: string): TomlTable[string] | undefined {
  const value = table[key];
  delete table[key];
  return value;
}

/** Puts back what the form did not take. */
function keep(doc: TomlTable, key: string, table: TomlTable): void {
  if (Object.keys(table).length > 0) doc[key] = table;
}

function word(value: TomlTable[string] | undefined): string {
  return value === undefined ? "" : String(value);
}

/** Writes a spec, in the order of the guide. */
export function writeToml(draft: Draft): string {
  const rest = structuredClone(draft.rest);
  const doc: TomlTable = {
    ranges: { oop: draft.ranges.oop, ip: draft.ranges.ip, ...take(rest, "ranges") },
    cards: cards(draft.board),
    tree: { ...typed(draft.tree), ...take(rest, "tree") },
    bet_sizes: sizes(draft, take(rest, "bet_sizes")),
    solver: { ...typed(draft.solver), ...take(rest, "solver") },
    ...rest,
  };
  if (Object.keys(doc["solver"] as TomlTable).length === 0) delete doc["solver"];
  return `${stringify(doc).trim()}\n`;
}

function cards(board: readonly string[]): TomlTable {
  const table: TomlTable = { flop: board.slice(0, 3).join("") };
  if (board.length > 3) table["turn"] = board[3]!;
  if (board.length > 4) table["river"] = board[4]!;
  return table;
}

function sizes(draft: Draft, rest: TomlTable): TomlTable {
  const table: TomlTable = {};
  for (const street of streets) {
    const row: TomlTable = {};
    for (const key of sizeKeys) {
      const value = draft.sizes[street][key];
      if (value !== null && !(street === "flop" && key === "oop_donk")) row[key] = value;
    }
    table[street] = { ...row, ...take(rest, street) };
  }
  return { ...table, ...rest };
}

/** Fields that are shares or multiples of the pot: 5% is 0.05. */
const shares: ReadonlySet<string> = new Set<TreeKey>([
  "rake_rate",
  "add_allin_threshold",
  "force_allin_threshold",
  "merging_threshold",
]);

/**
 * The number that was typed: `0.05`, `.05`, `0,05`, and `5%` where a share is meant or percent are. None if it is no number, or may
 * mean two: `1,000`.
 */
export function numberTyped(key: string, text: string): number | null {
  const [, digits, sign] = /^\s*(-?(?:\d+[.,]?\d*|[.,]\d+))\s*(%?)\s*$/.exec(text) ?? [];
  if (digits === undefined || /\d,\d{3}$/.test(digits)) return null;
  const number = Number(digits.replace(",", "."));
  if (sign !== "%" || key === "target_exploitability_pct") return number;
  // Without the digits that only the division made.
  return shares.has(key) ? Number((number / 100).toPrecision(12)) : null;
}

/** What was typed, as numbers where it is one; what is empty is left out. */
function typed(values: Record<string, Typed>): TomlTable {
  const table: TomlTable = {};
  for (const [key, text] of Object.entries(values)) {
    const plain = text.trim();
    if (plain === "") continue;
    table[key] = numberTyped(key, plain) ?? plain;
  }
  return table;
}
