import createClient from "openapi-fetch";
import type { paths } from "./schema";
import type { Annotation, ErrorDetail, Job, NewSolve, Seat, SolutionSummary, WeightedHand } from "./types";

/** A refusal of the server, with the field and what would be accepted where it says so. */
export class ApiError extends Error {
  constructor(
    readonly detail: ErrorDetail,
    readonly status: number,
  ) {
    super(detail.help ? `${detail.message} (${detail.help})` : detail.message);
  }
}

/**
 * The API with the types of its description. Whatever changes something must say that it is JSON: the server takes nothing else.
 * `fetch` is looked up at each call, so that tests can put their own in its place.
 */
export const client = createClient<paths>({
  baseUrl: typeof window === "undefined" ? "http://localhost" : window.location.origin,
  headers: { "content-type": "application/json" },
  fetch: (request) => globalThis.fetch(request),
});

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** The data of an answer; throws an `ApiError` whatever goes wrong, so that callers have one thing to show. */
export async function unwrap<T>(answer: Answer<T>): Promise<T> {
  let got: Awaited<Answer<T>>;
  try {
    got = await answer;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError({ message: "The server does not answer. Is `noregret serve` still running?" }, 0);
  }
  if (got.response.ok) return got.data as T;
  throw new ApiError(refusal(got.error, got.response), got.response.status);
}

function refusal(body: unknown, response: Response): ErrorDetail {
  const detail = (body as { error?: ErrorDetail } | undefined)?.error;
  return detail?.message
    ? detail
    : { message: `The server answered ${response.status} ${response.statusText}.` };
}

/** Asks for an answer that grows: `seen` gets each line of it, the last one at the end. */
export async function followLines<T>(
  path: string,
  question: unknown,
  signal: AbortSignal,
  seen: (line: T) => void,
): Promise<void> {
  let response: Response;
  try {
    response = await globalThis.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
      signal,
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError({ message: "The server does not answer. Is `noregret serve` still running?" }, 0);
  }
  if (!response.ok || !response.body) {
    throw new ApiError(refusal(await response.json().catch(() => undefined), response), response.status);
  }
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) seen(JSON.parse(line) as T);
  }
}

const cancel = (signal?: AbortSignal): { signal: AbortSignal } | object => (signal ? { signal } : {});

