export type DominoSetName = "ivory" | "black";

/** Which dominoes lie on the table; kept between visits. */
class DominoSetChoice {
  current = $state<DominoSetName>(remembered());

  choose(name: DominoSetName): void {
    this.current = name;
    localStorage.setItem("dominoes", name);
  }
}

function remembered(): DominoSetName {
  if (typeof localStorage === "undefined") return "ivory";
  return localStorage.getItem("dominoes") === "black" ? "black" : "ivory";
}

export const dominoSet = new DominoSetChoice();
