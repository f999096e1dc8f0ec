import { afterEach, expect, test, vi } from "vitest";
import { dominoSet } from "../forty-two/set.svelte";
import { readPlace } from "./router.svelte";
import { forget, keep, keptUnder, recall } from "./stored";
import { visits } from "./visits.svelte";

afterEach(() => vi.unstubAllGlobals());

test("a browser that keeps nothing for the page does not stop it", () => {
  const refuse = (): never => {
    throw new DOMException("the quota has been exceeded", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  keep("a", "1");
  forget("a");
  expect(recall("a")).toBeNull();
  visits.note(readPlace("#/browse/kept%20nowhere"));
  expect(visits.list[0]?.name).toBe("kept nowhere");
  dominoSet.choose("black");
  expect(dominoSet.current).toBe("black");
});

test("without storage there is nothing to recall", () => {
  vi.stubGlobal("localStorage", undefined);
  keep("a", "1");
  expect([recall("a"), keptUnder("a")]).toEqual([null, []]);
});
