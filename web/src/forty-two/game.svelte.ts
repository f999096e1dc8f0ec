import { messageOf } from "../api/client";
import type { DealSource, TableAddress } from "./address";
import { fortyTwo, type Deal, type Position } from "./api";
import type { DominoId } from "./dominoes";

/** Positions and deals that were asked for; the answers never change. */
class Answers<T> {
  readonly #kept = new Map<string, Promise<T>>();

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const asked = ask();
    this.#kept.set(key, asked);
    // A failure is not an answer: the next one asks again.
    asked.catch(() => this.#kept.delete(key));
    return asked;
  }
}

const positions = new Answers<Position>();
const deals = new Answers<Deal>();

export function positionAt(at: TableAddress): Promise<Position> {
  return positions.get(JSON.stringify(at), () => fortyTwo.position(at));
}

export function dealFrom(source: DealSource): Promise<Deal> {
  return deals.get(JSON.stringify(source), () => fortyTwo.deal(source));
}

/** A position on the table: all of it is of one address, so that nothing is shown half old and half new. */
export interface Shown {
  readonly at: TableAddress;
  readonly deal: Deal;
  readonly position: Position;
}

/** What is on the table; follows the address. */
export class Game {
  shown = $state.raw<Shown | null>(null);
  error = $state<string | null>(null);
  #wanted: TableAddress | null = null;
  wanting = $state(false);

  async show(at: TableAddress): Promise<void> {
    this.#wanted = at;
    this.wanting = true;
    try {
      const [deal, position] = await Promise.all([dealFrom(at.deal), positionAt(at)]);
      if (this.#wanted !== at) return;
      this.shown = { at, deal, position };
      this.error = null;
    } catch (cause) {
      if (this.#wanted !== at) return;
      this.error = messageOf(cause);
    }
    this.wanting = false;
  }
}

/** The plays that were taken back, the next one first. */
export class TakenBack {
  plays = $state.raw<readonly DominoId[]>([]);

  takeBack(domino: DominoId): void {
    this.plays = [domino, ...this.plays];
  }

  /** After a play: what was taken back stays only where the game goes on as it did. */
  played(domino: DominoId): void {
    this.plays = this.plays[0] === domino ? this.plays.slice(1) : [];
  }

  forget(): void {
    this.plays = [];
  }
}
