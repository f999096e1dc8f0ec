import { afterEach, expect, test, vi } from "vitest";
import { api, followLines } from "./client";

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: unknown): void {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }),
    ),
  );
}

test("a refusal is thrown with the server's words and what would help", async () => {
  answer(422, { error: { message: "no such thing", help: "try another", field: "name" } });
  await expect(api.jobs()).rejects.toMatchObject({
    message: "no such thing (try another)",
    status: 422,
    detail: { field: "name" },
  });
});

test("a server that is gone is told from one that refuses", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
  await expect(api.jobs()).rejects.toThrow("The server does not answer. Is `noregret serve` still running?");
});

test("ids with slashes are one piece of the address", async () => {
  const seen: string[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    seen.push(request.url);
    return Promise.resolve(new Response("{}", { headers: { "content-type": "application/json" } }));
  });
  await api.node("flops/QsJh2h", "check, bet 94");
  expect(seen).toEqual(["http://localhost/api/solutions/flops%2FQsJh2h/node?line=check%2C%20bet%2094"]);
});

test("an answer that grows is read line by line, wherever its pieces are cut", async () => {
  const pieces = ['{"n":1}\n{"n"', ":2}", '\n{"n":3}\n'];
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      for (const piece of pieces) out.enqueue(new TextEncoder().encode(piece));
      out.close();
    },
  });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body)));
  const seen: { n: number }[] = [];
  await followLines<{ n: number }>("/api/x", {}, new AbortController().signal, (line) => seen.push(line));
  expect(seen.map(({ n }) => n)).toEqual([1, 2, 3]);
});

test("an answer that grows can be refused, too", async () => {
  answer(422, { error: { message: "no such hand" } });
  const asked = followLines("/api/x", {}, new AbortController().signal, () => undefined);
  await expect(asked).rejects.toThrow("no such hand");
});
