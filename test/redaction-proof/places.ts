import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { otlpJson, joinTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import type { Canary } from "./canary.ts";
import { formsOf } from "./canary.ts";

/** Something that could hold a value: a file, an output, what came over a wire. Add to the list what is built later. */
export interface Place {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Stray {
  readonly place: string;
  readonly carrier: string;
  readonly value: string;
  readonly around: string;
}

/** Every file below a folder, and what sealed runs hold once they are unpacked. */
export function filesBelow(folder: string): Place[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith("redaction.key"))
    .flatMap((path) => {
      const bytes = readFileSync(path);
      return [{ name: path, bytes }, ...unpacked(path, bytes)];
    });
}

/** The same as one text, a character for each byte: to look for values that must not be there. */
export const textBelow = (folder: string): string =>
  filesBelow(folder)
    .map(({ bytes }) => Buffer.from(bytes).toString("latin1"))
    .join("\n");

function unpacked(path: string, bytes: Buffer): Place[] {
  // packs, and whatever else holds compressed frames
  if (!path.endsWith(".reenact")) return frames(path, bytes);
  const envelope = readEnvelope(bytes);
  const traces = joinTraces(envelope.spans.map((s) => s.scanned)).bytes;
  return [
    { name: `${path} (spans)`, bytes: traces },
    { name: `${path} (spans as JSON)`, bytes: Buffer.from(JSON.stringify(otlpJson(traces))) },
    { name: `${path} (manifest)`, bytes: Buffer.from(JSON.stringify([envelope.header, envelope.manifest], large)) },
    ...frames(path, bytes),
  ];
}

const large = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/** What a compressed frame begins with: of zstd, and of gzip as senders compress bodies, which a journal keeps as they came. */
const COMPRESSIONS: readonly { readonly magic: Buffer; decompress(bytes: Buffer): Buffer }[] = [
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), decompress: (bytes) => zstdDecompressSync(bytes) },
  { magic: Buffer.from([0x1f, 0x8b, 0x08]), decompress: (bytes) => gunzipSync(bytes) },
];

/** Each compressed frame of a file, whatever the format says of it. */
function frames(path: string, bytes: Buffer): Place[] {
  return COMPRESSIONS.flatMap(({ magic, decompress }) => {
    const places: Place[] = [];
    for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) {
      try {
        places.push({ name: `${path} (frame at ${at})`, bytes: decompress(bytes.subarray(at)) });
      } catch {
        // no frame begins here
      }
    }
    return places;
  });
}

export function output(name: string, text: string): Place {
  return { name, bytes: Buffer.from(text) };
}

/** One way in which a canary could be read. `middle` is where the four bytes stand that it is looked up by. */
interface Needle {
  readonly canary: Canary;
  readonly bytes: Buffer;
  readonly middle: number;
}

const SLOTS = 1 << 20;
const slotOf = (word: number): number => (Math.imul(word, 0x9e3779b1) >>> 12) & (SLOTS - 1);

/**
 * Whether these bytes are a few decimal digits within a longer decimal or hexadecimal number. The times, IDs and digests of
 * a record hold thousands of six-digit sequences, and one in 40 sets of seven codes meets one of them by chance.
 */
function isPartOfNumber(all: Buffer, start: number, length: number): boolean {
  if (length > 8 || !/^\d+$/.test(all.toString("latin1", start, start + length))) return false;
  return [start - 1, start + length].some((at) => /[\da-f]/i.test(String.fromCharCode(all[at] ?? 0)));
}

/** Where a canary can be read, in any form. One pass over all bytes, however many canaries there are. */
export function strays(canaries: readonly Canary[], places: readonly Place[]): Stray[] {
  const slots = new Map<number, Needle[]>();
  const taken = new Uint8Array(SLOTS);
  for (const canary of canaries) {
    for (const form of formsOf(canary.value)) {
      const bytes = Buffer.from(form, "latin1");
      const middle = Math.floor(bytes.length / 2) - 2;
      const slot = slotOf(bytes.readInt32LE(middle));
      taken[slot] = 1;
      slots.set(slot, [...(slots.get(slot) ?? []), { canary, bytes, middle }]);
    }
  }
  return places.flatMap(({ name, bytes }) => {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found = new Map<Canary, Stray>();
    for (let at = 0, word = 0; at < all.length; at++) {
      word = (word >>> 8) | ((all[at] as number) << 24);
      const slot = slotOf(word | 0);
      if (at < 3 || taken[slot] === 0) continue;
      for (const { canary, bytes: needle, middle } of slots.get(slot) ?? []) {
        const start = at - 3 - middle;
        if (start < 0 || start + needle.length > all.length || found.has(canary)) continue;
        if (all.compare(needle, 0, needle.length, start, start + needle.length) !== 0) continue;
        if (isPartOfNumber(all, start, needle.length)) continue;
        const around = all.toString("latin1", Math.max(0, start - 60), start + 80);
        found.set(canary, { place: name, ...canary, around });
      }
    }
    return [...found.values()];
  });
}
