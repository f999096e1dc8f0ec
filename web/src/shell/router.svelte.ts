/** Where the page is: a path and a query behind the `#` of the address. Every view is a function of it. */
export interface Place {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Reads `#/browse/ID?line=check`. */
export function readPlace(hash: string): Place {
  const text = hash.replace(/^#?\/?/, "");
  const [path = "", query = ""] = splitOnce(text, "?");
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** Writes what `readPlace` reads; values that are absent or empty are left out. */
export function href(path: readonly string[], query: Record<string, string | undefined> = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value) params.set(key, value);
  const tail = params.toString();
  return `#/${path.map(encodeURIComponent).join("/")}${tail ? `?${tail}` : ""}`;
}

/**
 * The address of a place without some values of its query: what links from there have in common. A text, which stays equal when only
 * those values change, so that a component that derives it has no links to write anew.
 */
export function stem(place: Place, ...without: string[]): string {
  const query = [...place.query].filter(([key]) => !without.includes(key));
  return href(place.path, Object.fromEntries(query));
}

/** An address of a stem, with the value that the stem is without. */
export function grown(stem: string, key: string, value: string): string {
  if (!value) return stem;
  return `${stem}${stem.includes("?") ? "&" : "?"}${new URLSearchParams({ [key]: value }).toString()}`;
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Router {
  place = $state.raw<Place>({ path: [], query: new URLSearchParams() });
  #followed: string | null = null;

  constructor() {
    if (typeof window === "undefined") return;
    this.#follow();
    window.addEventListener("hashchange", () => this.#follow());
    window.addEventListener("popstate", () => this.#follow());
  }

  /** Goes somewhere, as a link does. */
  go(target: string): void {
    if (window.location.hash === target) return;
    history.pushState(null, "", target);
    this.#follow();
  }

  /** Changes the address without a step that the back button would go through. */
  replace(target: string): void {
    if (window.location.hash === target) return;
    history.replaceState(null, "", target);
    this.#follow();
  }

  /** Changes some values of the query and leaves the others. */
  set(values: Record<string, string | undefined>, how: "push" | "replace" = "replace"): void {
    const merged: Record<string, string | undefined> = Object.fromEntries(this.place.query);
    Object.assign(merged, values);
    const target = href(this.place.path, merged);
    if (how === "push") this.go(target);
    else this.replace(target);
  }

  /** A link makes two events, and a view is to be made once. */
  #follow(): void {
    const { hash } = window.location;
    if (hash === this.#followed) return;
    this.#followed = hash;
    this.place = readPlace(hash);
  }
}

export const router = new Router();
