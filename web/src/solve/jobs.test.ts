import { expect, test } from "vitest";
import { joinHistory } from "./jobs.svelte";

test("measurements are joined in order, and once each", () => {
  const point = (iteration: number) => ({
    iteration,
    seconds: iteration / 10,
    exploitability_pct: 1 / iteration,
  });
  expect(joinHistory([point(10), point(20)], [point(20), point(30)]).map((each) => each.iteration)).toEqual([
    10, 20, 30,
  ]);
});
