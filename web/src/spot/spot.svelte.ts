import { api, messageOf } from "../api/client";
import type { ErrorDetail, Seat, SpecCheck } from "../api/types";
import { emptyWeights, fromHands, printRange, toHands, type Weights } from "../poker/range";
import { href, router } from "../shell/router.svelte";
import { emptyDraft, readToml, writeToml, type Draft } from "./draft";
import { pack, unpack } from "./share";

/** How long typing or painting must pause before the server is asked, in milliseconds. */
const pause = 250;

/** The spot that is being set up: the form, both ranges as weights, and what the server says about it. */
export class SpotState {
  draft = $state<Draft>(emptyDraft());
  name = $state("My spot");
  weights = $state.raw<Record<Seat, Weights>>({ oop: emptyWeights(), ip: emptyWeights() });
  rangeErrors = $state<Partial<Record<Seat, string>>>({});
  check = $state.raw<SpecCheck | null>(null);
  /** The spec that `check` is about; the form may be ahead of it. */
  checkedToml = "";
  trouble = $state("");
  checking = $state(false);

  #code = "";
  #opened = false;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #checkAbort: AbortController | undefined;
  #rangeTimers: Partial<Record<Seat, ReturnType<typeof setTimeout>>> = {};
  #rangeTurn: Record<Seat, number> = { oop: 0, ip: 0 };

  get toml(): string {
    return writeToml($state.snapshot(this.draft as unknown) as Draft);
  }

  /** What is wrong at a field such as `tree.starting_pot`, in words; empty where nothing is. */
  problem(field: string): string {
    return this.errors
      .filter((error) => error.field === field)
      .map((error) => error.message.replace(`${field}: `, ""))
      .join(" ");
  }

  get errors(): ErrorDetail[] {
    return this.check?.valid === false ? (this.check.errors ?? []) : [];
  }

  /** Follows the address: a packed spec in it is the spot. Without one, the last spot of this browser. */
  async open(code: string | null): Promise<void> {
    if (code !== null && code === this.#code) return;
    if (code === null && this.#opened) {
      this.changed();
      return;
    }
    this.#opened = true;
    const text = code ? await unpack(code) : localStorage.getItem("spot");
    if (text) this.load(text);
    else this.changed();
  }

  load(toml: string, name?: string): void {
    try {
      this.draft = readToml(toml);
    } catch (cause) {
      this.trouble = messageOf(cause);
      return;
    }
    this.trouble = "";
    if (name) this.name = name;
    for (const seat of ["oop", "ip"] as const) void this.#parse(seat);
    this.changed();
  }

  /** To be called after any change of the form. */
  changed(): void {
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => void this.#ask(), pause);
  }

  typeRange(seat: Seat, text: string): void {
    this.draft.ranges[seat] = text;
    this.#later(seat, () => void this.#parse(seat));
    this.changed();
  }

  paintRange(seat: Seat, weights: Weights): void {
    this.weights = { ...this.weights, [seat]: weights };
    this.draft.ranges[seat] = printRange(weights);
    delete this.rangeErrors[seat];
    // The server writes it shorter; until it has, the long form is as right.
    this.#later(seat, () => void this.#shorten(seat, weights));
    this.changed();
  }

  #later(seat: Seat, run: () => void): void {
    this.#rangeTurn[seat] += 1;
    clearTimeout(this.#rangeTimers[seat]);
    this.#rangeTimers[seat] = setTimeout(run, pause);
  }

  async #parse(seat: Seat): Promise<void> {
    const turn = (this.#rangeTurn[seat] += 1);
    const text = this.draft.ranges[seat];
    try {
      const hands = text.trim() === "" ? [] : (await api.parseRange(text)).hands;
      if (turn !== this.#rangeTurn[seat]) return;
      this.weights = { ...this.weights, [seat]: fromHands(hands) };
      delete this.rangeErrors[seat];
    } catch (cause) {
      if (turn === this.#rangeTurn[seat]) this.rangeErrors[seat] = messageOf(cause);
    }
  }

  async #shorten(seat: Seat, weights: Weights): Promise<void> {
    const turn = this.#rangeTurn[seat];
    const hands = toHands(weights);
    if (hands.length === 0) return;
    try {
      const { text } = await api.printRange(hands);
      if (turn === this.#rangeTurn[seat]) this.draft.ranges[seat] = text;
    } catch {
      // The long form stays.
    }
  }

  async #ask(): Promise<void> {
    this.#checkAbort?.abort();
    const abort = new AbortController();
    this.#checkAbort = abort;
    const toml = this.toml;
    localStorage.setItem("spot", toml);
    const code = await pack(toml);
    if (abort.signal.aborted) return;
    this.#code = code;
    if ((router.place.path[0] ?? "spot") === "spot") router.replace(href(["spot"], { s: code }));
    this.checking = true;
    try {
      this.check = await api.check(toml, abort.signal);
      this.checkedToml = toml;
      this.trouble = "";
    } catch (cause) {
      if (!abort.signal.aborted) this.trouble = messageOf(cause);
    } finally {
      if (!abort.signal.aborted) this.checking = false;
    }
  }
}

/** One spot for the whole page, so that a look at another view does not lose it. */
export const spot = new SpotState();
