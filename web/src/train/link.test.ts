import { expect, test } from "vitest";
import { drillSettings, foldersOf, newSeed, readClock, sharedQuery } from "./link";

test("the server gets what is the drill's own, and nothing else", () => {
  const query = new URLSearchParams(
    "unit=bb&session=4&hands=top pair&seed=7&clock=15&street=&line=check, bet 94",
  );
  expect(drillSettings(query)).toBe("seed=7&hands=top+pair&line=check%2C+bet+94");
  expect(sharedQuery(query)).toEqual({ seed: "7", hands: "top pair", line: "check, bet 94" });
  expect(drillSettings(new URLSearchParams())).toBe("");
});

test("a seed is a whole number that is easy to say", () => {
  expect([newSeed(() => 0), newSeed(() => 0.999_999_9)]).toEqual(["1", "999999"]);
});

test("a clock has from 3 to 300 seconds, or is not there", () => {
  const clock = (text: string): number | null => readClock(new URLSearchParams({ clock: text }));
  expect([clock("15"), clock("2"), clock("301"), clock("1.5"), clock("soon")]).toEqual([
    15,
    null,
    null,
    null,
    null,
  ]);
  expect(readClock(new URLSearchParams())).toBeNull();
});

test("folders with more than one solution can be trained as one", () => {
  expect(foldersOf(["a", "flops/x", "flops/y", "flops/wet/z", "alone/b"])).toEqual([
    { id: "flops", count: 3 },
  ]);
});
