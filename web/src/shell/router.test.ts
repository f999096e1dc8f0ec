import { expect, test } from "vitest";
import { href, readPlace } from "./router.svelte";

test("an address brings back its path and query", () => {
  const target = href(["browse", "3bet/QsJh2h & more"], { line: "check, bet 94", mode: undefined });
  const place = readPlace(target);
  expect(place.path).toEqual(["browse", "3bet/QsJh2h & more"]);
  expect(Object.fromEntries(place.query)).toEqual({ line: "check, bet 94" });
});

test("an empty or broken address is read without an error", () => {
  expect(readPlace("").path).toEqual([]);
  expect(readPlace("#/browse/%E0%A4%A").path).toEqual(["browse", "%E0%A4%A"]);
});
