import type { Node } from "../api/types";
import { AmountFormat, type ToAnswer } from "../poker/amount";
import { router } from "../shell/router.svelte";
import { readLabel } from "./label";

/** How the amounts of a node are shown: as the address asks. */
export function amountsOf(node: Node): AmountFormat {
  return new AmountFormat(node, router.place.query.get("unit"));
}

/** The betting that a step of the path answers; that of the node itself after the last one. */
export function answered(node: Node, step: number): ToAnswer {
  const { pot, stacks } = node.path[step] ?? node;
  const before = node.path[step - 1];
  return { pot, stacks, previous: before?.kind === "action" ? readLabel(before.label).amount : 0 };
}

/** The actions of a node, as they are shown. */
export function actionNames(node: Node): string[] {
  const [amounts, at] = [amountsOf(node), answered(node, node.path.length)];
  return node.actions.map((action) => amounts.action(action.label, at));
}
