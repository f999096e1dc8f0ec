import { api, follow, messageOf } from "../api/client";
import type { Job, Node } from "../api/types";
import { solvedFurther } from "../browse/kept";
import { nodes } from "../browse/nodes";
import { activity } from "../solve/activity.svelte";
import { isActive } from "../solve/state";
import type { LockDraft } from "./draft.svelte";
import { changedMost, gain, type Change } from "./outcome";

/** The solve of a draft's locks: it goes on, and its outcome stays, whatever the page shows meanwhile. */
export class SolvedAgain {
  job = $state.raw<Job | null>(null);
  trouble = $state("");
  /** What was gained and what changed most, on the way to a node. */
  told = $state.raw<{ gain: ReturnType<typeof gain>; change: Change | null; node: Node } | null>(null);
  #starting = $state(false);

  constructor(readonly draft: LockDraft) {}

  /** Whether it is being solved: a second one would be the same. */
  get busy(): boolean {
    return this.#starting || (this.job !== null && isActive(this.job));
  }

  /** Solves the locks as they are; `line` is what one looks at. */
  async solve(line: string): Promise<void> {
    if (this.busy) return;
    const { draft } = this;
    this.#starting = true;
    this.told = null;
    try {
      await draft.load();
      const toml = draft.spec();
      const at = draft.tables[0]?.line ?? line;
      const isLocked = draft.lines.has(at);
      const check = await api.check(toml);
      if (!check.valid) throw new Error(check.errors.map((error) => error.message).join(" "));
      const job = await api.solve({ name: `${draft.id} locked`, toml, merit_base: draft.id });
      this.job = job;
      activity.note(job);
      this.trouble = "";
      follow(
        job.id,
        (now) => (this.job = now),
        () => void this.#end(job.id, at, isLocked),
      );
    } catch (cause) {
      this.trouble = messageOf(cause);
    } finally {
      this.#starting = false;
    }
  }

  async #end(id: string, line: string, isLocked: boolean): Promise<void> {
    try {
      const now = await api.job(id);
      if (now.solution) solvedFurther(now.solution);
      this.job = now;
      if (now.solution) await this.#tell(now.solution, line, isLocked);
    } catch (cause) {
      this.trouble = messageOf(cause);
    }
  }

  /** What was gained and what changed most, at the first lock that was solved. */
  async #tell(solution: string, line: string, isLocked: boolean): Promise<void> {
    const { id } = this.draft;
    const [before, after, old, now] = await Promise.all([
      nodes.get(id, line),
      nodes.get(solution, line),
      api.solution(id),
      api.solution(solution),
    ]);
    this.told = { gain: gain(old.ev, now.ev), change: changedMost(before, after, isLocked), node: before };
  }
}

const solves = new WeakMap<LockDraft, SolvedAgain>();

/** The solve of a draft. */
export function againOf(draft: LockDraft): SolvedAgain {
  const known = solves.get(draft) ?? new SolvedAgain(draft);
  solves.set(draft, known);
  return known;
}
