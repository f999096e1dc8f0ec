import { client, followLines, unwrap } from "../api/client";
import type { components } from "../api/schema";
import type { KeptStreets } from "../api/types";

type Schemas = components["schemas"];

export type Batch = Schemas["Batch"];
/** One way to sort boards, and where a board is in it. */
export type Kind = Schemas["Kind"];
export type Numbers = Schemas["ReportNumbers"];
export type ReportRow = Schemas["ReportRow"];
export type ReportGroup = Schemas["ReportGroup"];
export type Report = Schemas["Report"];
export type ReportVariant = Schemas["ReportVariant"];
type RowsProgress = Schemas["RowsProgress"];

/** Over what a report is: the flops of a batch, or what can be dealt in one solution. */
export type Subject = "batch" | "solution";

const path = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

export const reports = {
  batches: () => unwrap(client.GET("/api/batches")),
  batch: (id: string) => unwrap(client.GET("/api/batches/{id}", path(id))),
  start: (name: string, toml: string, flops: number, save: KeptStreets) =>
    unwrap(client.POST("/api/batches", { body: { name, toml, flops, save } })),
  stop: (id: string) => unwrap(client.POST("/api/batches/{id}/stop", path(id))),
  resume: (id: string) => unwrap(client.POST("/api/batches/{id}/resume", path(id))),

  /** A report; `told` hears how many boards of how many are read. */
  async report(
    subject: Subject,
    id: string,
    line: string,
    signal: AbortSignal,
    told: (done: number, total: number) => void = () => undefined,
  ): Promise<Report> {
    if (subject === "solution")
      return unwrap(
        client.GET("/api/solutions/{id}/report", { params: { path: { id }, query: { line } }, signal }),
      );
    let report: Report | undefined;
    let refused: string | undefined;
    await followLines<RowsProgress>(
      `/api/batches/${encodeURIComponent(id)}/rows`,
      { line },
      signal,
      (state) => {
        report = state.report;
        refused = state.error?.message;
        if (!report && !refused) told(state.done, state.total);
      },
    );
    if (report) return report;
    throw new Error(refused ?? "The server does not answer. Is `noregret serve` still running?");
  },
};
