import { tick } from "svelte";
import { messageOf } from "../api/client";
import type { Node } from "../api/types";
import { nodes, prefetch } from "./nodes";

/** The node that is looked at. */
export class BrowseState {
  id = $state("");
  node = $state.raw<Node | null>(null);
  /** The same a frame later, for what is below the matrix: long lists and charts do not keep the matrix waiting. */
  settled = $state.raw<Node | null>(null);
  loading = $state(false);
  /** It takes long enough to be told why. */
  slow = $state(false);
  trouble = $state("");
  #turn = 0;

  /** Shows a node: at once if it is there already, else the old one stays until it is. */
  async show(id: string, line: string): Promise<void> {
    const turn = (this.#turn += 1);
    const started = performance.now();
    const known = nodes.peek(id, line);
    this.loading = !known;
    this.slow = false;
    const patience = setTimeout(() => (this.slow = turn === this.#turn), 500);
    try {
      const node = known ?? (await nodes.get(id, line));
      clearTimeout(patience);
      if (turn !== this.#turn) return;
      this.id = id;
      this.node = node;
      this.trouble = "";
      await painted();
      const source = known ? "node from memory" : "node from server";
      performance.measure(source, { start: started, end: performance.now() });
      if (turn !== this.#turn) return;
      this.settled = node;
      await painted();
      performance.measure(`${source}, all panels`, { start: started, end: performance.now() });
      if (turn === this.#turn) void prefetch(id, node, () => turn !== this.#turn);
    } catch (cause) {
      if (turn !== this.#turn) return;
      this.trouble = messageOf(cause);
      // Numbers of another line never stand under the message.
      this.node = this.settled = null;
    } finally {
      clearTimeout(patience);
      if (turn === this.#turn) this.loading = this.slow = false;
    }
  }
}

/** After the frame in which the page shows what was changed. */
async function painted(): Promise<void> {
  await tick();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}
