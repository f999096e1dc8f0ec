import type { Coloured } from "../poker/colours";

/** `bet 94` as its name and amount. */
export function readLabel(label: string): Coloured {
  const [action = "", amount = "0"] = label.split(" ");
  return { action, amount: Number(amount) || 0 };
}
