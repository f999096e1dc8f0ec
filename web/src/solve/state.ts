import type { Job, JobState } from "../api/types";

const active: readonly JobState[] = ["queued", "running", "stopping"];

/** Whether a solve is at work, or waits to be. */
export function isActive(job: Job): boolean {
  return active.includes(job.state);
}
