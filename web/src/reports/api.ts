import { call } from "../api/client";
import type { BySeat, Seat } from "../api/types";

export interface Batch {
  id: string;
  name: string;
  solved: number;
  total: number;
  flops: number;
}
/** One way to sort boards, and where a board is in it. */
export interface Kind {
  by: string;
  kind: string;
  order: number;
}
export interface Numbers {
  frequencies: (number | null)[];
  ev: BySeat<number | null>;
  equity: BySeat<number | null>;
  eqr: BySeat<number | null>;
}
export interface ReportRow extends Numbers {
  flop: string;
  board: string[];
  weight: number;
  variant: string;
  texture: Kind[];
  exploitability_pct: number | null;
  solution: string;
}
export interface ReportGroup extends Kind {
  rows: number;
  weight: number;
  average: Numbers;
}
export interface Report {
  line: string;
  player: Seat | null;
  actions: string[];
  rows: ReportRow[];
  average: Numbers;
  groups: ReportGroup[];
}

/** Over what a report is: the flops of a batch, or what can be dealt in one solution. */
export type Subject = "batch" | "solution";

export const reports = {
  batches: () => call<Batch[]>("GET", "/api/batches"),
  report: (subject: Subject, id: string, line: string, signal?: AbortSignal) =>
    call<Report>(
      "GET",
      `/api/${subject === "batch" ? "batches" : "solutions"}/${encodeURIComponent(id)}/report?line=${encodeURIComponent(line)}`,
      undefined,
      signal,
    ),
};
