import { client, unwrap } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Batch = Schemas["Batch"];
/** One way to sort boards, and where a board is in it. */
export type Kind = Schemas["Kind"];
export type Numbers = Schemas["ReportNumbers"];
export type ReportRow = Schemas["ReportRow"];
export type ReportGroup = Schemas["ReportGroup"];
export type Report = Schemas["Report"];
export type ReportVariant = Schemas["ReportVariant"];

/** Over what a report is: the flops of a batch, or what can be dealt in one solution. */
export type Subject = "batch" | "solution";

export const reports = {
  batches: () => unwrap(client.GET("/api/batches")),
  report: (subject: Subject, id: string, line: string, signal: AbortSignal) => {
    const question = { params: { path: { id }, query: { line } }, signal };
    return subject === "batch"
      ? unwrap(client.GET("/api/batches/{id}/report", question))
      : unwrap(client.GET("/api/solutions/{id}/report", question));
  },
};
