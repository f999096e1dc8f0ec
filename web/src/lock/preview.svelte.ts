import { api, messageOf } from "../api/client";
import type { LockPreview, Node } from "../api/types";
import { noFilter } from "../browse/filter";
import { actionTotals } from "../browse/lens";
import { canonicalHand } from "../poker/matrix";
import type { LockDraft } from "./draft.svelte";
import type { LockTable } from "./locks";

/** What the locks of a line do to the hands there, before anything is solved again. */
class Preview {
  /** Of which solution and line. */
  of = $state.raw<{ id: string; line: string } | null>(null);
  locks = $state.raw<LockPreview[]>([]);
  trouble = $state("");
  busy = $state(false);
  #turn = 0;

  /** Asks what the draft, and a lock that is being made, do at a node. */
  async ask(draft: LockDraft, line: string, more?: LockTable): Promise<void> {
    const turn = (this.#turn += 1);
    this.busy = true;
    try {
      await draft.load();
      const isOf = draft.at(line).length > 0 || more !== undefined;
      const locks = isOf ? await api.tryLocks(draft.id, draft.spec(more), line) : [];
      if (turn !== this.#turn) return;
      this.of = { id: draft.id, line };
      this.locks = locks;
      this.trouble = "";
    } catch (cause) {
      if (turn === this.#turn) this.trouble = messageOf(cause);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  clear(): void {
    this.#turn += 1;
    this.of = null;
    this.locks = [];
    this.trouble = "";
    this.busy = false;
  }
}

export const preview = new Preview();

/** A node as the locks make it, as far as it is known; the same node if nothing is locked there. */
export function previewed(id: string, node: Node): Node {
  const { of, locks } = preview;
  if (of?.id !== id || of.line !== node.line || locks.length === 0 || !node.player) return node;
  const seat = node.player;
  const bound = new Map<string, readonly number[]>();
  for (const lock of locks)
    lock.hands.forEach((hand, at) => bound.set(canonicalHand(hand), lock.strategy[at]!));
  const hands = node.hands[seat];
  const strategy = hands.hand.map((hand, at) => {
    const plays = bound.get(canonicalHand(hand));
    return plays ? [...plays] : (hands.strategy?.[at] ?? null);
  });
  const bent = { ...node, hands: { ...node.hands, [seat]: { ...hands, strategy } } };
  const totals = actionTotals(bent, noFilter);
  const actions = node.actions.map((action, at) => ({ ...action, ...totals[at]! }));
  return { ...bent, actions };
}
