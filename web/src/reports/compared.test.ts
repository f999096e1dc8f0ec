import { expect, test } from "vitest";
import type { ReportRow, ReportVariant } from "./api";
import { compare, type Side } from "./compared";
import { meanOf } from "./mean";

/** A flop where the pot is 10: the first action's frequency, OOP's EV, and how often it happens. */
function row(flop: string, first: number, ev: number, weight: number, matchups = 1): ReportRow {
  return {
    flop,
    board: flop.match(/../g) ?? [],
    weight,
    matchups,
    texture: [],
    frequencies: [first, 1 - first],
    ev: { oop: ev, ip: 10 - ev },
    equity: { oop: 0.5, ip: 0.5 },
    eqr: { oop: ev / 5, ip: (10 - ev) / 5 },
    exploitability_pct: 0.3,
    solution: `x/${flop}`,
  };
}

function side(rows: ReportRow[], change: Partial<ReportVariant> = {}): Side {
  const variant: ReportVariant = {
    name: "",
    unit: "bb",
    big_blind: null,
    player: "oop",
    actions: ["check", "bet 5"],
    rows,
    // Of other flops than those that are compared: nothing may come from here.
    average: {
      frequencies: [0, 1],
      ev: { oop: 99, ip: 99 },
      equity: { oop: 0, ip: 0 },
      eqr: { oop: 0, ip: 0 },
    },
    groups: [],
    ...change,
  };
  return { variant, line: "", rows };
}

test("a mean counts each board as often as it happens", () => {
  const mean = meanOf(
    [row("As7d2c", 1, 6, 12, 100), row("QsJh2h", 0, 2, 4, 300), row("Ts9s8s", 0, 3, 4, 0)],
    2,
  );
  expect(mean.frequencies).toEqual([0.5, 0.5]);
  expect(mean.ev).toEqual({ oop: 4, ip: 6 });
  expect(mean.equity.oop).toBeCloseTo(0.5);
  expect(mean.eqr.oop).toBeCloseTo(0.8);
  expect(meanOf([], 1)).toEqual({
    frequencies: [null],
    ev: { oop: null, ip: null },
    equity: { oop: null, ip: null },
    eqr: { oop: null, ip: null },
  });
});

test("batches are compared on the flops that both have, in the mean too", () => {
  const first = side([row("As7d2c", 0.5, 6, 12), row("QsJh2h", 0.5, 4, 4), row("Ts9s8s", 1, 9, 100)]);
  const second = side([row("As7d2c", 0.75, 7, 12), row("QsJh2h", 0.75, 1, 4), row("8s5h3d", 0, 1, 100)]);
  const { mean, flops, labels, unit } = compare(first, second, "oop", "bb");
  expect([unit, labels]).toEqual(["bb", ["check", "bet 5"]]);
  expect(flops.map(({ row: each, difference }) => [each.flop, difference.ev])).toEqual([
    ["QsJh2h", -3],
    ["As7d2c", 1],
  ]);
  expect(mean.ev).toBeCloseTo(0);
  expect(mean.frequencies[0]).toBeCloseTo(0.25);
  expect(mean.equity).toBeCloseTo(0);
});

test("chips and big blinds are compared in one unit", () => {
  const bb = side([row("As7d2c", 0.5, 6, 12)]);
  const inChips = row("As7d2c", 0.5, 12, 12);
  inChips.ev = { oop: 12, ip: 8 };
  inChips.eqr = { oop: 1.2, ip: 0.8 };
  const chips = side([inChips], { unit: "chips", big_blind: 2, actions: ["check", "bet 10"] });
  const known = compare(bb, chips, "oop", "bb");
  expect([known.unit, known.labels, known.mean.ev]).toEqual(["bb", ["check", "bet 5"], 0]);
  const share = compare(bb, chips, "oop", "pot");
  expect([share.unit, share.labels, share.mean.ev]).toEqual(["pot", ["check", "bet 50%"], 0]);
  // How many chips a big blind is, is not known: only shares of the pot can be compared.
  const unknown = compare(bb, side([inChips], { unit: "chips", actions: ["check", "bet 10"] }), "oop", "bb");
  expect([unknown.unit, unknown.mean.ev]).toEqual(["pot", 0]);
});
