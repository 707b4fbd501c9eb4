import type { ChunkCut, HeaderPairs } from "@reenact/envelope";
import { findTokens, textOf } from "@reenact/envelope";
import { decodeContent, encodeContent } from "../transport/content-coding.ts";
import { eventStreamText, isFramed } from "../transport/event-frames.ts";
import { asksByTag, digestHeader } from "./digest-header.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Edit, RedactedPlace, Scrubbed } from "./scrubbed.ts";

type Row = { -readonly [K in keyof RedactedPlace]: RedactedPlace[K] };

interface Sums {
  readonly counts: Record<string, number>;
  readonly rows: Map<string, Row>;
}

/** Places of one step that are told apart; the hits in further ones are added up per rule. */
const MOST_PLACES = 64;
const LONGEST_NAME = 64;

/** Adds up over one step what was found: per type, and per rule and place. */
export class Tally {
  readonly #sums: Sums;
  readonly #at: string;

  constructor(sums: Sums = { counts: {}, rows: new Map() }, at = "") {
    this.#sums = sums;
    this.#at = at;
  }

  get counts(): Record<string, number> {
    return this.#sums.counts;
  }

  /** By JSON pointers that begin with the part of the step: `/request/body/messages/0/content`. */
  get places(): readonly RedactedPlace[] {
    return [...this.#sums.rows.values()];
  }

  /** A tally that adds to the same sums; its places begin with these names. */
  in(...names: string[]): Tally {
    const steps = names.map((name) => `/${name.slice(0, LONGEST_NAME).replaceAll("~", "~0").replaceAll("/", "~1")}`);
    return new Tally(this.#sums, this.#at + steps.join(""));
  }

  /** Without `places` the hits stand in this part as a whole. */
  add(counts: Scrubbed["counts"], places?: Scrubbed["places"]): void {
    for (const [type, n] of Object.entries(counts)) this.counts[type] = (this.counts[type] ?? 0) + n;
    const rows = places ?? Object.entries(counts).map(([type, n]) => ({ at: "", rule: type, type, n }));
    for (const row of rows) this.#row(row);
  }

  #row({ at, rule, type, n, marks }: RedactedPlace): void {
    const { rows } = this.#sums;
    const where = this.#at + at;
    const key = `${rule}\n${type}\n`;
    const known = rows.get(key + where);
    const kept = marks === undefined ? {} : { marks };
    if (known !== undefined) {
      known.n += n;
      // read twice, or found in parts: which of its values are the first is not known
      delete known.marks;
    } else if (rows.size < MOST_PLACES) rows.set(key + where, { at: where, rule, type, n, ...kept });
    else {
      const rest = rows.get(key);
      if (rest === undefined) rows.set(key, { at: "", rule, type, n });
      else rest.n += n;
    }
  }
}

export function scrubText(
  scrubber: Scrubber,
  text: string,
  tally: Tally,
  hint: { mime?: string; key?: string; as?: string },
): string {
  const out = scrubber.scrub(text, hint);
  tally.add(out.counts, out.places);
  return out.text;
}

/** Tags of redacted bodies of this process: a later request for such a body names it by its tag. */
const redactedTags = new Set<string>();
const MOST_TAGS = 4096;

/** The headers of a message whose body was changed by redaction, without digests of what the body was; then `scrubHeaders`. */
export function scrubMessageHeaders(
  scrubber: Scrubber,
  headers: HeaderPairs,
  isBodyChanged: boolean,
  tally: Tally,
): HeaderPairs {
  const out = headers.map(([name, value]): [string, string] => {
    if (!isBodyChanged && !asksByTag(name)) return [name, value];
    const put = (digest: string): string => {
      if (asksByTag(name) && !redactedTags.has(digest)) return digest;
      if (name.toLowerCase() === "etag" && redactedTags.size < MOST_TAGS) redactedTags.add(digest);
      return scrubDigest(scrubber, digest, tally.in(name.toLowerCase()));
    };
    return [name, digestHeader(name, value, put) ?? value];
  });
  return scrubHeaders(scrubber, out, tally);
}

/** A token for a digest; one that a scrubber leaves as it is must not leave. */
export function scrubDigest(scrubber: Scrubber, digest: string, tally: Tally): string {
  if (findTokens(digest)[0]?.token === digest) return digest;
  const text = scrubText(scrubber, digest, tally, { as: DIGEST });
  return text === digest ? `UNSCANNED_${digest.length}` : text;
}

/** Name and order stay; each value is scrubbed under its name. */
export function scrubHeaders(scrubber: Scrubber, headers: HeaderPairs, tally: Tally): HeaderPairs {
  return headers.map(([name, value]) => [
    name,
    scrubText(scrubber, value, tally.in(name.toLowerCase()), { key: name }),
  ]);
}

/** The type of tokens for digests of redacted bodies. */
export const DIGEST = "DIGEST";
const OCTETS = "application/octet-stream";

export interface ScrubbedBody {
  /** null: the bytes are not text */
  text: string | null;
  bytes: Uint8Array | null;
  cuts: ChunkCut[] | null;
  /** it is not what it was */
  changed: boolean;
  /** scrubbed text inside compressed or framed bytes, for people */
  inside?: string;
}

/**
 * Scrubs a whole body; `cuts` say how it was divided into chunks, and are mapped to the scrubbed bytes. `known`: the
 * bytes as text, null if they are none, where they were decoded already.
 */
export function scrubBody(
  scrubber: Scrubber,
  bytes: Uint8Array,
  mime: string,
  encoding: string | null,
  cuts: ChunkCut[] | null,
  tally: Tally,
  known?: string | null,
): ScrubbedBody {
  if (encoding !== null && encoding !== "identity") return scrubEncoded(scrubber, bytes, mime, encoding, cuts, tally);
  if (isFramed(mime)) {
    const body = scrubBinary(scrubber, bytes, mime, cuts, tally);
    return body.bytes === null ? body : { ...body, inside: eventStreamText(body.bytes) };
  }
  const text = known === undefined ? textOf(bytes) : known;
  if (text === null) return scrubBinary(scrubber, bytes, mime, cuts, tally);
  const out = scrubber.scrub(text, { mime });
  tally.add(out.counts, out.places);
  return {
    text: out.text,
    bytes: null,
    changed: out.text !== text,
    cuts: cuts === null ? null : moveCuts(text, out.edits, cuts),
  };
}

/** Text and framing that hold other bytes (a form with a file): scanned as Latin-1, so that no byte is lost. */
function scrubBinary(
  scrubber: Scrubber,
  bytes: Uint8Array,
  mime: string,
  cuts: ChunkCut[] | null,
  tally: Tally,
): ScrubbedBody {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const out = scrubber.scrub(latin, { mime: mime === "" ? OCTETS : mime });
  tally.add(out.counts, out.places);
  return {
    text: null,
    changed: out.edits.length > 0,
    bytes: out.edits.length === 0 ? bytes : Buffer.from(out.text, "latin1"),
    cuts:
      cuts === null
        ? null
        : moveCutsBy(
            out.edits.map((e) => ({ start: e.start, end: e.end, size: e.with.length })),
            cuts,
          ),
  };
}

/** A compressed body stays as it was if nothing in it had to go; else it is compressed again, as one chunk. */
function scrubEncoded(
  scrubber: Scrubber,
  bytes: Uint8Array,
  mime: string,
  encoding: string,
  cuts: ChunkCut[] | null,
  tally: Tally,
): ScrubbedBody {
  const plain = decodeContent(bytes, encoding);
  if (plain === null) {
    // cannot be scanned: nothing of it may leave the process
    tally.add({ UNSCANNED: 1 }, [{ at: "", rule: "scan.failed", type: "UNSCANNED", n: 1 }]);
    return { text: `UNSCANNED_${bytes.length}`, bytes: null, changed: true, cuts: null };
  }
  const inner = scrubBody(scrubber, plain, mime, null, null, tally);
  const same = inner.text === null ? inner.bytes === plain : inner.text === textOf(plain);
  const shown = inner.text ?? inner.inside;
  const inside = shown === undefined ? {} : { inside: shown };
  if (same) return { text: null, bytes, changed: false, cuts, ...inside };
  const again = encodeContent(
    inner.text === null ? (inner.bytes ?? new Uint8Array()) : Buffer.from(inner.text),
    encoding,
  );
  const last = cuts?.at(-1);
  return {
    text: null,
    bytes: again,
    changed: true,
    cuts: last === undefined ? null : [[last[0], again.length, last[2]]],
    ...inside,
  };
}

/** Chunk lengths in bytes after edits whose offsets are UTF-16 units of `text`. */
export function moveCuts(text: string, edits: readonly Edit[], cuts: ChunkCut[]): ChunkCut[] {
  if (edits.length === 0) return cuts;
  let unit = 0;
  let byte = 0;
  const inBytes = edits.map((edit) => {
    byte += Buffer.byteLength(text.slice(unit, edit.start));
    const start = byte;
    byte += Buffer.byteLength(text.slice(edit.start, edit.end));
    unit = edit.end;
    return { start, end: byte, size: Buffer.byteLength(edit.with) };
  });
  return moveCutsBy(inBytes, cuts);
}

/** A cut inside an edited range moves to the end of its replacement. */
function moveCutsBy(edits: { start: number; end: number; size: number }[], cuts: ChunkCut[]): ChunkCut[] {
  let next = 0;
  let shift = 0;
  let from = 0;
  let moved = 0;
  return cuts.map(([at, length, position]) => {
    const end = from + length;
    from = end;
    while (next < edits.length && (edits[next] as { start: number }).start < end) {
      const edit = edits[next] as { start: number; end: number; size: number };
      shift += edit.size - (edit.end - edit.start);
      // the whole replacement stands before this cut, whatever part of the original did
      if (edit.end > end) {
        const to = edit.end + shift;
        next++;
        const out: ChunkCut = [at, to - moved, position];
        moved = to;
        return out;
      }
      next++;
    }
    const to = Math.max(moved, end + shift);
    const out: ChunkCut = [at, to - moved, position];
    moved = to;
    return out;
  });
}
