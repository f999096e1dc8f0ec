import { api, messageOf } from "../api/client";
import { emptyWeights, fromHands, toHands, type Weights } from "../poker/range";

/** How long typing or painting must pause before the server is asked, in milliseconds. */
export const pause = 250;

/** A range that is typed or painted: the server says a moment later which hands a text has, and how hands are written short. */
export class EditedRange {
  weights = $state.raw<Weights>(emptyWeights());
  /** What is wrong with the text; empty where nothing is. */
  error = $state("");
  readonly #text: () => string;
  readonly #shortened: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts changes, so that an answer that comes late does not undo one. */
  #turn = 0;

  /** `text` gives the text as it is; `shortened` takes a shorter one for the same hands. */
  constructor(text: () => string, shortened: (text: string) => void) {
    this.#text = text;
    this.#shortened = shortened;
  }

  typed(): void {
    this.#later(() => void this.parse());
  }

  painted(weights: Weights): void {
    this.weights = weights;
    this.error = "";
    // The server writes it shorter; until it has, the long form is as right.
    this.#later(() => void this.#shorten());
  }

  #later(run: () => void): void {
    this.#turn += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, pause);
  }

  async parse(): Promise<void> {
    const turn = (this.#turn += 1);
    const text = this.#text();
    try {
      const hands = text.trim() === "" ? [] : (await api.parseRange(text)).hands;
      if (turn !== this.#turn) return;
      this.weights = fromHands(hands);
      this.error = "";
    } catch (cause) {
      if (turn === this.#turn) this.error = messageOf(cause);
    }
  }

  async #shorten(): Promise<void> {
    const turn = this.#turn;
    const hands = toHands(this.weights);
    if (hands.length === 0) return;
    try {
      const { text } = await api.printRange(hands);
      if (turn === this.#turn) this.#shortened(text);
    } catch {
      // The long form stays.
    }
  }
}
