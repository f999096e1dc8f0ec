import type { Node, Seat } from "../api/types";
import { summarise } from "../browse/summary";
import type { AmountFormat } from "../poker/amount";
import { cellNames } from "../poker/matrix";
import type { MatrixCell } from "../ui/Matrix13.svelte";

/** What each cell gained (green) or lost (red), the strongest colour for the largest change. */
export function differenceCells(before: Node, after: Node, seat: Seat, amounts: AmountFormat): MatrixCell[] {
  const old = summarise(before.hands[seat], before.pot);
  const now = summarise(after.hands[seat], after.pot);
  const gains = cellNames.map((_, cell) => {
    const from = old[cell]!.ev;
    const to = now[cell]!.ev;
    return from === null || to === null ? null : to - from;
  });
  const most = Math.max(1e-9, ...gains.map((gain) => Math.abs(gain ?? 0)));
  return cellNames.map((name, cell) => {
    const gain = gains[cell]!;
    if (gain === null) return { fill: "none", height: 0, label: `${name}, nothing to compare` };
    const strength = Math.sqrt(Math.abs(gain) / most);
    const plain = amounts.ev(gain, before.pot, 1);
    const text = `${gain > 0 && Number(plain) !== 0 ? "+" : ""}${plain}`;
    return {
      fill: `hsl(${gain >= 0 ? "142 48% 36%" : "8 58% 45%"} / ${(0.12 + 0.88 * strength).toFixed(2)})`,
      height: 1,
      pale: strength < 0.75,
      note: text,
      label: `${name}, EV ${text}`,
    };
  });
}
