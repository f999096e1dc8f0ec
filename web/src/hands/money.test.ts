import { expect, test } from "vitest";
import { HandMoney, inBlinds } from "./money";

test("amounts of a hand are big blinds, or the money that it was played for", () => {
  expect([inBlinds.number(1 / 3), inBlinds.text(-0.001), inBlinds.fixed(2)]).toEqual([
    "0.33",
    "0 bb",
    "2.00",
  ]);
  const dollars = new HandMoney({ big_blind: 0.5, currency: "USD" }, "played");
  expect([dollars.number(3), dollars.text(12), dollars.fixed(0.25)]).toEqual(["1.5", "6 USD", "0.13"]);
  expect(new HandMoney({ big_blind: 200, currency: "play" }, "played").text(1.5)).toBe("300 chips");
  // Whatever else is asked for is in big blinds.
  expect(new HandMoney({ big_blind: 0.5, currency: "USD" }, "pot").text(3)).toBe("3 bb");
});
