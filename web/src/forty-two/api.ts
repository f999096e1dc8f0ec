import { client, followLines, unwrap } from "../api/client";
import type { components } from "../api/schema";
import type { DealSource, TableAddress } from "./address";

type Schemas = components["schemas"];

export type DominoFace = Schemas["DominoFace"];
export type Deal = Schemas["DealAnswer"];
export type Play = Schemas["Play"];
export type Move = Schemas["Move"];
export type Position = Schemas["PositionAnswer"];
export type Declaration = Schemas["DeclarationName"];
export type Bids = Schemas["BidAnswer"];
export type Expectation = Schemas["ExpectationAnswer"];

/** What to deal: a seed, hands by number or as text, or nothing for a random deal. */
export type DealQuestion = DealSource | { hands: string } | Record<string, never>;

export const fortyTwo = {
  declarations: () => unwrap(client.GET("/api/forty-two/declarations")),
  deal: (question: DealQuestion) => unwrap(client.POST("/api/forty-two/deals", { body: question })),
  position: ({ deal, declaration, plays }: TableAddress) =>
    unwrap(
      client.POST("/api/forty-two/positions", {
        body: { deal, declaration, plays: [...plays] },
      }),
    ),
  bids: (question: Schemas["BidQuestion"], signal: AbortSignal, seen: (bids: Bids) => void) =>
    followLines("/api/forty-two/bids/lines", question, signal, seen),
  expectation: (
    question: Schemas["ExpectationQuestion"],
    signal: AbortSignal,
    seen: (expectation: Expectation) => void,
  ) => followLines("/api/forty-two/expectations", question, signal, seen),
};
