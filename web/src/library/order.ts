import type { SolutionSummary } from "../api/types";

export const sortKeys = ["name", "saved", "exploitability", "size"] as const;
export type LibrarySort = (typeof sortKeys)[number];

/** Solutions of one folder. */
export interface LibraryFolder {
  /** Its path; empty for the library itself. */
  path: string;
  /** Whether a batch has made it: such a folder begins closed. */
  batch: boolean;
  solutions: SolutionSummary[];
}

export const folderOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf("/")));

/** Solutions that have every word in their name, board, tags or note; `#tag` asks for the tag alone. */
export function found(solutions: readonly SolutionSummary[], words: string): SolutionSummary[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return solutions.filter((each) => {
    const tags = each.tags.map((tag) => tag.toLowerCase());
    const text =
      `${each.id} ${each.flop}${each.turn ?? ""}${each.river ?? ""} ${tags.join(" ")} ${each.note}`.toLowerCase();
    return wanted.every((word) =>
      word.startsWith("#") ? tags.includes(word.slice(1)) : text.includes(word),
    );
  });
}

export function sortedBy(
  solutions: readonly SolutionSummary[],
  key: LibrarySort,
  up: boolean,
): SolutionSummary[] {
  const value = (each: SolutionSummary): number | string => {
    switch (key) {
      case "name":
        return each.name.toLowerCase();
      case "saved":
        return each.modified;
      case "exploitability":
        return each.exploitability_pct ?? Infinity;
      case "size":
        return each.bytes;
    }
  };
  const sign = up ? 1 : -1;
  return [...solutions].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x < y ? -sign : x > y ? sign : a.id.localeCompare(b.id);
  });
}

/** By folder, the library itself first, then by path. */
export function inFolders(
  solutions: readonly SolutionSummary[],
  batches: ReadonlySet<string>,
): LibraryFolder[] {
  const folders = new Map<string, SolutionSummary[]>();
  for (const each of solutions) {
    const path = folderOf(each.id);
    folders.set(path, [...(folders.get(path) ?? []), each]);
  }
  return [...folders]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([path, inside]) => ({ path, batch: batches.has(path || "~"), solutions: inside }));
}
