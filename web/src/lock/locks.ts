import { parse, stringify, type TomlTable } from "smol-toml";

/** A `[[locks]]` table of a spec. */
export interface LockTable {
  line: string;
  /** Hands with commas between; the whole range if absent. */
  hands?: string;
  /** Only those of them that are of this kind, like `nothing` or `top pair`. */
  kind?: string;
  by?: "merit" | "uniform";
  /** How often actions are taken: by merit, by all hands together. */
  strategy?: Record<string, number> | string;
  /** By merit: how much more often than without the lock. */
  change?: Record<string, number>;
  /** What a solution made of a lock by merit. */
  resolved?: TomlTable;
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

/** Targets by merit with one more: those set before give way where all together would be more than everything. */
export function withTarget(
  targets: Readonly<Record<string, number>>,
  action: string,
  share: number,
): Record<string, number> {
  const others = Object.entries(targets).filter(([name]) => name !== action);
  const sum = others.reduce((total, [, each]) => total + each, 0);
  const room = 1 - share;
  const scale = sum > room ? room / sum : 1;
  const kept = others.map(([name, each]) => [name, Math.round(each * scale * 10_000) / 10_000] as const);
  return { ...Object.fromEntries(kept), [action]: share };
}

/** Lines are the same if their steps are, however they are spaced. */
export function sameLine(a: string, b: string): boolean {
  return plainLine(a) === plainLine(b);
}

function plainLine(line: string): string {
  return line
    .split(",")
    .map((step) => step.trim())
    .filter(Boolean)
    .join(", ");
}

/** The locks of a spec. */
export function locksOf(toml: string): LockTable[] {
  const tables = parse(toml)["locks"];
  if (!Array.isArray(tables)) return [];
  return (tables as TomlTable[]).map(
    (table) => ({ ...table, line: plainLine(String(table["line"] ?? "")) }) as unknown as LockTable,
  );
}

/** A spec with these locks and no others. */
export function withLocks(toml: string, locks: readonly LockTable[]): string {
  const doc = parse(toml);
  if (locks.length > 0) doc["locks"] = locks.map((lock) => ({ ...lock }) as unknown as TomlTable);
  else delete doc["locks"];
  return `${stringify(doc).trim()}\n`;
}

/** Locks with one more. It takes the place of those of the same hands; one of all hands takes that of all at its line. */
export function withLock(locks: readonly LockTable[], lock: LockTable): LockTable[] {
  const isAll = (each: LockTable): boolean => each.hands === undefined && each.kind === undefined;
  const gone = (each: LockTable): boolean =>
    sameLine(each.line, lock.line) &&
    (isAll(lock) || isAll(each) || (each.hands === lock.hands && each.kind === lock.kind));
  return [...locks.filter((each) => !gone(each)), lock];
}

/** What a coach says of some hands, as locks of a line with these actions. */
export function sayingsOf(
  labels: readonly string[],
  line: string,
  whose: Pick<LockTable, "hands" | "kind">,
): { name: string; lock: LockTable }[] {
  const merit = { line, ...whose, by: "merit" as const };
  // A bluff is a hand of its own kind: it is said of the whole range.
  const isAll = whose.hands === undefined && whose.kind === undefined;
  const bets = labels.filter((label) => /^(bet|raise|all-in)/.test(label));
  const none = Object.fromEntries(bets.map((label) => [label, 0]));
  const never = (what: string, bluff: string): { name: string; lock: LockTable }[] =>
    bets.length === 0
      ? []
      : [
          ...(isAll ? [{ name: bluff, lock: { ...merit, kind: "nothing", strategy: none } }] : []),
          { name: what, lock: { ...merit, strategy: none } },
        ];
  if (labels.includes("fold"))
    return [
      { name: "Folds 75%", lock: { ...merit, strategy: { fold: 0.75 } } },
      { name: "Folds 10 points more", lock: { ...merit, change: { fold: 0.1 } } },
      { name: "Calls 10 points more", lock: { ...merit, change: { call: 0.1 } } },
      ...never("Never raises", "Never bluff-raises"),
    ];
  return [
    ...never("Never bets", "Never bluffs"),
    { name: "Checks 10 points more", lock: { ...merit, change: { check: 0.1 } } },
  ];
}

/** What a lock says, in words: `all hands: fold 75%`; its actions as they are shown, in whatever unit. */
export function saying(lock: LockTable, shown: (action: string) => string = (action) => action): string {
  const who = [lock.kind, shortened(lock.hands)].filter(Boolean).join(" of ") || "all hands";
  if (typeof lock.strategy === "string") return `${who}: always ${shown(lock.strategy)}`;
  const points = (number: number): string => `${number > 0 ? "+" : ""}${tidy(number * 100)} points`;
  const does = lock.change
    ? Object.entries(lock.change).map(([action, number]) => `${shown(action)} ${points(number)}`)
    : Object.entries(lock.strategy ?? {}).map(
        ([action, number]) => `${shown(action)} ${tidy(number * 100)}%`,
      );
  return `${who}: ${does.join(", ")}${lock.by === "merit" ? "" : ", all alike"}`;
}

const tidy = (number: number): string => String(Math.round(number * 10) / 10);

function shortened(hands: string | undefined): string | undefined {
  if (hands === undefined || hands.length <= 24) return hands;
  return `${hands.split(",").length} hands`;
}
