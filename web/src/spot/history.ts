/** States to go back to and forth again, the latest of each at the end. */
export class History<T> {
  #past: T[] = [];
  #future: T[] = [];
  #now: T | undefined;

  constructor(private readonly most = 200) {}

  /** Takes note of a state; one that equals the last is none. */
  note(state: T, equal: (a: T, b: T) => boolean): void {
    if (this.#now !== undefined && equal(this.#now, state)) return;
    if (this.#now !== undefined) {
      this.#past.push(this.#now);
      if (this.#past.length > this.most) this.#past.shift();
      this.#future = [];
    }
    this.#now = state;
  }

  /** Puts another writing of the same state in its place; nothing if it is not the last one. */
  amend(from: T, to: T, equal: (a: T, b: T) => boolean): void {
    if (this.#now !== undefined && equal(this.#now, from)) this.#now = to;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  undo(): T | undefined {
    const state = this.#past.pop();
    if (state === undefined || this.#now === undefined) return undefined;
    this.#future.push(this.#now);
    this.#now = state;
    return state;
  }

  redo(): T | undefined {
    const state = this.#future.pop();
    if (state === undefined || this.#now === undefined) return undefined;
    this.#past.push(this.#now);
    this.#now = state;
    return state;
  }
}
