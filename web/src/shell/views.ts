import type { Component } from "svelte";

/** A view of the page: the first part of its address, its name and sign, and the component, loaded when it is first opened. */
export interface View {
  readonly path: string;
  readonly name: string;
  /** What its name begins with that a narrow bar has no room for. */
  readonly lead?: string;
  /** Strokes on a ground of 20 by 20, for where the bar has signs. */
  readonly sign: string;
  /** Whether the bar of views has it; the start is behind the name of the program. */
  readonly inBar: boolean;
  readonly load: () => Promise<{ default: Component }>;
}

export const views: readonly View[] = [
  {
    path: "start",
    sign: "",
    name: "Start",
    inBar: false,
    load: () => import("../start/Start.svelte"),
  },
  {
    path: "spot",
    sign: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
    name: "Spot",
    inBar: true,
    load: () => import("../spot/Spot.svelte"),
  },
  {
    path: "solve",
    sign: "M3 3v14h14M6 6c2 7 5 8 11 8.5",
    name: "Solve",
    inBar: true,
    load: () => import("../solve/Solve.svelte"),
  },
  {
    path: "browse",
    sign: "M10 3v4M10 7H5v4M10 7h5v4M3 11h4v5H3zM13 11h4v5h-4z",
    name: "Browse",
    inBar: true,
    load: () => import("../browse/Browse.svelte"),
  },
  {
    path: "hands",
    sign: "M3 6.5l7.5-2.8 4 10.6L7 17.1zM13 5l4 1.6-3.4 8.6",
    name: "Hands",
    inBar: true,
    load: () => import("../hands/Hands.svelte"),
  },
  {
    path: "train",
    sign: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 10h.01",
    name: "Train",
    inBar: true,
    load: () => import("../train/Train.svelte"),
  },
  {
    path: "reports",
    sign: "M4 17V10M8 17V4M12 17V8M16 17v-5",
    name: "Reports",
    inBar: true,
    load: () => import("../reports/Reports.svelte"),
  },
  {
    path: "forty-two",
    sign: "M6 2h8v16H6zM6 10h8M10 6h.01M8 12.5h.01M12 15.5h.01",
    name: "Texas 42",
    lead: "Texas ",
    inBar: true,
    load: () => import("../forty-two/FortyTwo.svelte"),
  },
  {
    path: "library",
    sign: "M2.5 5h5l2 2.5h8V16h-15z",
    name: "Library",
    inBar: true,
    load: () => import("../library/Library.svelte"),
  },
];
