/** The windows that every point is tried in: with `NOREGRET_SCREENS=all` also on a large screen. */
export const sizes = [
  { name: "1440×900", viewport: { width: 1440, height: 900 } },
  { name: "1280×720", viewport: { width: 1280, height: 720 } },
  { name: "390×844", viewport: { width: 390, height: 844 } },
].slice(process.env["NOREGRET_SCREENS"] === "all" ? 0 : 1);

/** The address of a line in a solution. */
export function at(id: string, line: string, rest: Record<string, string> = {}): string {
  return `#/browse/${id}?${new URLSearchParams({ line, ...rest }).toString()}`;
}
