import { api } from "../api/client";
import type { Exploit, Node, Runouts, Seat } from "../api/types";

/** How many nodes are kept; each is some 100 kB of parsed JSON. */
const kept = 300;

/** Answers of the server about places in solutions, each asked for once until its solution is forgotten. */
export class Answers<T> {
  #answers = new Map<string, Promise<T>>();
  #ready = new Map<string, T>();

  constructor(private readonly ask: (id: string, line: string) => Promise<T>) {}

  get(id: string, line: string): Promise<T> {
    const key = `${id}\n${line}`;
    const known = this.#answers.get(key);
    if (known) {
      // The last used are kept.
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known;
    }
    const asked = this.ask(id, line);
    this.#answers.set(key, asked);
    asked.then(
      (answer) => {
        // What was forgotten while it was on its way stays so.
        if (this.#answers.get(key) === asked) this.#ready.set(key, answer);
      },
      () => {
        if (this.#answers.get(key) === asked) this.#answers.delete(key);
      },
    );
    this.#trim();
    return asked;
  }

  /** What is there already, without waiting a turn. */
  peek(id: string, line: string): T | undefined {
    return this.#ready.get(`${id}\n${line}`);
  }

  /** Forgets all about a solution: its file is another now. */
  forget(id: string): void {
    for (const key of this.#answers.keys()) {
      if (!key.startsWith(`${id}\n`)) continue;
      this.#answers.delete(key);
      this.#ready.delete(key);
    }
  }

  #trim(): void {
    for (const key of this.#answers.keys()) {
      if (this.#answers.size <= kept) return;
      this.#answers.delete(key);
      this.#ready.delete(key);
    }
  }
}

export const nodes = new Answers<Node>((id, line) => api.node(id, line));
/** Best responses; the line is `SEAT LINE`, see `exploitKey`. */
export const exploits = new Answers<Exploit>((id, key) =>
  api.exploit(id, key.slice(key.indexOf(" ") + 1), key.startsWith("oop") ? "oop" : "ip"),
);
export const exploitKey = (seat: Seat, line: string): string => `${seat} ${line}`;
export const runouts = new Answers<Runouts>((id, line) => api.runouts(id, line));

/** Asks for what the reader may look at next, one after the other, until `stopped`. */
export async function prefetch(id: string, node: Node, stopped: () => boolean): Promise<void> {
  const lines = [
    ...node.actions.map((action) => action.line),
    ...node.path.slice(-1).map(() => parentLine(node)),
  ];
  for (const line of lines) {
    if (stopped()) return;
    await nodes.get(id, line).catch(() => undefined);
  }
}

/** The line without its last step; nothing for the root. */
export function parentLine(node: Pick<Node, "path">): string {
  return node.path.at(-2)?.line ?? "";
}
