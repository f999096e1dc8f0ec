/** The server's types under the names that the page uses. They are generated: `npm run api`. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Seat = Schemas["PlayerName"];
export type Street = Schemas["StreetName"];

export type ErrorDetail = Schemas["Problem"];
export type Health = Schemas["Health"];
export type WeightedHand = Schemas["WeighedHand"];
export type SavedRange = Schemas["SavedRange"];
export type ChartRange = Schemas["ChartRange"];
export type SpotCatalogue = Schemas["SpotCatalogue"];
export type SpotName = Schemas["SpotName"];
export type Preset = Schemas["Preset"];
export type SpecCheck = Schemas["SpecCheck"];
export type TreePoint = Schemas["TreePoint"];

export type Job = Schemas["Job"];
export type JobState = Schemas["JobState"];
export type HistoryPoint = Schemas["HistoryPoint"];
export type NewSolve = Schemas["NewSolve"];
export type KeptStreets = Schemas["KeptStreets"];

export type SolutionSummary = Schemas["SolutionInfo"];
export type Annotation = Schemas["Annotation"];
export type Bookmark = Schemas["Bookmark"];
export type Trashed = Schemas["TrashedItem"];
export type Example = Schemas["Example"];
export type ExampleReport = Schemas["ExampleReport"];
export type Solution = Schemas["SolutionDetail"];
export type Node = Schemas["Node"];
export type NodeAction = Schemas["NodeAction"];
export type Step = Schemas["PathStep"];
export type Hands = Schemas["Hands"];
export type Runout = Schemas["RunoutCard"];
export type Runouts = Schemas["Runouts"];
export type LockPreview = Schemas["LockPreview"];
export type Exploit = Schemas["Exploit"];

export type DrillSession = Schemas["DrillSession"];
export type DrillSkip = Schemas["DrillSkip"];
export type DrillState = Schemas["DrillState"];
export type DrillQuestion = Schemas["DrillQuestion"];
export type DrillVerdict = Schemas["DrillVerdict"];
export type DrillAnswer = Schemas["DrillAnswer"];
export type DrillEnd = Schemas["DrillEnd"];
export type DrillTotals = Schemas["DrillTotals"];
export type ReviewState = Schemas["ReviewState"];
export type VerdictName = Schemas["Verdict"];
export type MistakeKind = Schemas["MistakeKind"];
