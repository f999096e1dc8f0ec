import type { Job } from "../api/types";

/** The most iterations that the server takes. */
export const mostIterations = 1_000_000_000;

/** When a solve is to end. */
export interface Goal {
  target_pct: number;
  max_iterations: number;
}

/** How a solve that is done may go on: half the target if that was reached, twice the iterations if those were made. */
export function nextGoal(
  job: Pick<Job, "exploitability_pct" | "target_pct" | "iteration" | "max_iterations">,
): Goal {
  const reached =
    job.target_pct > 0 && job.exploitability_pct != null && job.exploitability_pct <= job.target_pct;
  const used = job.iteration >= job.max_iterations;
  return {
    target_pct: reached ? Number((job.target_pct / 2).toPrecision(2)) : job.target_pct,
    max_iterations: used ? Math.min(2 * job.max_iterations, mostIterations) : job.max_iterations,
  };
}

/** What was typed as a goal; null if it is none. */
export function readGoal(target: string, iterations: string): Goal | null {
  const goal = { target_pct: Number(target), max_iterations: Number(iterations) };
  const isTarget = target.trim() !== "" && goal.target_pct >= 0 && goal.target_pct <= 100;
  const isCount =
    Number.isInteger(goal.max_iterations) &&
    goal.max_iterations >= 1 &&
    goal.max_iterations <= mostIterations;
  return isTarget && isCount ? goal : null;
}
