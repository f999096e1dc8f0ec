/** From here on a loss is as red as it gets: a third of all points. */
const worst = 28;

/** Green for the best move, through amber to red the more it gives away; dark enough for white text. */
export function regretColour(regret: number): string {
  if (regret <= 0) return "hsl(146 62% 27%)";
  // The root spreads the small losses, which are the common ones.
  const share = Math.sqrt(Math.min(regret, worst) / worst);
  const hue = 62 - share * 62;
  return `hsl(${hue.toFixed(0)} ${(58 + share * 8).toFixed(0)}% ${(26 + share * 12).toFixed(0)}%)`;
}

/** What a move gives away, in words. */
export function regretWords(regret: number): string {
  return regret <= 0 ? "best" : `gives away ${regret}`;
}
