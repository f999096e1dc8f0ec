/** What a drill of Texas 42 asks, as the address has it. The server reads the same text. */

const keys = ["seed", "seat", "decl", "worlds"] as const;

/** The part of an address that the server is asked with. */
export function drillSettings(query: URLSearchParams): string {
  const own = new URLSearchParams();
  for (const key of keys) {
    const value = query.get(key);
    if (value) own.set(key, value);
  }
  return own.toString();
}

/** What is shared: the drill without the session that somebody played of it. */
export function sharedQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(drillSettings(query))]);
}
