import { deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A screenshot with at most 256 colours: a third of the bytes, and the eye does not see the difference in an interface. */
export function withFewColours(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = medianCut([...counts], 256);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, closest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      rows[y * (width + 1) + 1 + x] = nearest.get(
        (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!,
      )!;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Halves the box with the widest channel until there are enough; each box is its mean, weighed by how often a colour comes. */
function medianCut(colours: [colour: number, count: number][], wanted: number): number[] {
  const channel = (colour: number, shift: number): number => (colour >> shift) & 255;
  const widest = (box: [number, number][]): { shift: number; width: number } =>
    [16, 8, 0]
      .map((shift) => {
        const values = box.map(([colour]) => channel(colour, shift));
        return {
          shift,
          width: values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b)),
        };
      })
      .reduce((a, b) => (b.width > a.width ? b : a));
  const boxes = [colours];
  while (boxes.length < wanted) {
    const ranked = boxes.map((box, at) => ({
      at,
      ...widest(box),
      weight: Math.log2(1 + box.reduce((sum, [, count]) => sum + count, 0)),
    }));
    const next = ranked.reduce((a, b) => (b.width * b.weight > a.width * a.weight ? b : a));
    if (next.width === 0) break;
    const box = boxes[next.at]!.sort(([a], [b]) => channel(a, next.shift) - channel(b, next.shift));
    const middle = (channel(box[0]![0], next.shift) + channel(box.at(-1)![0], next.shift)) / 2;
    const cut = box.findIndex(([colour]) => channel(colour, next.shift) > middle);
    boxes.splice(next.at, 1, box.slice(0, cut), box.slice(cut));
  }
  return boxes.map((box) => {
    // A colour that fills most of its box is kept as it is: large areas stay exact.
    const total = box.reduce((sum, [, count]) => sum + count, 0);
    const [most, times] = box.reduce((a, b) => (b[1] > a[1] ? b : a));
    if (times > total / 2) return most;
    const mean = (shift: number): number =>
      Math.round(box.reduce((sum, [colour, count]) => sum + channel(colour, shift) * count, 0) / total);
    return (mean(16) << 16) | (mean(8) << 8) | mean(0);
  });
}

function closest(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Infinity;
  palette.forEach((each, at) => {
    const red = (each >> 16) - (colour >> 16);
    const green = ((each >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (each & 255) - (colour & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance < least) {
      least = distance;
      best = at;
    }
  });
  return best;
}

/** The pixels of a PNG with 8 bits a channel and no interlacing, as browsers write them; without transparency. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint8Array } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const step = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * step;
  const lines = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= step ? lines[y * stride + x - step]! : 0;
      const up = y > 0 ? lines[(y - 1) * stride + x]! : 0;
      const corner = x >= step && y > 0 ? lines[(y - 1) * stride + x - step]! : 0;
      lines[y * stride + x] =
        raw[y * (stride + 1) + 1 + x]! + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
    }
  }
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1) pixels.set(lines.subarray(at * step, at * step + 3), at * 3);
  return { width, height, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(8 + body.length);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(checksum(body), 4 + body.length);
  return whole;
}

function checksum(data: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
