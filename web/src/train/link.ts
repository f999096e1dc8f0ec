/** What a drill asks, as the address has it. The server reads the same text. */

/** The values of the address that are a drill's own, in the order in which the server prints them. */
export const drillKeys = ["seed", "play", "street", "player", "hands", "line"] as const;

/** The part of an address that the server is asked with. */
export function drillSettings(query: URLSearchParams): string {
  const own = new URLSearchParams();
  for (const key of drillKeys) {
    const value = query.get(key);
    if (value) own.set(key, value);
  }
  return own.toString();
}

/** What is shared: the drill without the session that somebody played of it, nor their clock. */
export function sharedQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(drillSettings(query))]);
}

/** A seed that people can read to each other. */
export function newSeed(random: () => number = Math.random): string {
  return String(1 + Math.floor(random() * 999_999));
}

/** The seconds for an answer; null without a clock. */
export function readClock(query: URLSearchParams): number | null {
  const seconds = Number(query.get("clock"));
  return Number.isInteger(seconds) && seconds >= 3 && seconds <= 300 ? seconds : null;
}

/** Folders that have solutions, each with how many: a drill can ask about all of one. */
export function foldersOf(ids: readonly string[]): { id: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const parts = id.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join("/");
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => ({ id, count }))
    .sort((a, b) => a.id.localeCompare(b.id));
}
