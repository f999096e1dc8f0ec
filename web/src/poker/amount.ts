/** Amounts as they are shown: the one way from a number of the server to a text with its unit. */
import { chips } from "./format";

export type ShownUnit = "chips" | "bb" | "pot";

/** What amounts are in, and how many chips a big blind is. */
export interface Money {
  unit: "chips" | "bb";
  big_blind: number | null;
}

/** The betting that an action answers. */
export interface ToAnswer {
  pot: number;
  stacks: { oop: number; ip: number };
  /** What the opponent has put in on the street; 0 without a bet to answer. */
  previous: number;
}

export const unitNames: Record<ShownUnit, string> = { chips: "Chips", bb: "BB", pot: "% pot" };

/** What the amounts can be shown in: the other unit only where the big blind is known. */
export function unitsOf(money: Money): ShownUnit[] {
  return money.big_blind === null ? [money.unit, "pot"] : ["chips", "bb", "pot"];
}

export class AmountFormat {
  readonly unit: ShownUnit;
  readonly #own: boolean;
  readonly #factor: number;

  /** Shows amounts in the unit that is asked for, or in their own if that means nothing here. */
  constructor(money: Money, asked: string | null = null) {
    this.unit = unitsOf(money).find((unit) => unit === asked) ?? money.unit;
    this.#own = this.unit === money.unit;
    const blind = money.big_blind ?? 1;
    this.#factor = this.#own || this.unit === "pot" ? 1 : money.unit === "chips" ? 1 / blind : blind;
  }

  /** The number that is shown, where the pot is `pot`. */
  number(amount: number, pot: number): number {
    return this.unit === "pot" ? (100 * amount) / pot : amount * this.#factor;
  }

  /** An EV without its unit; absent ones are a dash. */
  ev(amount: number | null | undefined, pot: number, digits = 2): string {
    return chips(amount == null ? amount : this.number(amount, pot), digits);
  }

  /** An amount with its unit: `180`, `5.5 bb`, `33%`. */
  text(amount: number, pot: number): string {
    return `${Math.round(100 * this.number(amount, pot)) / 100}${this.#suffix()}`;
  }

  /** A pot with its unit: in percent of itself it would say nothing. */
  pot(amount: number, money: Money): string {
    return this.unit === "pot" ? new AmountFormat(money).text(amount, amount) : this.text(amount, amount);
  }

  /** The heading of EVs, and the name of an axis: `EV`, `EV, bb`. */
  get heading(): string {
    return this.unit === "chips" ? "EV" : `EV, ${this.unit === "bb" ? "bb" : "% pot"}`;
  }

  /** An action: as in a line in the own unit; in percent of the pot as sizes are written, a raise of the pot after calling. */
  action(label: string, at: ToAnswer): string {
    const [name = "", amount] = label.split(" ");
    if (this.#own || amount === undefined || !Number.isFinite(Number(amount))) return label;
    const called = at.pot + Math.abs(at.stacks.oop - at.stacks.ip);
    const more = this.unit === "pot" ? Number(amount) - at.previous : Number(amount);
    return `${name} ${this.text(more, called)}`;
  }

  #suffix(): string {
    if (this.unit === "pot") return "%";
    if (this.unit === "bb") return " bb";
    return this.#own ? "" : " chips";
  }
}
