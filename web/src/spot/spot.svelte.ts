import { api, messageOf } from "../api/client";
import type { ErrorDetail, Seat, SpecCheck } from "../api/types";
import { printRange, type Weights } from "../poker/range";
import { href, router } from "../shell/router.svelte";
import { keep, recall } from "../shell/stored";
import { emptyDraft, readToml, writeToml, type Draft } from "./draft";
import { History } from "./history";
import { EditedRange, pause } from "./range.svelte";
import { pack, unpack } from "./share";

/** The spot that a first visitor finds: the one that is played most. */
export const firstSpot = "BTN vs BB, single-raised, 100 bb";

/** What can be undone: the spec and its name. */
interface Step {
  toml: string;
  name: string;
}

const equalSteps = (a: Step, b: Step): boolean => a.toml === b.toml && a.name === b.name;

/** The spot that is being set up: the form, both ranges as weights, and what the server says about it. */
export class SpotState {
  draft = $state<Draft>(emptyDraft());
  name = $state("My spot");
  readonly ranges: Record<Seat, EditedRange> = { oop: this.#range("oop"), ip: this.#range("ip") };
  check = $state.raw<SpecCheck | null>(null);
  /** The spec that `check` is about; the form may be ahead of it. */
  checkedToml = "";
  trouble = $state("");
  /** What is typed for the board while it is typed; else nothing. */
  typedBoard = $state<string | null>(null);
  /** What is wrong with it: the board is not what the field says. */
  wrongBoard = $state("");
  checking = $state(false);

  canUndo = $state(false);
  canRedo = $state(false);
  /** Fields that somebody has touched: nothing is wrong with the others yet. */
  #touched = $state.raw<ReadonlySet<string>>(new Set());

  readonly #history = new History<Step>();
  #code = "";
  #opened = false;
  /** Whether the next address is a step for the back button. */
  #push = false;
  /** Counts what was put into the form, so that an answer that comes late does not undo it. */
  #turn = 0;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #checkAbort: AbortController | undefined;

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

  /** What is wrong with fields that were touched, or with no field in particular. */
  get errors(): ErrorDetail[] {
    const all = this.check?.valid === false ? (this.check.errors ?? []) : [];
    return all.filter((error) => !error.field || this.#touched.has("") || this.#touched.has(error.field));
  }

  /** What a spot still needs, in words. */
  get missing(): string[] {
    const { ranges, board } = this.draft;
    return [
      ...(ranges.oop.trim() ? [] : ["a range for OOP"]),
      ...(ranges.ip.trim() ? [] : ["a range for IP"]),
      ...(board.length < 3 ? ["a flop"] : []),
    ];
  }

  /** Takes note that somebody has changed these fields. */
  touch(...fields: string[]): void {
    if (fields.some((field) => !this.#touched.has(field)))
      this.#touched = new Set([...this.#touched, ...fields]);
  }

  /** Follows the address: a packed spec in it is the spot. Without one, the last spot of this browser, or the first of all. */
  async open(code: string | null, name: string | null = null): Promise<void> {
    if (code !== null && code === this.#code) return;
    if (code === null && this.#opened) {
      this.changed();
      return;
    }
    this.#opened = true;
    const turn = this.#turn;
    const text = code ? await unpack(code) : recall("spot");
    if (turn !== this.#turn) return;
    if (code && text === null) this.trouble = "The address of this spot is damaged: the spot is not in it.";
    const known = name ?? (code ? null : recall("spot-name"));
    if (text) {
      this.#fill(text, known ?? undefined);
      // Somebody else's spot is looked at as a whole.
      if (code) this.touch("");
      this.changed();
    } else await this.loadNamed(firstSpot);
  }

  /** Follows an address that names a spot, which is then the address of the spot itself. */
  async openNamed(name: string): Promise<void> {
    this.#opened = true;
    await this.loadNamed(name, false);
  }

  /** Fills in a spot by its name; the board and the rake in big blinds stay. A step that Back takes back, unless the address asked for it. */
  async loadNamed(name: string, push = this.#code !== ""): Promise<void> {
    const turn = (this.#turn += 1);
    try {
      const found = await api.namedSpot(name, "", this.draft.board.join(""));
      if (turn !== this.#turn) return;
      if (this.#code) this.#note();
      this.#push = push;
      this.#fill(this.#withRake(found.toml), found.name);
      this.#touched = new Set();
      this.changed();
    } catch (cause) {
      this.trouble = messageOf(cause);
    }
  }

  /** A spec with the rake of the form, if both are in big blinds. */
  #withRake(toml: string): string {
    const [from, to] = [this.draft.tree, readToml(toml)];
    if (from.unit !== "bb" || to.tree.unit !== "bb") return toml;
    to.tree.rake_rate = from.rake_rate;
    to.tree.rake_cap = from.rake_cap;
    return writeToml(to);
  }

  /** Puts a spec in the place of the form; a step that Back takes back. */
  load(toml: string, name?: string): void {
    if (this.#code) this.#note();
    if (!this.#fill(toml, name)) return;
    this.#push = this.#code !== "";
    this.touch("");
    this.changed();
  }

  #fill(toml: string, name?: string): boolean {
    try {
      this.draft = readToml(toml);
    } catch (cause) {
      this.trouble = messageOf(cause);
      return false;
    }
    this.#turn += 1;
    this.trouble = "";
    this.typedBoard = null;
    this.wrongBoard = "";
    if (name !== undefined) this.name = name;
    for (const seat of ["oop", "ip"] as const) void this.ranges[seat].parse();
    this.#note();
    return true;
  }

  /** To be called after any change of the form, with the fields that were changed. */
  changed(...fields: string[]): void {
    this.touch(...fields);
    if (fields.length > 0) this.#turn += 1;
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => void this.#ask(), pause);
  }

  undo(): void {
    this.#note();
    this.#step(this.#history.undo());
  }

  redo(): void {
    this.#step(this.#history.redo());
  }

  #step(step: Step | undefined): void {
    if (!step) return;
    // The form is then what is noted already: no step of its own.
    this.#fill(step.toml, step.name);
    this.changed();
  }

  /** Takes note of the form as it is, so that it can be come back to. */
  #note(): void {
    this.#history.note({ toml: this.toml, name: this.name }, equalSteps);
    this.#told();
  }

  #told(): void {
    this.canUndo = this.#history.canUndo;
    this.canRedo = this.#history.canRedo;
  }

  typeRange(seat: Seat, text: string): void {
    this.draft.ranges[seat] = text;
    this.ranges[seat].typed();
    this.changed(`ranges.${seat}`);
  }

  paintRange(seat: Seat, weights: Weights): void {
    this.draft.ranges[seat] = printRange(weights);
    this.ranges[seat].painted(weights);
    this.changed(`ranges.${seat}`);
  }

  #range(seat: Seat): EditedRange {
    return new EditedRange(
      () => this.draft.ranges[seat],
      (text) => {
        const long = { toml: this.toml, name: this.name };
        this.draft.ranges[seat] = text;
        this.#history.amend(long, { toml: this.toml, name: this.name }, equalSteps);
      },
    );
  }

  async #ask(): Promise<void> {
    this.#checkAbort?.abort();
    const abort = new AbortController();
    this.#checkAbort = abort;
    const toml = this.toml;
    this.#note();
    keep("spot", toml);
    keep("spot-name", this.name);
    const code = await pack(toml);
    if (abort.signal.aborted) return;
    this.#code = code;
    if (router.place.path[0] === "spot") {
      const target = href(["spot"], { s: code, name: this.name });
      if (this.#push) router.go(target);
      else router.replace(target);
    }
    this.#push = false;
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
