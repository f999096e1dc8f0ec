import type { Node, Seat } from "../api/types";

/** A choice whose frequency is another now. */
export interface Change {
  player: Seat;
  /** The step of the path that is the choice; the length of the path for the node itself. */
  step: number;
  label: string;
  from: number;
  to: number;
}

/**
 * What changed most on the way to a node, where the same node is looked at in two solutions: the decisions of the path, and that of
 * the node itself if it is not locked.
 */
export function changedMost(before: Node, after: Node, lockedHere: boolean): Change | null {
  const changes: Change[] = [];
  before.path.forEach((step, at) => {
    for (const choice of step.choices) {
      const now = after.path[at]?.choices.find((each) => each.label === choice.label);
      if (step.player && now && choice.frequency !== null && now.frequency !== null)
        changes.push({
          player: step.player,
          step: at,
          label: choice.label,
          from: choice.frequency,
          to: now.frequency,
        });
    }
  });
  if (!lockedHere && before.player)
    for (const action of before.actions) {
      const now = after.actions.find((each) => each.label === action.label);
      if (now && action.frequency !== null && now.frequency !== null)
        changes.push({
          player: before.player,
          step: before.path.length,
          label: action.label,
          from: action.frequency,
          to: now.frequency,
        });
    }
  const size = (change: Change): number => Math.abs(change.to - change.from);
  return changes.reduce<Change | null>(
    (most, change) => (most === null || size(change) > size(most) ? change : most),
    null,
  );
}

/** Who gains by the locks, and how much. */
export function gain(
  before: Record<Seat, number>,
  after: Record<Seat, number>,
): { player: Seat; from: number; to: number } {
  const player = after.oop - before.oop >= after.ip - before.ip ? "oop" : "ip";
  return { player, from: before[player], to: after[player] };
}
