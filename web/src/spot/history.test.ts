import { expect, test } from "vitest";
import { History } from "./history";

const same = (a: string, b: string): boolean => a === b;

test("what was undone can be done again until something else is", () => {
  const history = new History<string>();
  for (const state of ["a", "a", "b", "c"]) history.note(state, same);
  expect([history.undo(), history.undo(), history.undo()]).toEqual(["b", "a", undefined]);
  expect([history.redo(), history.redo(), history.redo()]).toEqual(["b", "c", undefined]);
  history.undo();
  history.note("d", same);
  expect([history.canRedo, history.undo(), history.canUndo, history.undo()]).toEqual([false, "b", true, "a"]);
});

test("the oldest states are given up", () => {
  const history = new History<string>(2);
  for (const state of ["a", "b", "c", "d"]) history.note(state, same);
  expect([history.undo(), history.undo(), history.undo()]).toEqual(["c", "b", undefined]);
});

test("a state can be written otherwise without a step", () => {
  const history = new History<string>();
  for (const state of ["a", "long"]) history.note(state, same);
  history.amend("other", "short", same);
  history.amend("long", "short", same);
  history.note("short", same);
  expect([history.undo(), history.redo()]).toEqual(["a", "short"]);
});
