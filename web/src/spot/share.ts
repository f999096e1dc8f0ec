/** A spec in an address: packed, in letters that an address takes as they are. */

export async function pack(text: string): Promise<string> {
  const packed = await pump(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Reads what `pack` wrote; null for anything else. */
export async function unpack(code: string): Promise<string | null> {
  try {
    const binary = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await pump(packed, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}

async function pump(
  input: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const stream = new Blob([input]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
