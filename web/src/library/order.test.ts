import { expect, test } from "vitest";
import type { SolutionSummary } from "../api/types";
import { found, inFolders, sortedBy } from "./order";

const solution = (id: string, more: Partial<SolutionSummary> = {}): SolutionSummary => ({
  id,
  name: id.split("/").at(-1)!,
  bytes: 10,
  modified: "2026-01-01T00:00:00Z",
  flop: "QsJh2h",
  turn: null,
  river: null,
  unit: "chips",
  pot: 60,
  stack: 470,
  iterations: 10,
  exploitability_pct: 0.3,
  algorithm: "dcfr",
  strategy_bits: 16,
  regret_bits: 16,
  saved_streets: "full",
  locks: 0,
  tags: [],
  note: "",
  bookmarks: [],
  ...more,
});
const ids = (of: readonly SolutionSummary[]): string[] => of.map((each) => each.id);
const all = [
  solution("b", { bytes: 30, modified: "2026-03-01T00:00:00Z", tags: ["Study"] }),
  solution("deep/a", { exploitability_pct: null, note: "check again" }),
  solution("flops/QsJh2h", { bytes: 20, exploitability_pct: 0.1 }),
];

test("words are looked for everywhere, tags by their sign", () => {
  expect(ids(found(all, "again deep"))).toEqual(["deep/a"]);
  expect(ids(found(all, "#study"))).toEqual(["b"]);
  expect(ids(found(all, "#stud"))).toEqual([]);
  expect(found(all, " ")).toHaveLength(3);
});

test("solutions sort by each column, those that were not measured as the worst", () => {
  expect(ids(sortedBy(all, "name", true))).toEqual(["deep/a", "b", "flops/QsJh2h"]);
  expect(ids(sortedBy(all, "saved", false))[0]).toBe("b");
  expect(ids(sortedBy(all, "exploitability", true))).toEqual(["flops/QsJh2h", "b", "deep/a"]);
  expect(ids(sortedBy(all, "size", false))).toEqual(["b", "flops/QsJh2h", "deep/a"]);
});

test("folders come in order, and those of batches are known", () => {
  expect(inFolders(all, new Set(["flops"])).map(({ path, batch }) => [path, batch])).toEqual([
    ["", false],
    ["deep", false],
    ["flops", true],
  ]);
});
