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

/** An action of a node, as it is shown. */
export function actionName(node: Node, label: string): string {
  return amountsOf(node).action(label, answered(node, node.path.length));
}

/** The actions of a node, as they are shown. */
export function actionNames(node: Node): string[] {
  return node.actions.map((action) => actionName(node, action.label));
}

/** The line to a node, with its amounts as they are shown. */
export function lineName(node: Node): string {
  const amounts = amountsOf(node);
  const steps = node.path.map((step, at) =>
    step.kind === "action" ? amounts.action(step.label, answered(node, at)) : step.label,
  );
  return steps.join(", ");
}
