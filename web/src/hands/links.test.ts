import { expect, test } from "vitest";
import { readPlace } from "../shell/router.svelte";
import type { Decision, Hand } from "./api";
import { browseAt, handOf, wasPlayed } from "./links";

test("a decision is found in Browse with what was played", () => {
  const decision = { solution: "hands/QsJh2h-1", line: "check", played: "bet 40", hole: "AhAd" } as Decision;
  const hand = { solution: { line: "check, bet 40, call" } } as Hand;
  const place = readPlace(browseAt(decision, hand, 3, 0));
  expect(place.path).toEqual(["browse", "hands/QsJh2h-1"]);
  expect(Object.fromEntries(place.query)).toEqual({
    line: "check",
    played: "check, bet 40, call",
    unit: "bb",
    cell: "0",
    from: "3/0",
  });
  expect(readPlace(browseAt(decision)).query.get("played")).toBe("check, bet 40");
  expect(readPlace(browseAt({ ...decision, line: "" })).query.get("played")).toBe("bet 40");
});

test("lines that begin what was played are part of it", () => {
  const played = "check, bet 40, call";
  expect(
    ["", "check", "check, bet 4", "check, bet 40", played].map((line) => wasPlayed(line, played)),
  ).toEqual([false, true, false, true, true]);
});

test("the way back leads to a hand, or nowhere", () => {
  expect(handOf("3/0")).toBe("#/hands/3/0");
  expect([null, "", "3", "a/b", "3/x"].map(handOf)).toEqual([null, null, null, null, null]);
});
