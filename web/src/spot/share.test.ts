import { expect, test } from "vitest";
import { pack, unpack } from "./share";

test("a spec comes back from its address", async () => {
  const text = '[ranges]\noop = "22+,AKs:0.5"\n'.repeat(30);
  const code = await pack(text);
  expect(code).toMatch(/^[\w-]+$/);
  expect(code.length).toBeLessThan(text.length / 4);
  expect(await unpack(code)).toBe(text);
});

test("an address that is damaged is no spec", async () => {
  expect(await unpack("!!")).toBeNull();
  expect(await unpack("AAAA")).toBeNull();
});
