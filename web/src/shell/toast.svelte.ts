/** What a message offers to do. */
export interface ToastAction {
  name: string;
  act: () => unknown;
}

/** How long a message stays, in milliseconds: long enough to read it and to take something back. */
const stay = 10_000;

/** One short message at a time, for what was done and can be undone. */
class Toast {
  text = $state("");
  action = $state.raw<ToastAction | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  show(text: string, action: ToastAction | null = null): void {
    clearTimeout(this.#timer);
    this.text = text;
    this.action = action;
    this.#timer = setTimeout(() => this.close(), stay);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.text = "";
    this.action = null;
  }
}

export const toast = new Toast();
