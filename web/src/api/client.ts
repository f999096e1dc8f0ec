import type {
  ErrorDetail,
  Health,
  Job,
  NewSolve,
  Node,
  ParsedRange,
  Preset,
  Runouts,
  SavedRange,
  Solution,
  SolutionSummary,
  SpecCheck,
  TreePoint,
  WeightedHand,
} from "./types";

/** A refusal of the server, with the field and what would be accepted where it says so. */
export class ApiError extends Error {
  constructor(
    readonly detail: ErrorDetail,
    readonly status: number,
  ) {
    super(detail.help ? `${detail.message} (${detail.help})` : detail.message);
  }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One request; throws an `ApiError` whatever goes wrong, so that callers have one thing to show. */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      // Whatever changes something must say that it is JSON: the server takes nothing else.
      headers: method === "GET" ? {} : { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError({ message: "The server does not answer. Is `noregret serve` still running?" }, 0);
  }
  if (!response.ok) throw new ApiError(await refusal(response), response.status);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

async function refusal(response: Response): Promise<ErrorDetail> {
  try {
    const body = (await response.json()) as { error?: ErrorDetail };
    if (body.error?.message) return body.error;
  } catch {
    // No JSON: the status has to do.
  }
  return { message: `The server answered ${response.status} ${response.statusText}.` };
}

const segment = encodeURIComponent;
const line = (text: string): string => (text ? `?line=${segment(text)}` : "");

export const api = {
  health: () => call<Health>("GET", "/api/health"),
  presets: () => call<Preset[]>("GET", "/api/presets"),

  parseRange: (text: string, signal?: AbortSignal) =>
    call<ParsedRange>("POST", "/api/ranges/parse", { text }, signal),
  printRange: (hands: readonly WeightedHand[], signal?: AbortSignal) =>
    call<{ text: string; combos: number }>("POST", "/api/ranges/print", { hands }, signal),
  savedRanges: () => call<SavedRange[]>("GET", "/api/ranges"),
  saveRange: (name: string, text: string) => call<unknown>("PUT", `/api/ranges/${segment(name)}`, { text }),
  forgetRange: (name: string) => call<unknown>("DELETE", `/api/ranges/${segment(name)}`),

  check: (toml: string, signal?: AbortSignal) =>
    call<SpecCheck>("POST", "/api/specs/check", { toml }, signal),
  tree: (toml: string, at: string, signal?: AbortSignal) =>
    call<TreePoint>("POST", "/api/specs/tree", { toml, line: at }, signal),

  jobs: () => call<Job[]>("GET", "/api/solves"),
  job: (id: string) => call<Job>("GET", `/api/solves/${segment(id)}`),
  solve: (request: NewSolve) => call<Job>("POST", "/api/solves", request),
  stop: (id: string) => call<Job>("POST", `/api/solves/${segment(id)}/stop`, {}),
  resume: (id: string, more: { target_pct?: number; max_iterations?: number } = {}) =>
    call<Job>("POST", `/api/solves/${segment(id)}/resume`, more),
  forgetJob: (id: string) => call<unknown>("DELETE", `/api/solves/${segment(id)}`),

  solutions: () => call<SolutionSummary[]>("GET", "/api/solutions"),
  solution: (id: string) => call<Solution>("GET", `/api/solutions/${segment(id)}`),
  removeSolution: (id: string) => call<unknown>("DELETE", `/api/solutions/${segment(id)}`),
  fileAddress: (id: string) => `/api/solutions/${segment(id)}/file`,
  node: (id: string, at: string, signal?: AbortSignal) =>
    call<Node>("GET", `/api/solutions/${segment(id)}/node${line(at)}`, undefined, signal),
  runouts: (id: string, at: string, signal?: AbortSignal) =>
    call<Runouts>("GET", `/api/solutions/${segment(id)}/runouts${line(at)}`, undefined, signal),
  async upload(name: string, file: Blob): Promise<SolutionSummary> {
    const response = await fetch(`/api/solutions?name=${segment(name)}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: file,
    });
    if (!response.ok) throw new ApiError(await refusal(response), response.status);
    return (await response.json()) as SolutionSummary;
  },
};

/** Follows a job: `seen` gets each state with the history points since the last one. Returns how to stop listening. */
export function follow(id: string, seen: (job: Job) => void, ended: () => void): () => void {
  const source = new EventSource(`/api/solves/${segment(id)}/events`);
  source.addEventListener("progress", (event) =>
    seen(JSON.parse((event as MessageEvent<string>).data) as Job),
  );
  source.addEventListener("end", () => {
    source.close();
    ended();
  });
  return () => source.close();
}

/** What to show for whatever was thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
