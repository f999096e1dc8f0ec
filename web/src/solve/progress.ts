import type { Job } from "../api/types";

/** How far a job is from 0 to 1: on the logarithm of the exploitability from the pot to the target, or by iterations if that is further. */
export function progress(job: Job): number {
  if (job.state === "done") return 1;
  const byIteration = job.max_iterations > 0 ? job.iteration / job.max_iterations : 0;
  const reached = job.exploitability_pct;
  if (reached == null || job.target_pct <= 0) return Math.min(1, byIteration);
  const start = Math.log(Math.max(job.history[0]?.exploitability_pct ?? 30, reached, job.target_pct * 2));
  const end = Math.log(job.target_pct);
  const byTarget = (start - Math.log(Math.max(reached, job.target_pct))) / (start - end);
  return Math.max(0, Math.min(1, Math.max(byIteration, byTarget)));
}
