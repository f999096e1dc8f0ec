import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SpotState } from "./spot.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  const answer = { hands: [], combos: 0, text: "", valid: true };
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } }),
    ),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an emptied name is a step like others: undo goes through it and on", () => {
  const spot = new SpotState();
  spot.load('[ranges]\noop = "AA"\nip = "KK"\n', "first");
  const noted = (name: string): void => {
    spot.name = name;
    // What is on the page is noted before anything is put in its place.
    spot.load(spot.toml, name);
  };
  noted("");
  noted("third");
  spot.undo();
  expect(spot.name).toBe("");
  spot.undo();
  expect(spot.name).toBe("first");
  spot.redo();
  expect(spot.name).toBe("");
});
