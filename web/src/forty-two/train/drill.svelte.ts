import { ApiError, messageOf } from "../../api/client";
import { drills, type DominoQuestion, type DominoSession, type DominoVerdict } from "./api";

/** A session that is played: a question, then what the play gave away, then the next. */
export class DrillState {
  session = $state.raw<DominoSession | null>(null);
  question = $state.raw<DominoQuestion | null>(null);
  verdict = $state.raw<DominoVerdict | null>(null);
  /** Whether the server is at work on something that was asked for. */
  busy = $state(false);
  trouble = $state("");
  #turn = 0;

  /** Opens a drill, or goes on with a session of it, and says which session it is. */
  async open(settings: string, session: number | null): Promise<number | null> {
    this.#turn += 1;
    this.session = this.question = this.verdict = null;
    this.busy = false;
    const state = await this.#ask(() => begin(settings, session));
    if (!state) return null;
    this.session = state.session;
    this.question = state.question;
    return state.session.id;
  }

  async play(domino: number): Promise<void> {
    const { session, question } = this;
    if (!session || !question || this.verdict || this.busy) return;
    const verdict = await this.#ask(() => drills.answer(session.id, question.decision, domino));
    if (!verdict) return;
    this.verdict = verdict;
    this.session = verdict.session;
  }

  async next(): Promise<void> {
    const { session } = this;
    if (!session || !this.verdict || this.busy) return;
    const state = await this.#ask(() => drills.show(session.id));
    if (!state) return;
    this.verdict = null;
    this.question = state.question;
  }

  /** The answer to something, unless another drill was opened meanwhile or it went wrong. */
  async #ask<T>(work: () => Promise<T>): Promise<T | null> {
    const turn = this.#turn;
    this.busy = true;
    try {
      const answer = await work();
      if (turn !== this.#turn) return null;
      this.trouble = "";
      return answer;
    } catch (cause) {
      if (turn === this.#turn) this.trouble = messageOf(cause);
      return null;
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }
}

async function begin(settings: string, session: number | null): ReturnType<typeof drills.show> {
  if (session !== null) {
    try {
      return await drills.show(session);
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.status === 404)) throw cause;
    }
  }
  return drills.start(settings);
}
