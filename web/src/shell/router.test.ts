import { expect, test } from "vitest";
import { grown, href, readPlace, stem } from "./router.svelte";

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

test("addresses that differ in the line alone have the same stem", () => {
  const [here, there] = ["check", "check, bet 94"].map((line) =>
    readPlace(href(["browse", "a b"], { line, mode: "ev" })),
  );
  expect(stem(here!, "line")).toBe(stem(there!, "line"));
  expect(readPlace(grown(stem(here!, "line"), "line", "check, bet 94"))).toEqual(
    readPlace(href(["browse", "a b"], { mode: "ev", line: "check, bet 94" })),
  );
  expect(grown(stem(there!, "line"), "line", "")).toBe("#/browse/a%20b?mode=ev");
  expect(grown("#/browse/a", "line", "fold")).toBe("#/browse/a?line=fold");
});
