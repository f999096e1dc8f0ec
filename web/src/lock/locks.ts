import { parse, stringify, type TomlTable } from "smol-toml";
import { canonicalHand, cellHands, cellNames } from "../poker/matrix";

/** Hands that are to be bound at a line, each to shares of the actions there. */
export interface LineLock {
  line: string;
  /** Labels like `bet 60`, in the order of the shares. */
  actions: readonly string[];
  hands: ReadonlyMap<string, readonly number[]>;
  /** All hands that the player has there. */
  range: readonly string[];
  board: readonly string[];
}

/** Shares with four digits that add up to exactly 1. */
export function rounded(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total <= 0) return shares.map((_, at) => (at === 0 ? 1 : 0));
  const steps = shares.map((share) => Math.round((share / total) * 10_000));
  const largest = steps.indexOf(Math.max(...steps));
  steps[largest]! += 10_000 - steps.reduce((sum, step) => sum + step, 0);
  return steps.map((step) => step / 10_000);
}

/** One share is set; the others keep their proportions in what is left. */
export function withShare(shares: readonly number[], action: number, share: number): number[] {
  const rest = shares.reduce((sum, each, at) => (at === action ? sum : sum + each), 0);
  const left = 1 - share;
  return shares.map((each, at) => {
    if (at === action) return share;
    return rest > 0 ? (each / rest) * left : left / (shares.length - 1);
  });
}

/** The `[[locks]]` tables of a line: hands that do the same go together. */
export function lockTables(lock: LineLock): TomlTable[] {
  const groups = new Map<string, { hands: Set<string>; strategy: TomlTable }>();
  for (const [hand, shares] of lock.hands) {
    const strategy: TomlTable = {};
    rounded(shares).forEach((share, at) => {
      if (share > 0) strategy[lock.actions[at]!] = share;
    });
    const key = JSON.stringify(strategy);
    const group = groups.get(key) ?? { hands: new Set(), strategy };
    group.hands.add(hand);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ hands, strategy }) =>
    handTexts(hands, lock).map((text) => ({
      line: lock.line,
      ...(text === null ? {} : { hands: text }),
      strategy,
    })),
  );
}

/**
 * Hands as the texts of one table each: null for the whole range, kinds of hands together, and single hands alone: the program writes several hands of a
 * kind as the kind with weights, which a lock does not take.
 */
function handTexts(hands: ReadonlySet<string>, lock: LineLock): (string | null)[] {
  if (lock.range.length > 0 && lock.range.every((hand) => hands.has(canonicalHand(hand)))) return [null];
  const kinds: string[] = [];
  const single: string[] = [];
  cellHands.forEach((all, cell) => {
    const possible = all.filter((hand) => !lock.board.some((card) => hand.includes(card)));
    const bound = possible.filter((hand) => hands.has(hand));
    if (bound.length === possible.length && bound.length > 0) kinds.push(cellNames[cell]!);
    else single.push(...bound);
  });
  return [...(kinds.length > 0 ? [kinds.join(",")] : []), ...single];
}

/** Lines are the same if their steps are, however they are spaced. */
export function sameLine(a: string, b: string): boolean {
  const steps = (line: string): string =>
    line
      .split(",")
      .map((step) => step.trim())
      .filter(Boolean)
      .join(", ");
  return steps(a) === steps(b);
}

/** A spec with these locks; its own locks of other lines stay, those of the same lines are replaced. */
export function withLocks(toml: string, locks: readonly LineLock[]): string {
  const doc = parse(toml);
  const own = Array.isArray(doc["locks"]) ? (doc["locks"] as TomlTable[]) : [];
  const others = own.filter(
    (table) => !locks.some((lock) => sameLine(String(table["line"] ?? ""), lock.line)),
  );
  const all = [...others, ...locks.flatMap(lockTables)];
  if (all.length > 0) doc["locks"] = all;
  else delete doc["locks"];
  return `${stringify(doc).trim()}\n`;
}

/** The locks that a spec has at a line. */
export function locksAt(toml: string, line: string): { hands: string | null; strategy: unknown }[] {
  const tables = parse(toml)["locks"];
  if (!Array.isArray(tables)) return [];
  return (tables as TomlTable[])
    .filter((table) => sameLine(String(table["line"] ?? ""), line))
    .map((table) => ({
      hands: table["hands"] === undefined ? null : String(table["hands"]),
      strategy: table["strategy"],
    }));
}
