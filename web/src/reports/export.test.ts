import { expect, test } from "vitest";
import type { ReportVariant } from "./api";
import { csvOf } from "./export";

test("a report has a line for each board and one for all", () => {
  const numbers = {
    frequencies: [0.25, null],
    ev: { oop: 1.5, ip: 4 },
    equity: { oop: 0.4, ip: 0.6 },
    eqr: { oop: 0.7, ip: null },
  };
  const variant: ReportVariant = {
    name: "",
    unit: "bb",
    big_blind: null,
    player: "ip",
    actions: ["check", "bet 2"],
    rows: [
      {
        ...numbers,
        flop: "QsJh2h",
        board: ["Qs", "Jh", "2h"],
        weight: 12,
        matchups: 100,
        texture: [{ by: "suits", kind: "two-tone, high", order: 1 }],
        exploitability_pct: 0.3,
        solution: "x",
      },
    ],
    average: numbers,
    groups: [],
  };
  expect(csvOf(variant).split("\n")).toEqual([
    "board,weight,suits,check: frequency,bet 2: frequency,oop_ev,oop_equity,oop_eqr,ip_ev,ip_equity,ip_eqr,exploitability_pct",
    'QsJh2h,12,"two-tone, high",0.25,,1.5,0.4,0.7,4,0.6,,0.3',
    "all,12,,0.25,,1.5,0.4,0.7,4,0.6,,",
    "",
  ]);
});
