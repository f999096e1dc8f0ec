import { api, follow, messageOf } from "../api/client";
import type { HistoryPoint, Job } from "../api/types";
import { solvedFurther } from "../browse/kept";
import { activity } from "./activity.svelte";
import { isActive } from "./state";

/** How often the list is asked for while the view is open, in milliseconds; the chosen job is followed live. */
const listEvery = 2000;

/** Old measurements with new ones added; a measurement that comes twice counts once. */
export function joinHistory(old: readonly HistoryPoint[], more: readonly HistoryPoint[]): HistoryPoint[] {
  const byIteration = new Map(old.map((point) => [point.iteration, point]));
  for (const point of more) byIteration.set(point.iteration, point);
  return [...byIteration.values()].sort((a, b) => a.iteration - b.iteration);
}

/** All jobs, and one that is watched. */
export class Jobs {
  list = $state.raw<Job[]>([]);
  chosen = $state.raw<Job | null>(null);
  loaded = $state(false);
  /** What went wrong with the last thing that was done to a job: shown until something else is done. */
  #refused = $state("");
  /** What went wrong with the last look. */
  #unseen = $state("");

  #stopFollowing: (() => void) | undefined;
  #watched = "";

  get trouble(): string {
    return this.#refused || this.#unseen;
  }

  /** Keeps the list fresh until the returned function is called. */
  keepFresh(): () => void {
    void this.refresh();
    const timer = setInterval(() => void this.refresh(), listEvery);
    return () => {
      clearInterval(timer);
      this.unwatch();
    };
  }

  async refresh(): Promise<void> {
    await this.#look(async () => {
      this.#take(await api.jobs());
      this.loaded = true;
      const fresh = this.list.find((job) => job.id === this.#watched);
      // A job that was resumed from elsewhere is followed again.
      if (fresh && isActive(fresh) && !this.#stopFollowing) await this.watch(this.#watched);
    });
  }

  async watch(id: string): Promise<void> {
    // What is on the screen stays until there is something newer.
    const shown = this.chosen?.id === id ? this.chosen : null;
    if (this.#watched && this.#watched !== id) this.#refused = "";
    this.unwatch();
    this.chosen = shown;
    this.#watched = id;
    await this.#look(async () => {
      const job = await api.job(id);
      if (this.#watched !== id) return;
      this.chosen = job;
      if (isActive(job)) this.#follow(id);
    });
  }

  unwatch(): void {
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#watched = "";
    this.chosen = null;
  }

  #follow(id: string): void {
    // Two looks at the same job may be under way at once.
    this.#stopFollowing?.();
    this.#stopFollowing = follow(
      id,
      (job) => {
        if (this.#watched !== id) return;
        const before = this.chosen?.id === id ? this.chosen.history : [];
        this.chosen = { ...job, history: joinHistory(before, job.history) };
        this.list = this.list.map((each) => (each.id === id ? { ...job, history: [] } : each));
      },
      () => {
        if (this.#watched === id) this.#stopFollowing = undefined;
        void this.#reload(id);
      },
    );
  }

  async #reload(id: string): Promise<void> {
    await this.#look(async () => {
      const job = await api.job(id);
      if (job.solution) solvedFurther(job.solution);
      if (this.#watched === id) this.chosen = job;
      this.list = this.list.map((each) => (each.id === id ? job : each));
      activity.take(this.list);
    });
  }

  /** Does something to a job and looks at it again; says whether it was done. */
  async act(id: string, action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      this.#refused = "";
    } catch (cause) {
      this.#refused = messageOf(cause);
      return false;
    }
    await this.#look(async () => this.#take(await api.jobs()));
    if (this.#watched !== id) return true;
    if (this.list.some((job) => job.id === id)) await this.watch(id);
    else this.unwatch();
    return true;
  }

  /** A new list. The solutions of jobs that have ended since the last one are others now. */
  #take(list: Job[]): void {
    const ran = new Set(this.list.filter(isActive).map((job) => job.id));
    for (const job of list)
      if (ran.has(job.id) && !isActive(job) && job.solution) solvedFurther(job.solution);
    this.list = list;
    activity.take(list);
  }

  async #look(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      this.#unseen = "";
    } catch (cause) {
      this.#unseen = messageOf(cause);
    }
  }
}
