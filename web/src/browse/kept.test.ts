import { afterEach, expect, test, vi } from "vitest";
import { draftOf } from "../lock/draft.svelte";
import { noteWritten, replaced, solvedFurther } from "./kept";
import { nodes } from "./nodes";

afterEach(() => vi.unstubAllGlobals());

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
