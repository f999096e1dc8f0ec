import { expect, test } from "vitest";
import { nextGoal, readGoal } from "./goal";

test("a solve that has reached its target goes on to half of it", () => {
  const job = { exploitability_pct: 0.49, target_pct: 0.5, iteration: 80, max_iterations: 1000 };
  expect(nextGoal(job)).toEqual({ target_pct: 0.25, max_iterations: 1000 });
});

test("a solve that has made its iterations goes on to twice as many", () => {
  const job = { exploitability_pct: 0.8, target_pct: 0.5, iteration: 1000, max_iterations: 1000 };
  expect(nextGoal(job)).toEqual({ target_pct: 0.5, max_iterations: 2000 });
  expect(nextGoal({ ...job, target_pct: 0 }).target_pct).toBe(0);
  expect(nextGoal({ ...job, iteration: 1e9, max_iterations: 1e9 }).max_iterations).toBe(1e9);
});

test("what is no goal is not sent", () => {
  expect(readGoal("0.1", "500")).toEqual({ target_pct: 0.1, max_iterations: 500 });
  for (const [target, iterations] of [
    ["", "500"],
    ["-1", "500"],
    ["101", "500"],
    ["x", "500"],
    ["0.1", ""],
    ["0.1", "1.5"],
    ["0.1", "0"],
    ["0.1", "1e10"],
  ] as const)
    expect(readGoal(target, iterations)).toBeNull();
});
