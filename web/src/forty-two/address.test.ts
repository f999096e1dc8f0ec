import { expect, test } from "vitest";
import { readDominoes, readTable, writeDominoes, writeTable, type TableAddress } from "./address";
import { allDominoes, idOf, nameOf } from "./dominoes";

function read(values: Record<string, string | undefined>): TableAddress {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== undefined) query.set(key, value);
  return readTable(query);
}

test("dominoes are numbered by high pip, then low", () => {
  expect([nameOf(0), nameOf(1), nameOf(2), nameOf(27)]).toEqual(["0-0", "1-0", "1-1", "6-6"]);
  expect(idOf(4, 6)).toBe(idOf(6, 4));
  expect(readDominoes(writeDominoes(allDominoes))).toEqual([...allDominoes]);
});

test("an address brings back deal, declaration and plays", () => {
  const seeded: TableAddress = { deal: { seed: 7 }, declaration: 9, plays: [27, 0] };
  expect(read(writeTable(seeded))).toEqual(seeded);
  const hands = [0, 1, 2, 3].map((seat) => allDominoes.slice(seat * 7, seat * 7 + 7));
  const chosen: TableAddress = { deal: { hands }, declaration: 0, plays: [] };
  expect(read(writeTable(chosen))).toEqual(chosen);
});

test("an address that holds nonsense is as one that holds nothing", () => {
  const nothing = read({});
  expect(read({ seed: "-1", hands: "66.65", decl: "12", plays: "x" })).toEqual(nothing);
  expect(read({ hands: "66_66_66_66", seed: "1e99" })).toEqual(nothing);
  expect(read({ plays: "66.99.10" }).plays).toEqual([27]);
});
