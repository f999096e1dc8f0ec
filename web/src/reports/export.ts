import type { ReportVariant } from "./api";

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A report as CSV: a line for each board, and one for the mean. Frequencies and equities are shares from 0 to 1. */
export function csvOf({ actions, rows, average }: ReportVariant): string {
  const seats = ["oop", "ip"] as const;
  const head = [
    "board",
    "weight",
    ...(rows[0]?.texture.map((kind) => kind.by) ?? []),
    ...actions.map((action) => `${action}: frequency`),
    ...seats.flatMap((seat) => [`${seat}_ev`, `${seat}_equity`, `${seat}_eqr`]),
    "exploitability_pct",
  ];
  const numbers = (of: typeof average): (number | null)[] => [
    ...actions.map((_, at) => of.frequencies[at] ?? null),
    ...seats.flatMap((seat) => [of.ev[seat], of.equity[seat], of.eqr[seat]]),
  ];
  const lines = rows.map((row) => [
    row.board.join(""),
    row.weight,
    ...row.texture.map((kind) => kind.kind),
    ...numbers(row),
    row.exploitability_pct,
  ]);
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  const mean = ["all", total, ...(rows[0]?.texture.map(() => "") ?? []), ...numbers(average), null];
  return (
    [head, ...lines, mean]
      .map((line) => line.map((cell) => quoted(String(cell ?? ""))).join(","))
      .join("\n") + "\n"
  );
}

/** Gives a file to whoever reads the page. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const painted = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-weight",
  "font-family",
  "opacity",
];

/** A drawing as a picture, twice as fine as on the screen, on the ground that it stands on. */
export async function pictureOf(svg: SVGSVGElement, ground: string): Promise<Blob> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  // A picture has no style sheet: each element takes along how it looks.
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from!.forEach((element, at) => {
    const style = getComputedStyle(element);
    const target = to![at] as SVGElement;
    for (const name of painted) target.style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(copy);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * 2, height * 2];
  const context = canvas.getContext("2d")!;
  context.fillStyle = ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made.")))),
  );
}
