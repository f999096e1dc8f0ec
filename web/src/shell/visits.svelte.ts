import { nameOf } from "../api/examples";
import { href, type Place } from "./router.svelte";
import { keep, recall } from "./stored";

/** Something that was open: where it is, and what it is called. */
export interface Visit {
  target: string;
  kind: "Solution" | "Report" | "Texas 42" | "Spot";
  name: string;
}

/** How many places are remembered. */
const most = 6;

/** What a place is about, if it is worth coming back to. */
export function visitOf(place: Place): Visit | null {
  const [view, first, second] = place.path;
  const query = Object.fromEntries(place.query);
  const target = href(place.path, query);
  if (view === "browse" && first) return { target, kind: "Solution", name: nameOf(first) };
  if (view === "reports" && second)
    return { target, kind: "Report", name: second === "~" ? "the library" : nameOf(second) };
  if (view === "forty-two" && place.query.size > 0) return { target, kind: "Texas 42", name: "a deal" };
  if (view === "spot" && place.query.get("s"))
    return { target, kind: "Spot", name: place.query.get("name") ?? "a spot" };
  return null;
}

/** The places that were open last, newest first, each thing once. */
class Visits {
  list = $state.raw<readonly Visit[]>(remembered());

  note(place: Place): void {
    const visit = visitOf(place);
    if (!visit) return;
    const same = (other: Visit): boolean => other.kind === visit.kind && other.name === visit.name;
    this.#keep([visit, ...this.list.filter((other) => !same(other))].slice(0, most));
  }

  /** A solution has another name. */
  rename(from: string, to: string): void {
    const moved = (visit: Visit): Visit =>
      this.#isOf(visit, from)
        ? { ...visit, name: to, target: visit.target.replace(href(["browse", from]), href(["browse", to])) }
        : visit;
    this.#keep(this.list.map(moved));
  }

  /** Where one was last in a solution. */
  of(id: string): string | undefined {
    return this.list.find((visit) => this.#isOf(visit, id))?.target;
  }

  /** A solution is gone. */
  forget(id: string): void {
    this.#keep(this.list.filter((visit) => !this.#isOf(visit, id)));
  }

  #isOf(visit: Visit, id: string): boolean {
    return visit.kind === "Solution" && visit.name === id;
  }

  #keep(list: readonly Visit[]): void {
    this.list = list;
    keep("visits", JSON.stringify(list));
  }
}

function remembered(): Visit[] {
  try {
    const read: unknown = JSON.parse(recall("visits") ?? "[]");
    return Array.isArray(read)
      ? (read as Visit[]).filter((visit) => typeof visit.target === "string").slice(0, most)
      : [];
  } catch {
    return [];
  }
}

export const visits = new Visits();
