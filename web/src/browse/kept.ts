import { draftText, dropDraft, moveDraft, renewDraft, restoreDraft } from "../lock/draft.svelte";
import { href, readPlace } from "../shell/router.svelte";
import { forget, keep, keptUnder, recall } from "../shell/stored";
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

/** Where is kept what a deleted solution gets back when it is taken back. */
const deletedPlace = "noregret.deleted.";

/** The solution is deleted. Its locks and where it was open last are laid aside: it may be taken back. */
export function deleted(id: string): void {
  const aside = { locks: draftText(id), visit: visits.of(id) };
  replaced(id);
  if (aside.locks !== null || aside.visit !== undefined) keep(deletedPlace + id, JSON.stringify(aside));
  else forget(deletedPlace + id);
}

/** A deleted solution is there again, perhaps under another name, with what was laid aside. */
export function takenBack(from: string, to: string): void {
  const text = recall(deletedPlace + from);
  if (text === null) return;
  forget(deletedPlace + from);
  const { locks, visit } = JSON.parse(text) as { locks: string | null; visit?: string };
  if (locks !== null) restoreDraft(to, locks);
  if (visit !== undefined)
    visits.note(readPlace(visit.replace(href(["browse", from]), href(["browse", to]))));
}

/** What was deleted is gone for good. */
export function forgetDeleted(): void {
  keptUnder(deletedPlace).forEach(forget);
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
