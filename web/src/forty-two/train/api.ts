import { client, unwrap } from "../../api/client";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];

export type DominoSession = Schemas["DominoSession"];
export type DominoQuestion = Schemas["DominoQuestion"];
export type DominoVerdict = Schemas["DominoVerdict"];
export type DominoTotals = Schemas["DominoTotals"];

const at = (id: number) => ({ params: { path: { id } } });

/** Drills of Texas 42. */
export const drills = {
  list: () => unwrap(client.GET("/api/forty-two/drills")),
  start: (settings: string) => unwrap(client.POST("/api/forty-two/drills", { body: { settings } })),
  show: (id: number) => unwrap(client.GET("/api/forty-two/drills/{id}", at(id))),
  answer: (id: number, decision: number, domino: number) =>
    unwrap(client.POST("/api/forty-two/drills/{id}/answers", { ...at(id), body: { decision, domino } })),
  forget: (id: number) => unwrap(client.DELETE("/api/forty-two/drills/{id}", at(id))),
  takeBack: (id: number) => unwrap(client.POST("/api/forty-two/drills/{id}/restore", at(id))),
};
