import type { SpotName } from "../api/types";

/** What is chosen of the parts of a name. */
export type Choice = Pick<SpotName, "format" | "depth" | "opener" | "other" | "pot_type">;

export const keys = ["format", "depth", "pot_type", "opener", "other"] as const;

/**
 * The spot that is meant when one part of a choice is set anew: that part for sure, of the others as much as there is a spot for,
 * those first that people think of first.
 */
export function nearestSpot(
  spots: readonly SpotName[],
  choice: Choice,
  fixed: keyof Choice,
): SpotName | null {
  const weights: Record<keyof Choice, number> = { format: 16, depth: 8, pot_type: 4, opener: 2, other: 1 };
  let best: SpotName | null = null;
  let most = -1;
  for (const spot of spots) {
    if (spot[fixed] !== choice[fixed]) continue;
    const score = keys.reduce((sum, key) => sum + (spot[key] === choice[key] ? weights[key] : 0), 0);
    if (score > most) [best, most] = [spot, score];
  }
  return best;
}

/** The values of a part that there is a spot for, whatever the other parts; in the order of the list. */
export function valuesOf<K extends keyof Choice>(spots: readonly SpotName[], key: K): SpotName[K][] {
  return [...new Set(spots.map((spot) => spot[key]))];
}
