import type { Seat } from "../api/types";
import { AmountFormat, unitsOf, type ShownUnit } from "../poker/amount";
import type { Numbers, ReportRow, ReportVariant } from "./api";
import { meanOf } from "./mean";
import { bettingAt, potOf } from "./order";

/** One of two batches: what it has at a line, and the flops of it that are compared. */
export interface Side {
  variant: ReportVariant;
  /** The line, in the unit of its solutions. */
  line: string;
  rows: readonly ReportRow[];
}

/** A second batch minus the first, on one flop or in the mean. */
export interface Difference {
  frequencies: (number | null)[];
  ev: number | null;
  equity: number | null;
}

export interface Compared {
  /** What amounts are in: one unit for both. */
  unit: ShownUnit;
  heading: string;
  /** The actions of either, as they are called in that unit. */
  labels: string[];
  /** Over the flops that both have. */
  mean: Difference;
  /** Those flops, the ones first on which they differ most. */
  flops: { row: ReportRow; difference: Difference }[];
}

/** The unit that is asked for if both batches can be shown in it; else one that both can. */
function commonUnit(a: ReportVariant, b: ReportVariant, asked: ShownUnit): ShownUnit {
  const both = unitsOf(a).filter((unit) => unitsOf(b).includes(unit));
  return both.find((unit) => unit === asked) ?? both.find((unit) => unit === a.unit) ?? "pot";
}

/** Two batches on the flops that both have: the second minus the first. */
export function compare(first: Side, second: Side, seat: Seat, asked: ShownUnit): Compared {
  const unit = commonUnit(first.variant, second.variant, asked);
  const sides = [first, second].map(({ variant, line, rows }) => {
    const pot =
      rows.map((row) => potOf(row, "oop") ?? potOf(row, "ip")).find((each) => each !== null) ?? null;
    const format = new AmountFormat(variant, unit);
    // Without the unit, which only amounts in another than their own have: both are in one.
    const name = (label: string): string =>
      pot === null ? label : format.action(label, bettingAt(line, pot)).replace(/ (bb|chips)$/, "");
    const named = variant.actions.map(name);
    const ev = (numbers: Numbers): number | null => {
      const own = numbers.ev[seat];
      return own === null || (pot === null && unit === "pot") ? null : format.number(own, pot ?? 1);
    };
    return { format, named, ev, actions: variant.actions.length };
  });
  const [a, b] = [sides[0]!, sides[1]!];
  const labels = [...new Set([...a.named, ...b.named])];
  const minus = (before: number | null | undefined, after: number | null | undefined): number | null =>
    before == null || after == null ? null : after - before;
  const difference = (before: Numbers, after: Numbers): Difference => ({
    frequencies: labels.map((label) =>
      minus(before.frequencies[a.named.indexOf(label)], after.frequencies[b.named.indexOf(label)]),
    ),
    ev: minus(a.ev(before), b.ev(after)),
    equity: minus(before.equity[seat], after.equity[seat]),
  });
  const pairs = first.rows.flatMap((row) => {
    const twin = second.rows.find((each) => each.flop === row.flop);
    return twin ? [{ row, twin }] : [];
  });
  const flops = pairs
    .map(({ row, twin }) => ({ row, difference: difference(row, twin) }))
    .sort((x, y) => Math.abs(y.difference.ev ?? 0) - Math.abs(x.difference.ev ?? 0));
  const mean = difference(
    meanOf(
      pairs.map(({ row }) => row),
      a.actions,
    ),
    meanOf(
      pairs.map(({ twin }) => twin),
      b.actions,
    ),
  );
  return { unit, heading: a.format.heading, labels, mean, flops };
}
