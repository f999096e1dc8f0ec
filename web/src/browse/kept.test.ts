import { afterEach, expect, test, vi } from "vitest";
import { draftOf } from "../lock/draft.svelte";
import { readPlace } from "../shell/router.svelte";
import { visits } from "../shell/visits.svelte";
import { deleted, forgetDeleted, noteWritten, replaced, solvedFurther, takenBack } from "./kept";
import { nodes } from "./nodes";

afterEach(() => vi.unstubAllGlobals());

/** A browser that keeps what it is given. */
function stored(): void {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, text: string) => void (kept[key] = text),
    removeItem: (key: string) => void delete kept[key],
  };
  // Only what is kept is listed.
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(kept, name, { value, enumerable: false });
  vi.stubGlobal("localStorage", kept);
}

/** A server that numbers its answers. */
function numbered(): void {
  let asked = 0;
  vi.stubGlobal("fetch", () => {
    asked += 1;
    const body = JSON.stringify({ line: "", asked });
    return Promise.resolve(new Response(body, { headers: { "content-type": "application/json" } }));
  });
}

test("a solution that was written again is asked for again, and only that one", async () => {
  numbered();
  const other = await nodes.get("spot b", "");
  const old = await nodes.get("spot", "");
  expect(noteWritten({ id: "spot", modified: "1" })).toBe(false);
  expect(noteWritten({ id: "spot", modified: "1" })).toBe(false);
  expect(nodes.peek("spot", "")).toBe(old);
  expect(noteWritten({ id: "spot", modified: "2" })).toBe(true);
  expect(nodes.peek("spot", "")).toBeUndefined();
  expect(await nodes.get("spot", "")).not.toEqual(old);
  expect(nodes.peek("spot b", "")).toBe(other);
});

test("an answer about the old file that comes late is not kept", async () => {
  numbered();
  const late = nodes.get("late", "");
  solvedFurther("late");
  await late;
  expect(nodes.peek("late", "")).toBeUndefined();
});

test("locks that are being made outlive a solve that goes on, and not their solution", () => {
  const draft = draftOf("locked");
  draft.toml = "old";
  solvedFurther("locked");
  expect(draftOf("locked")).toBe(draft);
  expect(draft.toml).toBe("");
  replaced("locked");
  expect(draftOf("locked")).not.toBe(draft);
});

test("a deleted solution that is taken back has its locks and is among what was open last", () => {
  stored();
  const toml = '[ranges]\noop = "AA"\n';
  const locks = (id: string): number => {
    const draft = draftOf(id);
    draft.take(toml);
    return draft.tables.length;
  };
  expect(locks("gone")).toBe(0);
  draftOf("gone").put({ line: "", by: "merit", strategy: { check: 1 } });
  visits.note(readPlace("#/browse/gone?line=check"));
  deleted("gone");
  // Another of the same name has neither.
  expect([locks("gone"), visits.of("gone")]).toEqual([0, undefined]);
  takenBack("gone", "gone-2");
  expect([locks("gone-2"), visits.of("gone-2")]).toEqual([1, "#/browse/gone-2?line=check"]);
  deleted("gone-2");
  forgetDeleted();
  takenBack("gone-2", "gone-2");
  expect([locks("gone-2"), visits.of("gone-2")]).toEqual([0, undefined]);
});
