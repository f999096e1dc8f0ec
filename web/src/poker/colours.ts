/** What a colour is needed for: an action by its name and amount. */
export interface Coloured {
  readonly action: string;
  readonly amount: number;
}

/**
 * Colours for the actions of one decision, as CSS: fold blue, check and call green, bets and raises in reds that darken with the
 * size, all-in darkest.
 */
export function actionColours(actions: readonly Coloured[]): string[] {
  const aggressive = actions.map((_, at) => at).filter((at) => isBet(actions[at]!.action));
  const order = [...aggressive].sort((a, b) => actions[a]!.amount - actions[b]!.amount);
  return actions.map((action, at) => {
    if (action.action === "fold") return "var(--fold)";
    if (action.action === "all-in") return "var(--all-in)";
    if (!isBet(action.action)) return "var(--passive)";
    return `var(--bet-${shade(order.indexOf(at), order.length)})`;
  });
}

function isBet(action: string): boolean {
  return action === "bet" || action === "raise";
}

/** One of four reds: sizes are spread over them, a single size takes the second. */
function shade(rank: number, count: number): number {
  if (count === 1) return 2;
  return 1 + Math.round((rank * Math.min(3, count - 1)) / (count - 1));
}

/** A gradient whose stripes are as wide as the shares. */
export function stripes(shares: readonly number[], colours: readonly string[]): string {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total <= 0) return "none";
  let at = 0;
  const parts: string[] = [];
  shares.forEach((share, index) => {
    if (share <= 0) return;
    const from = at;
    at += (share / total) * 100;
    parts.push(`${colours[index] ?? "transparent"} ${from.toFixed(2)}% ${at.toFixed(2)}%`);
  });
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

/** Red through amber to green, for EV, equity and the like; `share` from 0 to 1. */
export function heat(share: number): string {
  const bounded = Math.max(0, Math.min(1, share));
  const hue = 8 + bounded * 132;
  // Yellows are lighter to the eye: white text must stay readable on them too.
  const lightness = 35 - 6 * Math.sin(bounded * Math.PI);
  return `hsl(${hue.toFixed(0)} 50% ${lightness.toFixed(0)}%)`;
}
