import { api } from "../api/client";
import { forget, keep, recall } from "../shell/stored";
import { locksOf, sameLine, withLock, withLocks, type LockTable } from "./locks";

/** Where drafts are kept, by the id of their solution. */
const place = (id: string): string => `noregret.locks.${id}`;

/** Locks that are being made for one solution. They survive a reload. */
export class LockDraft {
  tables = $state.raw<readonly LockTable[]>([]);
  toml = $state("");
  #own: readonly LockTable[] = [];

  constructor(readonly id: string) {}

  async load(): Promise<void> {
    if (!this.toml) this.take((await api.solution(this.id)).toml);
  }

  /** Takes over the spec of the solution; locks that were made stay. */
  take(toml: string): void {
    if (this.toml === toml) return;
    const first = this.toml === "";
    this.toml = toml;
    this.#own = locksOf(toml);
    if (first) this.tables = readDraft(this.id) ?? this.#own;
  }

  /** The spec is asked for anew; locks that were made stay. */
  renew(): void {
    this.toml = "";
  }

  at(line: string): LockTable[] {
    return this.tables.filter((table) => sameLine(table.line, line));
  }

  /** The lines that have locks. */
  get lines(): ReadonlySet<string> {
    return new Set(this.tables.map((table) => table.line));
  }

  put(table: LockTable): void {
    this.#keep(withLock(this.tables, table));
  }

  remove(table: LockTable): void {
    this.#keep(this.tables.filter((each) => each !== table));
  }

  /** Back to locks that were there before a change. */
  restore(tables: readonly LockTable[]): void {
    this.#keep(tables);
  }

  /** Back to the locks of the solution. */
  reset(): void {
    this.#keep(this.#own);
  }

  /** Whether there is anything that the solution does not have. */
  get changed(): boolean {
    return JSON.stringify(this.tables) !== JSON.stringify(this.#own);
  }

  /** The spec to solve, with one more lock to try if there is one. */
  spec(more?: LockTable): string {
    return withLocks(this.toml, more ? withLock(this.tables, more) : this.tables);
  }

  #keep(tables: readonly LockTable[]): void {
    this.tables = tables;
    if (this.changed) keep(place(this.id), JSON.stringify(tables));
    else forget(place(this.id));
  }
}

function readDraft(id: string): LockTable[] | null {
  try {
    const kept: unknown = JSON.parse(recall(place(id)) ?? "null");
    return Array.isArray(kept) ? (kept as LockTable[]) : null;
  } catch {
    return null;
  }
}

const drafts = new Map<string, LockDraft>();

/** The draft of a solution. */
export function draftOf(id: string): LockDraft {
  const draft = drafts.get(id) ?? new LockDraft(id);
  drafts.set(id, draft);
  return draft;
}

/** The solution has been solved further: its spec has another goal. */
export function renewDraft(id: string): void {
  drafts.get(id)?.renew();
}

/** The solution has another name. */
export function moveDraft(from: string, to: string): void {
  dropDraft(to);
  const kept = recall(place(from));
  if (kept !== null) keep(place(to), kept);
  dropDraft(from);
}

/** The locks that are kept for a solution, as text. */
export const draftText = (id: string): string | null => recall(place(id));

/** Locks that were kept for a solution are made there again. */
export function restoreDraft(id: string, text: string): void {
  dropDraft(id);
  keep(place(id), text);
}

/** The solution is gone, or another has its name. */
export function dropDraft(id: string): void {
  drafts.delete(id);
  forget(place(id));
}
