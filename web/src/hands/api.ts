import { client, unwrap } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type HandsSession = Schemas["HandsSessionInfo"];
export type HandsReport = Schemas["HandsReport"];
export type HandInfo = Schemas["HandInfo"];
export type Hand = Schemas["HandDocument"];
export type HandAction = Schemas["HandAction"];
export type Decision = Schemas["DecisionRow"];
export type LossTotal = Schemas["LossTotal"];
export type Totals = Schemas["SessionTotals"];
export type SessionRange = Schemas["SessionRange"];
export type NewHands = Schemas["NewHands"];

const path = (id: number): { params: { path: { id: number } } } => ({ params: { path: { id } } });

export const hands = {
  list: () => unwrap(client.GET("/api/hands")),
  add: (request: NewHands) => unwrap(client.POST("/api/hands", { body: request })),
  session: (id: number) => unwrap(client.GET("/api/hands/{id}", path(id))),
  forget: (id: number) => unwrap(client.DELETE("/api/hands/{id}", path(id))),
  takeBack: (id: number) => unwrap(client.POST("/api/hands/{id}/restore", path(id))),
  hand: (id: number, number: number) =>
    unwrap(client.GET("/api/hands/{id}/hands/{number}", { params: { path: { id, number } } })),
  ranges: (id: number) => unwrap(client.GET("/api/hands/{id}/ranges", path(id))),
  setRange: (id: number, name: string, text: string) =>
    unwrap(client.PUT("/api/hands/{id}/ranges/{name}", { params: { path: { id, name } }, body: { text } })),
  resetRange: (id: number, name: string) =>
    unwrap(client.DELETE("/api/hands/{id}/ranges/{name}", { params: { path: { id, name } } })),
  solve: (id: number) => unwrap(client.POST("/api/hands/{id}/solve", path(id))),
  stop: (id: number) => unwrap(client.POST("/api/hands/{id}/stop", path(id))),
  drill: (id: number) => unwrap(client.POST("/api/hands/{id}/drill", path(id))),
};
