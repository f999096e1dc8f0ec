import { api } from "../api/client";
import type { Node, Seat } from "../api/types";
import { canonicalHand } from "../poker/matrix";
import { locksAt, withLocks, type LineLock } from "./locks";

/** Locks that are being made for one solution: for each line, hands and what they shall do. */
export class LockDraft {
  lines = $state.raw<ReadonlyMap<string, LineLock>>(new Map());
  toml = $state("");
  #known = new Set<string>();

  constructor(readonly id: string) {}

  async load(): Promise<void> {
    this.toml ||= (await api.solution(this.id)).toml;
  }

  /** The spec is asked for anew; locks that were made stay. */
  renew(): void {
    this.toml = "";
  }

  /** The locks of a line as the spec has them, the first time that it is looked at. */
  async visit(node: Node): Promise<void> {
    await this.load();
    if (!node.player || this.#known.has(node.line)) return;
    this.#known.add(node.line);
    const hands = new Map<string, number[]>();
    for (const lock of locksAt(this.toml, node.line)) {
      const bound =
        lock.hands === null
          ? handsOf(node, node.player)
          : (await api.parseRange(lock.hands)).hands.map((each) => each.hand);
      for (const hand of bound) hands.set(canonicalHand(hand), sharesOf(lock.strategy, node));
    }
    if (hands.size > 0) this.#put(node, hands);
  }

  /** Binds hands of the player to act. */
  bind(node: Node, hands: readonly string[], shares: readonly number[]): void {
    const next = new Map(this.lines.get(node.line)?.hands);
    for (const hand of hands) next.set(canonicalHand(hand), [...shares]);
    this.#put(node, next);
  }

  /** Lets hands go; all of the line if none are named. */
  free(line: string, hands?: readonly string[]): void {
    const old = this.lines.get(line);
    if (!old) return;
    const left = new Map(hands ? old.hands : []);
    for (const hand of hands ?? []) left.delete(canonicalHand(hand));
    this.lines = new Map(this.lines).set(line, { ...old, hands: left });
  }

  shares(line: string, hand: string): readonly number[] | undefined {
    return this.lines.get(line)?.hands.get(canonicalHand(hand));
  }

  /** The spec to solve. */
  spec(): string {
    return withLocks(this.toml, [...this.lines.values()]);
  }

  get changed(): boolean {
    return [...this.lines.values()].some((lock) => lock.hands.size > 0) || this.lines.size > 0;
  }

  #put(node: Node, hands: ReadonlyMap<string, readonly number[]>): void {
    const lock = {
      line: node.line,
      actions: node.actions.map((action) => action.label),
      hands,
      range: handsOf(node, node.player ?? "oop"),
      board: node.board,
    };
    this.lines = new Map(this.lines).set(node.line, lock);
  }
}

/** The hands of a player that are in the range, whether they get there or not. */
export function handsOf(node: Node, seat: Seat): string[] {
  return node.hands[seat].hand;
}

function sharesOf(strategy: unknown, node: Node): number[] {
  if (typeof strategy === "string")
    return node.actions.map((action) => Number(action.label === strategy || action.action === strategy));
  const table = (strategy ?? {}) as Record<string, number>;
  return node.actions.map((action) => table[action.label] ?? table[action.action] ?? 0);
}

const drafts = new Map<string, LockDraft>();

/** The draft of a solution; kept while the page is open. */
export function draftOf(id: string): LockDraft {
  const draft = drafts.get(id) ?? new LockDraft(id);
  drafts.set(id, draft);
  return draft;
}

/** The solution has been solved further: its spec has another goal. */
export function renewDraft(id: string): void {
  drafts.get(id)?.renew();
}

/** The solution is gone, or another has its name. */
export function dropDraft(id: string): void {
  drafts.delete(id);
}
