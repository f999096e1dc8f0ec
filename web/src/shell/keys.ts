/** Keys that a view listens to. */
export interface KeyList {
  readonly view: string;
  readonly keys: readonly (readonly [key: string, does: string])[];
}

export const keyLists: readonly KeyList[] = [
  {
    view: "Everywhere",
    keys: [
      ["?", "this list"],
      ["Tab", "to the next field, button or matrix"],
      ["Esc", "close a list or a dialog"],
    ],
  },
  {
    view: "Spot",
    keys: [
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z", "redo"],
      ["← ↑ → ↓", "move in a range or among the cards"],
      ["Space", "paint a hand, or take it away"],
      ["Shift Enter", "paint all pairs, or all hands of a high card"],
    ],
  },
  {
    view: "Browse",
    keys: [
      ["1 2 3 …", "take an action, the most passive first"],
      ["Backspace", "one step back"],
      ["← ↑ → ↓", "move in the matrix"],
    ],
  },
  {
    view: "Hands",
    keys: [
      ["← →", "one step back or on"],
      ["d, Shift D", "to the next decision, or the one before"],
      ["Home, End", "to the start of the hand, or its end"],
    ],
  },
  {
    view: "Train",
    keys: [
      ["1 2 3 …", "answer, the most passive action first"],
      ["Enter, Space", "the next question"],
    ],
  },
  {
    view: "Texas 42",
    keys: [
      ["← →", "choose a domino"],
      ["Enter", "play it"],
    ],
  },
];
