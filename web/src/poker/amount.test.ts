import { expect, test } from "vitest";
import { AmountFormat, unitsOf } from "./amount";

const root = { pot: 5.5, stacks: { oop: 97.5, ip: 97.5 }, previous: 0 };
const facingBet = { pot: 7.3, stacks: { oop: 95.7, ip: 97.5 }, previous: 1.8 };

test("amounts are shown in their own unit unless another one is asked for", () => {
  const chips = new AmountFormat({ unit: "chips", big_blind: null });
  expect(chips.text(180, 180)).toBe("180");
  expect(chips.ev(74.891, 180)).toBe("74.89");
  expect(chips.action("bet 94", { ...root, pot: 180 })).toBe("bet 94");
  expect(chips.heading).toBe("EV");
  const blinds = new AmountFormat({ unit: "bb", big_blind: null });
  expect(blinds.text(5.5, 5.5)).toBe("5.5 bb");
  expect(blinds.action("bet 1.8", root)).toBe("bet 1.8");
});

test("the other unit needs a big blind", () => {
  expect(unitsOf({ unit: "bb", big_blind: null })).toEqual(["bb", "pot"]);
  expect(unitsOf({ unit: "chips", big_blind: 2 })).toEqual(["chips", "bb", "pot"]);
  expect(new AmountFormat({ unit: "bb", big_blind: null }, "chips").text(5.5, 5.5)).toBe("5.5 bb");
  const chips = new AmountFormat({ unit: "bb", big_blind: 2 }, "chips");
  expect([chips.text(5.5, 5.5), chips.action("bet 1.8", root)]).toEqual(["11 chips", "bet 3.6 chips"]);
  const blinds = new AmountFormat({ unit: "chips", big_blind: 2 }, "bb");
  expect([blinds.text(11, 11), blinds.ev(3, 11)]).toEqual(["5.5 bb", "1.50"]);
});

test("shares of the pot are as sizes are written", () => {
  const money = { unit: "bb", big_blind: null } as const;
  const pot = new AmountFormat(money, "pot");
  expect(pot.ev(2.75, 5.5)).toBe("50.00");
  expect(pot.ev(null, 5.5)).toBe("–");
  expect(pot.action("bet 1.8", root)).toBe("bet 32.73%");
  expect(pot.action("raise 6", facingBet)).toBe("raise 46.15%");
  expect(pot.action("call", facingBet)).toBe("call");
  expect(pot.pot(5.5, money)).toBe("5.5 bb");
});
