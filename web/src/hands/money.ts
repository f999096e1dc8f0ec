import type { Hand } from "./api";

/** What is played for that has no name of its own: the chips of a tournament, and play money. */
const chips = ["chips", "play", "other"];

/** How the amounts of a hand are shown: in big blinds, or in the money that it was played for. */
export class HandMoney {
  /** What the address says of it. */
  readonly unit: "bb" | "played";
  /** What stands behind an amount. */
  readonly name: string;
  readonly #factor: number;

  constructor(hand?: Pick<Hand, "big_blind" | "currency">, asked: string | null = null) {
    this.unit = hand && asked === "played" ? "played" : "bb";
    this.name = hand && this.unit === "played" ? HandMoney.nameOf(hand.currency) : "bb";
    this.#factor = this.unit === "played" ? (hand?.big_blind ?? 1) : 1;
  }

  /** What people call the money of a hand: `USD`, `chips`. */
  static nameOf(currency: string): string {
    return chips.includes(currency) ? "chips" : currency;
  }

  /** A number of big blinds without its unit, with two decimals at most. */
  number(blinds: number): string {
    return String(Math.round(blinds * this.#factor * 100) / 100 + 0);
  }

  /** The same with two decimals. */
  fixed(blinds: number): string {
    return (blinds * this.#factor).toFixed(2);
  }

  /** A number of big blinds with its unit. */
  text(blinds: number): string {
    return `${this.number(blinds)} ${this.name}`;
  }
}

export const inBlinds = new HandMoney();
