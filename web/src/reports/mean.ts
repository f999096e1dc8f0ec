import type { Numbers, ReportRow } from "./api";
import { potOf } from "./order";

const seats = ["oop", "ip"] as const;

/**
 * The mean over some boards, as the server makes that over all: each counts as often as it happens, by the boards that it stands for
 * times the pairs of hands that get there.
 */
export function meanOf(rows: readonly ReportRow[], actions: number): Numbers {
  const often = (row: ReportRow): number => row.weight * row.matchups;
  const sum = (of: readonly ReportRow[], value: (row: ReportRow) => number): number =>
    of.reduce((total, row) => total + value(row), 0);
  const all = sum(rows, often);
  const frequencies = Array.from({ length: actions }, (_, action) => {
    const isThere = rows.some((row) => row.frequencies[action] != null);
    const taken = sum(rows, (row) => often(row) * (row.frequencies[action] ?? 0));
    return isThere && all > 0 ? taken / all : null;
  });
  const sides = seats.map((seat) => {
    const known = rows.filter((row) => row.ev[seat] !== null && row.equity[seat] !== null);
    const weight = sum(known, often);
    const ev = sum(known, (row) => often(row) * row.ev[seat]!);
    const share = sum(known, (row) => often(row) * row.equity[seat]! * (potOf(row, seat) ?? 0));
    const mean = (total: number): number | null => (weight > 0 ? total / weight : null);
    return {
      ev: mean(ev),
      equity: mean(sum(known, (row) => often(row) * row.equity[seat]!)),
      eqr: share > 0 ? ev / share : null,
    };
  });
  const both = <K extends "ev" | "equity" | "eqr">(key: K): Numbers[K] => ({
    oop: sides[0]![key],
    ip: sides[1]![key],
  });
  return { frequencies, ev: both("ev"), equity: both("equity"), eqr: both("eqr") };
}
