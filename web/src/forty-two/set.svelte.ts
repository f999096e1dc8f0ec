import { keep, recall } from "../shell/stored";

export type DominoSetName = "ivory" | "black";

/** Which dominoes lie on the table; kept between visits. */
class DominoSetChoice {
  current = $state<DominoSetName>(remembered());

  choose(name: DominoSetName): void {
    this.current = name;
    keep("dominoes", name);
  }
}

function remembered(): DominoSetName {
  return recall("dominoes") === "black" ? "black" : "ivory";
}

export const dominoSet = new DominoSetChoice();