export const api = {
  health: () => unwrap(client.GET("/api/health")),
  examples: () => unwrap(client.GET("/api/examples")),
  presets: () => unwrap(client.GET("/api/presets")),

  parseRange: (text: string) => unwrap(client.POST("/api/ranges/parse", { body: { text } })),
  printRange: (hands: WeightedHand[]) => unwrap(client.POST("/api/ranges/print", { body: { hands } })),
  savedRanges: () => unwrap(client.GET("/api/ranges")),
  saveRange: (name: string, text: string) =>
    unwrap(client.PUT("/api/ranges/{name}", { params: { path: { name } }, body: { text } })),
  forgetRange: (name: string) => unwrap(client.DELETE("/api/ranges/{name}", { params: { path: { name } } })),

  spots: () => unwrap(client.GET("/api/spots")),
  namedSpot: (name: string, rake: string, board: string) =>
    unwrap(client.GET("/api/spots/{name}", { params: { path: { name }, query: { rake, board } } })),
  charts: (format: string, depth: number) =>
    unwrap(client.GET("/api/charts", { params: { query: { format, depth } } })),

  check: (toml: string, signal?: AbortSignal) =>
    unwrap(client.POST("/api/specs/check", { body: { toml }, ...cancel(signal) })),
  tree: (toml: string, line: string, signal?: AbortSignal) =>
    unwrap(client.POST("/api/specs/tree", { body: { toml, line }, ...cancel(signal) })),

  jobs: () => unwrap(client.GET("/api/solves")),
  job: (id: string) => unwrap(client.GET("/api/solves/{id}", { params: { path: { id } } })),
  solve: (request: NewSolve) => unwrap(client.POST("/api/solves", { body: request })),
  stop: (id: string) => unwrap(client.POST("/api/solves/{id}/stop", { params: { path: { id } } })),
  look: (id: string) => unwrap(client.POST("/api/solves/{id}/look", { params: { path: { id } } })),
  resume: (id: string, more: { target_pct?: number; max_iterations?: number } = {}) =>
    unwrap(client.POST("/api/solves/{id}/resume", { params: { path: { id } }, body: more })),
  forgetJob: (id: string) => unwrap(client.DELETE("/api/solves/{id}", { params: { path: { id } } })),
  takeBackJob: (id: string) => unwrap(client.POST("/api/solves/{id}/restore", { params: { path: { id } } })),

  solutions: () => unwrap(client.GET("/api/solutions")),
  solution: (id: string) => unwrap(client.GET("/api/solutions/{id}", { params: { path: { id } } })),
  renameSolution: (id: string, name: string) =>
    unwrap(client.POST("/api/solutions/{id}/rename", { params: { path: { id } }, body: { name } })),
  annotate: (id: string, annotation: Annotation) =>
    unwrap(client.PUT("/api/solutions/{id}/annotation", { params: { path: { id } }, body: annotation })),
  trash: () => unwrap(client.GET("/api/trash")),
  takeBack: (id: string) => unwrap(client.POST("/api/trash/{id}/restore", { params: { path: { id } } })),
  emptyTrash: () => unwrap(client.DELETE("/api/trash")),
  removeSolution: (id: string) => unwrap(client.DELETE("/api/solutions/{id}", { params: { path: { id } } })),
  fileAddress: (id: string) => `/api/solutions/${encodeURIComponent(id)}/file`,
  node: (id: string, line: string) =>
    unwrap(client.GET("/api/solutions/{id}/node", { params: { path: { id }, query: { line } } })),
  runouts: (id: string, line: string) =>
    unwrap(client.GET("/api/solutions/{id}/runouts", { params: { path: { id }, query: { line } } })),
  tryLocks: (id: string, toml: string, line: string) =>
    unwrap(client.POST("/api/solutions/{id}/locks", { params: { path: { id } }, body: { toml, line } })),
  exploit: (id: string, line: string, player: Seat) =>
    unwrap(client.GET("/api/solutions/{id}/exploit", { params: { path: { id }, query: { line, player } } })),

  startDrill: (solution: string, settings: string) =>
    unwrap(client.POST("/api/drills", { body: { solution, settings } })),
  drills: () => unwrap(client.GET("/api/drills")),
  drill: (id: number) => unwrap(client.GET("/api/drills/{id}", { params: { path: { id } } })),
  drillAnswers: (id: number) => unwrap(client.GET("/api/drills/{id}/answers", { params: { path: { id } } })),
  answerDrill: (id: number, decision: number, action: string) =>
    unwrap(client.POST("/api/drills/{id}/answers", { params: { path: { id } }, body: { decision, action } })),
  forgetDrill: (id: number) => unwrap(client.DELETE("/api/drills/{id}", { params: { path: { id } } })),
  takeBackDrill: (id: number) =>
    unwrap(client.POST("/api/drills/{id}/restore", { params: { path: { id } } })),
  review: () => unwrap(client.GET("/api/drills/review")),
  startReview: () => unwrap(client.POST("/api/drills/review")),

  async upload(name: string, file: Blob): Promise<SolutionSummary> {
    const response = await fetch(`/api/solutions?name=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: file,
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw new ApiError(refusal(body, response), response.status);
    return body as SolutionSummary;
  },
};

/** Follows a job: `seen` gets each state with the history points since the last one. Returns how to stop listening. */
export function follow(id: string, seen: (job: Job) => void, ended: () => void): () => void {
  const source = new EventSource(`/api/solves/${encodeURIComponent(id)}/events`);
  let last = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const show = (job: Job): void => {
    const history = job.history.filter((point) => point.iteration > last);
    last = history.at(-1)?.iteration ?? last;
    seen({ ...job, history });
  };
  // So many pages can watch at once; one more asks now and then.
  const ask = async (): Promise<void> => {
    const job = await api.job(id).catch(() => undefined);
    if (over) return;
    if (job) show(job);
    if (job && !["queued", "running", "stopping"].includes(job.state)) ended();
    else timer = setTimeout(() => void ask(), pause);
  };
  source.addEventListener("progress", (event) =>
    show(JSON.parse((event as MessageEvent<string>).data) as Job),
  );
  source.addEventListener("end", () => {
    source.close();
    ended();
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) void ask();
  });
  return () => {
    over = true;
    clearTimeout(timer);
    source.close();
  };
}

/** Milliseconds between two questions of a page that cannot watch. */
const pause = 2000;

/** What to show for whatever was thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
