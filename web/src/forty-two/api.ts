import { call } from "../api/client";
import type { DealSource, TableAddress } from "./address";
import type { DominoId } from "./dominoes";

export interface DominoFace {
  id: DominoId;
  high: number;
  low: number;
  count: number;
}
export interface Deal {
  seed?: number;
  hands: DominoFace[][];
  text: string;
}
export interface Play {
  seat: number;
  domino: DominoId;
}
export interface FinishedTrick {
  leader: number;
  plays: Play[];
  winner: number;
  points: number;
}
export interface Move {
  domino: DominoId;
  value: number;
  regret: number;
}
export interface Position {
  seat: number | null;
  leader: number;
  trick: Play[];
  tricks: FinishedTrick[];
  score: [number, number];
  value: number;
  points: [number, number];
  moves: Move[];
  hands: DominoFace[][];
  best_line: Play[];
  finished: boolean;
}
export interface Declaration {
  id: number;
  name: string;
}
export interface BidChance {
  bid: number;
  chance: number;
  low: number;
  high: number;
}
export interface DeclarationBids {
  decl: number;
  name: string;
  deals: number;
  mean_points: number;
  bids: BidChance[];
  highest_bid: number | null;
}
export interface Bids {
  hand: string;
  seed: number;
  chance: number;
  declarations: DeclarationBids[];
  best: { decl: number; name: string; bid: number } | null;
}
export interface BidQuestion {
  hand: readonly DominoId[];
  samples: number;
  seed: number;
  chance: number;
}

/** What to deal: a seed, hands by number or as text, or nothing for a random deal. */
export type DealQuestion = DealSource | { hands: string } | Record<string, never>;

export const fortyTwo = {
  declarations: () => call<Declaration[]>("GET", "/api/forty-two/declarations"),
  deal: (question: DealQuestion, signal?: AbortSignal) =>
    call<Deal>("POST", "/api/forty-two/deals", question, signal),
  position: (at: TableAddress, signal?: AbortSignal) =>
    call<Position>("POST", "/api/forty-two/positions", at, signal),
  bids: (question: BidQuestion, signal?: AbortSignal) =>
    call<Bids>("POST", "/api/forty-two/bids", question, signal),
};
