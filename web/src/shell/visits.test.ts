import { expect, test } from "vitest";
import { readPlace } from "./router.svelte";
import { visitOf, visits } from "./visits.svelte";

test("places that are worth coming back to have a name", () => {
  const name = (hash: string): string | undefined => visitOf(readPlace(hash))?.name;
  expect(name("#/browse/a%20b?line=check")).toBe("a b");
  expect(name("#/browse/example%3Aflop")).toBe("flop");
  expect(name("#/reports/batch/~?line=check")).toBe("the library");
  expect(name("#/spot?s=abc&name=BTN%20vs%20BB")).toBe("BTN vs BB");
  for (const hash of ["", "#/browse", "#/reports", "#/spot", "#/library", "#/solve/3"])
    expect(name(hash)).toBeUndefined();
});

test("a renamed solution is found under its new name, and one that is gone is not listed", () => {
  visits.note(readPlace("#/browse/old%20one?line=check"));
  visits.note(readPlace("#/browse/other"));
  visits.rename("old one", "new");
  const listed = () => visits.list.map(({ name, target }) => [name, target]);
  expect(listed()).toEqual([
    ["other", "#/browse/other"],
    ["new", "#/browse/new?line=check"],
  ]);
  visits.forget("other");
  expect(listed()).toEqual([["new", "#/browse/new?line=check"]]);
});
