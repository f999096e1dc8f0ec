import type { Component } from "svelte";

/** A view of the page: the first part of its address, its name, and the component, loaded when it is first opened. */
export interface View {
  readonly path: string;
  readonly name: string;
  readonly load: () => Promise<{ default: Component }>;
}

export const views: readonly View[] = [
  { path: "spot", name: "Spot", load: () => import("../spot/Spot.svelte") },
  { path: "solve", name: "Solve", load: () => import("../solve/Solve.svelte") },
  { path: "browse", name: "Browse", load: () => import("../browse/Browse.svelte") },
  { path: "reports", name: "Reports", load: () => import("../reports/Reports.svelte") },
  { path: "forty-two", name: "Texas 42", load: () => import("../forty-two/FortyTwo.svelte") },
  { path: "library", name: "Library", load: () => import("../library/Library.svelte") },
];
