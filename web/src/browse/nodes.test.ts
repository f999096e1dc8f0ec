import { afterEach, expect, test, vi } from "vitest";
import type { Node } from "../api/types";
import { nodes, prefetch } from "./nodes";

afterEach(() => vi.unstubAllGlobals());

/** A server that writes down the lines that it is asked for. */
function listener(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    const line = new URL(request.url).searchParams.get("line") ?? "";
    asked.push(line);
    return Promise.resolve(
      new Response(JSON.stringify({ line }), { headers: { "content-type": "application/json" } }),
    );
  });
  return asked;
}

const node = {
  actions: [{ line: "check, check" }, { line: "check, bet 40" }],
  path: [{ line: "check" }],
} as Node;

test("what may come next is asked for ahead, and a step to it asks nothing more", async () => {
  const asked = listener();
  await prefetch("ahead", node, () => false);
  expect(asked).toEqual(["check, check", "check, bet 40", ""]);
  expect(nodes.peek("ahead", "check, bet 40")).toEqual({ line: "check, bet 40" });
  await nodes.get("ahead", "check, check");
  await prefetch("ahead", node, () => false);
  expect(asked).toHaveLength(3);
});

test("nothing more is asked for ahead once the reader is elsewhere", async () => {
  const asked = listener();
  await prefetch("left", node, () => asked.length > 0);
  expect(asked).toEqual(["check, check"]);
});
