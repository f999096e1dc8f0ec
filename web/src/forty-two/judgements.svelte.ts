import { messageOf } from "../api/client";
import type { TableAddress } from "./address";
import { fortyTwo, type Expectation } from "./api";
import type { DominoId } from "./dominoes";
import { positionAt } from "./game.svelte";

/** Within this many standard errors two means cannot be told apart: a 95% interval. */
const z = 1.96;

/** A move of the reader, judged by what could be known and by what was the case. */
export class Judgement {
  /** The expectation so far over the deals that could be. */
  expectation = $state.raw<Expectation | null>(null);
  /** What it gave away with all hands seen; null until that is known. */
  exact = $state<number | null>(null);
  error = $state<string | null>(null);
  readonly #asking = new AbortController();

  constructor(
    before: TableAddress,
    readonly hand: readonly DominoId[],
    readonly domino: DominoId,
  ) {
    const failed = (cause: unknown): void => {
      if (!this.#asking.signal.aborted) this.error = messageOf(cause);
    };
    positionAt(before).then((position) => {
      this.exact = position.moves.find((move) => move.domino === domino)?.regret ?? null;
    }, failed);
    const { declaration, plays } = before;
    const question = { hand: [...hand], declaration, plays: [...plays] };
    fortyTwo.expectation(question, this.#asking.signal, (told) => (this.expectation = told)).catch(failed);
  }

  /** What it gives away on average against the move with the highest mean. */
  get known(): number | null {
    return this.expectation?.moves.find((move) => move.domino === this.domino)?.regret ?? null;
  }

  /** Whether the deals so far cannot tell it from the best move. */
  get tooClose(): boolean {
    const expectation = this.expectation;
    if (!expectation || expectation.exact) return false;
    const of = (id: number | null) => expectation.moves.find((move) => move.domino === id);
    const [own, best] = [of(this.domino), of(expectation.best)];
    if (!own || !best) return false;
    // The best so far is close where any other is; another one where it overlaps with the best.
    if (own === best) return expectation.too_close;
    return own.regret <= z * (own.standard_error + best.standard_error);
  }

  stop(): void {
    this.#asking.abort();
  }
}

/** The judgements of the reader's moves in one game; those that are taken back end. */
export class Judgements {
  #kept = new Map<string, Judgement>();

  /** The judgements of these moves: where each was made, and which domino was played. */
  of(moves: readonly { before: TableAddress; domino: DominoId }[], hand: readonly DominoId[]): Judgement[] {
    const kept = new Map<string, Judgement>();
    const judgements = moves.map(({ before, domino }) => {
      const key = JSON.stringify([before, hand, domino]);
      const judgement = this.#kept.get(key) ?? new Judgement(before, hand, domino);
      kept.set(key, judgement);
      return judgement;
    });
    for (const [key, judgement] of this.#kept) if (!kept.has(key)) judgement.stop();
    this.#kept = kept;
    return judgements;
  }

  stop(): void {
    for (const judgement of this.#kept.values()) judgement.stop();
    this.#kept.clear();
  }
}
