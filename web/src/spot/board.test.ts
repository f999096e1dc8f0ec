import { expect, test } from "vitest";
import { readBoard } from "./board";

test("cards are read however they are typed", () => {
  expect(readBoard("Ks7d2c")).toEqual(["Ks", "7d", "2c"]);
  expect(readBoard(" kS, 10h 2C 3d ")).toEqual(["Ks", "Th", "2c", "3d"]);
  expect(readBoard("")).toEqual([]);
});

test("what is no board is told", () => {
  expect(readBoard("Ks7")).toBe("“7” is no card: write them like Ks 7d 2c.");
  expect(readBoard("KxQs")).toContain("“Kx” is no card");
  expect(readBoard("KsKs")).toBe("Ks is there twice.");
  expect(readBoard("As2s3s4s5s6s")).toBe("A board has at most five cards.");
});
