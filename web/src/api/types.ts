/** What the server answers, as the page uses it. */

export type Seat = "oop" | "ip";
export type Street = "flop" | "turn" | "river";
export type BySeat<T> = Record<Seat, T>;

export interface Health {
  version: string;
  threads: number;
  memory: { total: number; available: number; budget: number };
  instruction_set: string;
  library: string;
}

export interface WeightedHand {
  hand: string;
  weight: number;
}
export interface ParsedRange {
  hands: WeightedHand[];
  combos: number;
  text: string;
}
export interface SavedRange {
  name: string;
  text: string;
}
export interface Preset {
  name: string;
  description: string;
  toml: string;
}

export interface TextPosition {
  line: number;
  column: number;
  length: number;
  message: string;
}
export interface ErrorDetail {
  message: string;
  field?: string | null;
  help?: string | null;
  positions?: TextPosition[];
}

export interface SpecSummary {
  flop: string;
  turn: string | null;
  river: string | null;
  pot: number;
  stack: number;
  hands: number[];
}
export interface ValidSpec {
  valid: true;
  summary: SpecSummary;
  tree: {
    decisions: number;
    terminals: number;
    by_street: { street: Street; decisions: number; terminals: number; boards: number }[];
  };
  memory: { part: string; bytes: number }[];
  memory_bytes: number;
  precisions: { strategy_bits: number; regret_bits: number; memory_bytes: number }[];
  fits: boolean;
  budget: number;
}
export interface InvalidSpec {
  valid: false;
  errors: ErrorDetail[];
}
export type SpecCheck = ValidSpec | InvalidSpec;

export interface TreeAction {
  action: string;
  amount: number;
  label: string;
}
export interface TreePoint {
  line: string;
  board: string[];
  street: Street;
  pot: number;
  stacks: BySeat<number>;
  player: Seat | null;
  actions: TreeAction[];
  deals_card: boolean;
}

export type JobState = "queued" | "running" | "stopping" | "stopped" | "interrupted" | "done" | "failed";
export interface HistoryPoint {
  iteration: number;
  seconds: number;
  exploitability_pct: number;
}
export interface Job {
  id: string;
  name: string;
  state: JobState;
  error?: string | null;
  iteration: number;
  max_iterations: number;
  exploitability_pct?: number | null;
  target_pct: number;
  seconds: number;
  iterations_per_second?: number | null;
  seconds_left?: number | null;
  memory_bytes: number;
  threads: number;
  queue_position?: number | null;
  solution?: string | null;
  created: string;
  history: HistoryPoint[];
}
export interface NewSolve {
  name: string;
  toml: string;
  target_pct?: number;
  max_iterations?: number;
  save?: Street | "full";
  continue_from?: string;
}

export interface SolutionSummary {
  id: string;
  name: string;
  bytes: number;
  modified: string;
  flop: string;
  turn?: string | null;
  river?: string | null;
  pot: number;
  stack: number;
  iterations: number;
  exploitability_pct: number | null;
  algorithm: string;
  strategy_bits: number;
  regret_bits: number;
  saved_streets: string;
  locks: number;
}
export interface Solution extends SolutionSummary {
  toml: string;
  ev: BySeat<number>;
  equity: BySeat<number>;
  strategy_digest: string;
}

export interface Choice {
  label: string;
  line: string;
  frequency?: number | null;
}
export interface Step {
  label: string;
  line: string;
  kind: "action" | "card";
  player?: Seat | null;
  pot: number;
  stacks: BySeat<number>;
  board: string[];
  choices: Choice[];
}
export interface NodeAction {
  action: string;
  amount: number;
  label: string;
  frequency: number | null;
  ev: number | null;
  equity: number | null;
  eqr: number | null;
  combos: number;
  line: string;
}
export interface SideSummary {
  ev: number | null;
  equity: number | null;
  eqr: number | null;
  combos: number;
}
export interface Hands {
  hand: string[];
  reach: number[];
  share: number[];
  ev: (number | null)[];
  equity: (number | null)[];
  eqr: (number | null)[];
  made: string[];
  draws: string[][];
  strategy: (number[] | null)[] | null;
  action_evs: (number[] | null)[] | null;
}
export interface Node {
  line: string;
  colon: string | null;
  board: string[];
  street: Street;
  pot: number;
  stacks: BySeat<number>;
  player: Seat | null;
  kind: "decision" | "card" | "terminal";
  exploitability_pct: number | null;
  path: Step[];
  actions: NodeAction[];
  players: BySeat<SideSummary>;
  hands: BySeat<Hands>;
}
export interface Runout {
  card: string;
  line: string;
  same_as?: string | null;
  players: BySeat<SideSummary> | null;
  actions: { label: string; frequency: number | null }[];
}
export interface Runouts {
  line: string;
  cards: Runout[];
}
