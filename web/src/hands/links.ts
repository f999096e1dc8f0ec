import { cellOf } from "../poker/matrix";
import { href } from "../shell/router.svelte";
import type { Decision, Hand } from "./api";

/** A decision in Browse; the line that was played is marked there, and leads back to the hand. */
export function browseAt(decision: Decision, hand?: Hand, session?: number, number?: number): string {
  const from = session === undefined || number === undefined ? undefined : `${session}/${number}`;
  return href(["browse", decision.solution], {
    line: decision.line,
    played: hand?.solution?.line ?? `${decision.line ? `${decision.line}, ` : ""}${decision.played}`,
    // As the decision is told here; a solution of a hand is in small chips.
    unit: "bb",
    cell: decision.hole ? String(cellOf(decision.hole)) : undefined,
    from,
  });
}

/** Whether a line is a part of what was played. */
export function wasPlayed(line: string, played: string): boolean {
  return line !== "" && (played === line || played.startsWith(`${line}, `));
}

/** The address of the hand that a place in Browse was opened from. */
export function handOf(from: string | null): string | null {
  const [session, number] = from?.split("/") ?? [];
  return session && number && /^\d+$/.test(session) && /^\d+$/.test(number)
    ? href(["hands", session, number])
    : null;
}
