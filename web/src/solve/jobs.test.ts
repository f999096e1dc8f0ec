import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/client";
import { Jobs, joinHistory } from "./jobs.svelte";

afterEach(() => vi.unstubAllGlobals());

test("measurements are joined in order, and once each", () => {
  const point = (iteration: number) => ({
    iteration,
    seconds: iteration / 10,
    exploitability_pct: 1 / iteration,
  });
  expect(joinHistory([point(10), point(20)], [point(20), point(30)]).map((each) => each.iteration)).toEqual([
    10, 20, 30,
  ]);
});

test("what an action was refused for stays until something else is done", async () => {
  let refuse = true;
  vi.stubGlobal("fetch", (request: Request) => {
    const [status, body] =
      request.method === "POST" && refuse ? [409, { error: { message: "give more" } }] : [200, []];
    const headers = { "content-type": "application/json" };
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
  });
  const jobs = new Jobs();
  expect(await jobs.act("1", () => api.resume("1"))).toBe(false);
  await jobs.refresh();
  expect(jobs.trouble).toBe("give more");
  refuse = false;
  expect(await jobs.act("1", () => api.resume("1"))).toBe(true);
  expect(jobs.trouble).toBe("");
});
