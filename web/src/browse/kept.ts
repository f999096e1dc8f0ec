import { dropDraft, moveDraft, renewDraft } from "../lock/draft.svelte";
import { visits } from "../shell/visits.svelte";
import { exploits, nodes, runouts } from "./nodes";

/** When the files were written whose answers are kept, by id. */
const stamps = new Map<string, string>();

function forgetAnswers(id: string): void {
  nodes.forget(id);
  runouts.forget(id);
  exploits.forget(id);
  stamps.delete(id);
}

/** The solution is gone, or another has its name now: nothing of the old one is kept. */
export function replaced(id: string): void {
  forgetAnswers(id);
  dropDraft(id);
  visits.forget(id);
}

/** The solution has another name now: its locks and the places in it that were open last go with it. */
export function renamed(from: string, to: string): void {
  forgetAnswers(from);
  forgetAnswers(to);
  moveDraft(from, to);
  visits.rename(from, to);
}

/** The solution of the same spec is another now: it has been solved further. Locks that are being made stay. */
export function solvedFurther(id: string): void {
  forgetAnswers(id);
  renewDraft(id);
}

/** Takes note of when a solution was written; forgets what is kept of an older one, and says whether it did. */
export function noteWritten({ id, modified }: { id: string; modified: string }): boolean {
  const before = stamps.get(id);
  const isOther = before !== undefined && before !== modified;
  if (isOther) solvedFurther(id);
  stamps.set(id, modified);
  return isOther;
}
