import { prefersReducedMotion } from "svelte/motion";
import { crossfade, type CrossfadeParams } from "svelte/transition";
import { cubicInOut } from "svelte/easing";

/** A domino that leaves one place and appears in another flies there; where motion is not wanted it is there at once. */
export const [leaves, arrives] = crossfade({
  duration: () => (prefersReducedMotion.current ? 0 : 340),
  easing: cubicInOut,
  fallback: () => ({ duration: 0 }),
} satisfies CrossfadeParams & Parameters<typeof crossfade>[0]);

/** How long a step of a game that plays itself is looked at. */
export const stepMilliseconds = 900;
