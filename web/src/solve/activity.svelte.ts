import { api } from "../api/client";
import type { Job } from "../api/types";
import { progress } from "./progress";
import { isActive } from "./state";

/** Milliseconds between two looks at solves that are at work. */
const every = 2000;

/** What is being solved, for the navigation: asked for as long as anything is at work. */
class Activity {
  jobs = $state.raw<Job[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The solve that is at work, or the first that waits. */
  get current(): Job | null {
    return this.jobs.find((job) => job.state === "running") ?? this.jobs[0] ?? null;
  }

  /** How far it is, from 0 to 1. */
  get share(): number {
    return this.current ? progress(this.current) : 0;
  }

  /** The solve whose solution this is, if it is still at work. */
  of(solution: string): Job | null {
    return this.jobs.find((job) => job.solution === solution) ?? null;
  }

  /** A solve that was just seen. */
  note(job: Job): void {
    this.take([job, ...this.jobs.filter((each) => each.id !== job.id)]);
  }

  /** A list of solves that was just seen. */
  take(list: readonly Job[]): void {
    this.jobs = list.filter(isActive);
    clearTimeout(this.#timer);
    if (this.jobs.length > 0) this.#timer = setTimeout(() => void this.look(), every);
  }

  async look(): Promise<void> {
    // A server that does not answer is told of by the view that needs it.
    await api.jobs().then(
      (list) => this.take(list),
      () => (this.jobs = []),
    );
  }
}

export const activity = new Activity();
