import { expect, test } from "vitest";
import type { Node } from "../api/types";
import { changedMost, gain } from "./outcome";

const node = (frequencies: [number, number], own: [number, number]): Node =>
  ({
    player: "ip",
    path: [
      {
        player: "oop",
        choices: ["check", "bet 60"].map((label, at) => ({ label, frequency: frequencies[at] })),
      },
    ],
    actions: ["fold", "call"].map((label, at) => ({ label, frequency: own[at] })),
  }) as unknown as Node;

test("what changed most is on the way to the lock, or at the node if that is free", () => {
  const [before, after] = [node([0.9, 0.1], [0.5, 0.5]), node([0.4, 0.6], [1, 0])];
  expect(changedMost(before, after, true)).toEqual({
    player: "oop",
    step: 0,
    label: "check",
    from: 0.9,
    to: 0.4,
  });
  const free = node([0.85, 0.15], [1, 0]);
  expect(changedMost(before, free, false)).toMatchObject({ player: "ip", step: 1, label: "fold" });
});

test("the one who gains is named", () => {
  expect(gain({ oop: 30, ip: 30 }, { oop: 37, ip: 23 })).toEqual({ player: "oop", from: 30, to: 37 });
  expect(gain({ oop: 30, ip: 30 }, { oop: 29, ip: 31 })).toEqual({ player: "ip", from: 30, to: 31 });
});
