import { parse, stringify, type TomlTable } from "smol-toml";

/** Hands that are to be bound at a line, each to shares of the actions there. */
export interface LineLock {
  line: string;
  /** Labels like `bet 60`, in the order of the shares. */
  actions: readonly string[];
  hands: ReadonlyMap<string, readonly number[]>;
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
  const groups = new Map<string, { hands: string[]; strategy: TomlTable }>();
  for (const [hand, shares] of lock.hands) {
    const strategy: TomlTable = {};
    rounded(shares).forEach((share, at) => {
      if (share > 0) strategy[lock.actions[at]!] = share;
    });
    const key = JSON.stringify(strategy);
    const group = groups.get(key) ?? { hands: [], strategy };
    group.hands.push(hand);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    line: lock.line,
    hands: group.hands.join(","),
    strategy: group.strategy,
  }));
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
