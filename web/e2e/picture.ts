import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { docs, type Server } from "./server";

/** Whether this run makes the pictures of the documentation anew; the views are visited in any case. */
export const keepsPictures = Boolean(process.env["NOREGRET_PICTURES"]);

/** Takes a picture with at most 256 colours, for the documentation if this run makes it. */
export async function shoot(page: Page, server: Server, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const path = join(keepsPictures ? docs : server.library, name);
  writeFileSync(path, withPalette(await page.screenshot({ animations: "disabled" })));
  expect(statSync(path).size, name).toBeLessThan(200_000);
}

interface Pixels {
  width: number;
  height: number;
  /** 0xrrggbb of each. */
  colours: Uint32Array;
}

/** The same picture with a palette: gradients make a screenshot of true colours several times as large. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = medianCut(counts, 256);
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  colours.forEach((colour, at) => {
    let index = nearest.get(colour);
    if (index === undefined) nearest.set(colour, (index = nearestOf(palette, colour)));
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, by palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const channels = (colour: number): [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
];

/** Splits the colours where they spread widest until there are enough boxes, and takes the mean of each. */
function medianCut(counts: Map<number, number>, wanted: number): number[] {
  let boxes: number[][] = [[...counts.keys()]];
  const spread = (box: number[], channel: number): number => {
    const values = box.map((colour) => channels(colour)[channel] ?? 0);
    return (
      values.reduce((most, value) => Math.max(most, value), 0) - values.reduce((a, b) => Math.min(a, b), 255)
    );
  };
  // A wide box of rare colours matters less than a narrow one of common ones.
  const pixels = (box: number[]): number => box.reduce((sum, colour) => sum + (counts.get(colour) ?? 0), 0);
  const rank = new Map<number[], { channel: number; rank: number }>();
  const ranked = (box: number[]): { channel: number; rank: number } => {
    const known = rank.get(box);
    if (known) return known;
    const widths = [0, 1, 2].map((channel) => spread(box, channel));
    const widest = Math.max(...widths);
    const made = { channel: widths.indexOf(widest), rank: widest * Math.sqrt(pixels(box)) };
    rank.set(box, made);
    return made;
  };
  while (boxes.length < wanted) {
    const box = boxes.reduce((a, b) => (ranked(b).rank > ranked(a).rank ? b : a));
    const { channel, rank: most } = ranked(box);
    if (most === 0) break;
    const sorted = [...box].sort((a, b) => (channels(a)[channel] ?? 0) - (channels(b)[channel] ?? 0));
    const half = pixels(box) / 2;
    let seen = 0;
    let cut = sorted.findIndex((colour) => (seen += counts.get(colour) ?? 0) >= half) + 1;
    cut = Math.max(1, Math.min(sorted.length - 1, cut));
    boxes = [...boxes.filter((each) => each !== box), sorted.slice(0, cut), sorted.slice(cut)];
  }
  return boxes.map((box) => {
    const total = pixels(box);
    const mean = [0, 1, 2].map((channel) =>
      Math.round(
        box.reduce((sum, colour) => sum + (channels(colour)[channel] ?? 0) * (counts.get(colour) ?? 0), 0) /
          total,
      ),
    );
    return ((mean[0] ?? 0) << 16) | ((mean[1] ?? 0) << 8) | (mean[2] ?? 0);
  });
}

function nearestOf(palette: readonly number[], colour: number): number {
  const [red, green, blue] = channels(colour);
  let best = 0;
  let least = Infinity;
  palette.forEach((candidate, at) => {
    const [r, g, b] = channels(candidate);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [at, distance];
  });
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Reads what Chromium writes: eight bits a channel, with or without alpha, not interlaced. */
function decode(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  let header = Buffer.alloc(13);
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = Buffer.from(data);
    if (type === "IDAT") parts.push(data);
    at += 12 + length;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bytes = header[9] === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * bytes;
  const plain = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= bytes ? (plain[y * stride + x - bytes] ?? 0) : 0;
      const up = y > 0 ? (plain[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= bytes && y > 0 ? (plain[(y - 1) * stride + x - bytes] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      plain[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  const colours = new Uint32Array(width * height);
  for (let at = 0; at < colours.length; at += 1) colours[at] = plain.readUIntBE(at * bytes, 3);
  return { width, height, colours };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
