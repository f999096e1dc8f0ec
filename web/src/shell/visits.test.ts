import { expect, test } from "vitest";
import { readPlace } from "./router.svelte";
import { visitOf } from "./visits.svelte";

test("places that are worth coming back to have a name", () => {
  const name = (hash: string): string | undefined => visitOf(readPlace(hash))?.name;
  expect(name("#/browse/a%20b?line=check")).toBe("a b");
  expect(name("#/browse/example%3Aflop")).toBe("flop");
  expect(name("#/reports/batch/~?line=check")).toBe("the library");
  expect(name("#/spot?s=abc&name=BTN%20vs%20BB")).toBe("BTN vs BB");
  for (const hash of ["", "#/browse", "#/reports", "#/spot", "#/library", "#/solve/3"])
    expect(name(hash)).toBeUndefined();
});
