import { ApiError, api, messageOf } from "../api/client";
import type { DrillQuestion, DrillSession, DrillSkip, DrillState, DrillVerdict, Node } from "../api/types";
import { nodes } from "../browse/nodes";
import { streakAfter } from "./words";

/** What is asked for: a drill on a solution, or what went wrong. */
export interface Wanted {
  /** The solution or folder; null for what went wrong. */
  solution: string | null;
  settings: string;
  /** The session to go on with. */
  session: number | null;
}

/** A question that was answered. */
export interface Recent {
  question: DrillQuestion;
  verdict: DrillVerdict;
}

/** How many answers are shown again. */
const most = 7;

/** A session that is played: a question, then what its answer cost, then the next. */
export class TrainState {
  session = $state.raw<DrillSession | null>(null);
  question = $state.raw<DrillQuestion | null>(null);
  verdict = $state.raw<DrillVerdict | null>(null);
  /** All hands at the question, for the matrix. */
  node = $state.raw<Node | null>(null);
  /** Whether the server is at work on something that was asked for. */
  busy = $state(false);
  /** Whether nothing is left to be asked again. */
  over = $state(false);
  trouble = $state("");
  /** What the session has left out. */
  skipped = $state.raw<readonly DrillSkip[]>([]);
  streak = $state(0);
  /** What was answered since the page was opened, the last first. */
  recent = $state.raw<readonly Recent[]>([]);
  /** The next question, asked for while the verdict is read. */
  #next: Promise<DrillState> | null = null;
  #turn = 0;

  /** Opens a drill, and says which session it is. */
  async open(wanted: Wanted): Promise<number | null> {
    const turn = (this.#turn += 1);
    this.#clear();
    this.session = null;
    this.streak = 0;
    this.recent = [];
    this.skipped = [];
    this.busy = true;
    try {
      const state = await begin(wanted);
      if (turn !== this.#turn) return null;
      this.session = state.session;
      this.#ask(state);
      return state.session.id;
    } catch (cause) {
      if (turn === this.#turn) this.trouble = messageOf(cause);
      return null;
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  async answer(action: string): Promise<void> {
    const { session, question } = this;
    if (!session || !question || this.verdict || this.busy) return;
    const turn = this.#turn;
    this.busy = true;
    try {
      const verdict = await api.answerDrill(session.id, question.decision, action);
      if (turn !== this.#turn) return;
      this.verdict = verdict;
      this.session = verdict.session;
      this.streak = streakAfter(this.streak, verdict);
      this.recent = [{ question, verdict }, ...this.recent].slice(0, most);
      this.trouble = "";
      this.#next = api.drill(session.id);
      // Whoever asks for the next one is told what is wrong with it.
      this.#next.catch(() => undefined);
    } catch (cause) {
      if (turn === this.#turn) await this.#again(session.id, question, messageOf(cause));
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  /** After an answer that failed: another question, if the session has skipped the one that was answered. */
  async #again(session: number, question: DrillQuestion, trouble: string): Promise<void> {
    const turn = this.#turn;
    this.trouble = trouble;
    const state = await api.drill(session).catch(() => null);
    if (turn !== this.#turn || !state || state.skipped.length === this.skipped.length) return;
    if (this.question === question) {
      this.#clear();
      this.#ask(state);
    }
  }

  async next(): Promise<void> {
    const { session } = this;
    if (!session || !this.verdict || this.busy) return;
    const turn = this.#turn;
    this.busy = true;
    try {
      const state = await (this.#next ?? api.drill(session.id));
      if (turn !== this.#turn) return;
      this.#clear();
      this.#ask(state);
    } catch (cause) {
      if (turn !== this.#turn) return;
      this.#next = null;
      this.trouble = messageOf(cause);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  #clear(): void {
    this.question = this.verdict = this.node = this.#next = null;
    this.over = false;
    this.trouble = "";
  }

  #ask({ question, skipped }: DrillState): void {
    this.question = question;
    this.skipped = skipped;
    this.over = question === null;
    if (!question) return;
    // The matrix is there when the answer is.
    nodes.get(question.solution, question.line).then(
      (node) => {
        if (this.question === question) this.node = node;
      },
      (cause: unknown) => {
        if (this.question === question) this.trouble = messageOf(cause);
      },
    );
  }
}

/** Goes on with a session if it is there still, else starts one. */
async function begin({ solution, settings, session }: Wanted): Promise<DrillState> {
  if (session !== null) {
    try {
      return await api.drill(session);
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.status === 404)) throw cause;
    }
  }
  return solution === null ? api.startReview() : api.startDrill(solution, settings);
}
