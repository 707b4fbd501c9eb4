import { crc32 } from "node:zlib";
import { textOf } from "@reenact/envelope";
import { applied, type Change, shifted } from "../scrub/change.ts";
import { barePlainChanges } from "../scrub/plain-changes.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { base64Text, type Base64Text } from "./base64.ts";
import type { Document } from "./documents.ts";
import { leavesChanges } from "./json.ts";
import type { Leaf } from "./json-leaf.ts";
import { jsonLeaves } from "./json-leaves.ts";
import { streamChanges } from "./stream.ts";

const PRELUDE = 12;
const CRC = 4;

/** One message of a binary event stream. Offsets are bytes. */
interface EventFrame {
  readonly start: number;
  readonly end: number;
  /** behind the headers */
  readonly payload: number;
  readonly event: string;
}

/** A payload as a document of the stream that all of them make. */
interface Payload {
  readonly text: string;
  /** where the document came out of base64 in a member of the payload */
  readonly inside: { readonly leaf: Leaf; readonly base64: Base64Text } | null;
  readonly others: readonly Leaf[];
}

/**
 * Changes in an `application/vnd.amazon.eventstream`, given as Latin-1: payloads are read as the documents of one
 * stream, then lengths and checksums are written anew. Null: the bytes are no such stream.
 */
export function frameChanges(octets: string, context: ScanContext, nest: Nesting): Change[] | null {
  const bytes = Buffer.from(octets, "latin1");
  const { frames, rest } = framesOf(bytes);
  if (frames.length === 0) return null;
  if (bytes.length > context.cap) return null;
  const payloads = frames.map((frame) => payloadOf(bytes.subarray(frame.payload, frame.end - CRC)));
  const found = documentChanges(frames, payloads, context, nest);
  const out: Change[] = [];
  frames.forEach((frame, i) => {
    const payload = payloads[i] ?? null;
    const changes: Change[] = [
      ...headerChanges(octets, frame, context),
      ...(payload === null
        ? barePlainChanges(octets, frame.payload, frame.end - CRC, context)
        : shifted(payloadChanges(payload, found[i] ?? [], context, nest), frame.payload)),
    ];
    if (changes.length > 0) out.push(...rebuilt(octets, frame, changes));
  });
  out.push(...barePlainChanges(octets, rest, octets.length, context));
  return out;
}

/** Whole frames with right checksums; `rest` is where the first other byte stands. */
function framesOf(bytes: Buffer): { frames: EventFrame[]; rest: number } {
  const frames: EventFrame[] = [];
  let at = 0;
  while (bytes.length - at >= PRELUDE + CRC) {
    const total = bytes.readUInt32BE(at);
    const headers = bytes.readUInt32BE(at + 4);
    if (total < PRELUDE + headers + CRC || at + total > bytes.length) break;
    if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) break;
    const payload = at + PRELUDE + headers;
    frames.push({ start: at, end: at + total, payload, event: eventName(bytes.subarray(at + PRELUDE, payload)) });
    at += total;
  }
  return { frames, rest: at };
}

/** Value of the `:event-type` header: a name, a type byte 7, two bytes of length, text. */
function eventName(headers: Buffer): string {
  const at = headers.indexOf(":event-type\x07", 0, "latin1");
  if (at === -1 || at + 14 > headers.length) return "";
  return headers.toString("utf8", at + 14, at + 14 + headers.readUInt16BE(at + 12));
}

function payloadOf(bytes: Buffer): Payload | null {
  const text = textOf(bytes);
  if (text === null) return null;
  const leaves = jsonLeaves(text) ?? [];
  const leaf = leaves.find((each) => each.member === "bytes" && !each.escaped && each.frame?.parent === null);
  const base64 = leaf === undefined ? null : base64Text(text.slice(leaf.start, leaf.end));
  if (leaf === undefined || base64 === null) return { text, inside: null, others: [] };
  return { text, inside: { leaf, base64 }, others: leaves.filter((each) => each !== leaf) };
}

/** Changes of each payload's document; a value that is spread over several is found. */
function documentChanges(
  frames: readonly EventFrame[],
  payloads: readonly (Payload | null)[],
  context: ScanContext,
  nest: Nesting,
): Change[][] {
  const documents: Document[] = [];
  const owners: { frame: number; from: number }[] = [];
  let all = "";
  payloads.forEach((payload, i) => {
    if (payload === null) return;
    const text = payload.inside?.base64.text ?? payload.text;
    owners.push({ frame: i, from: all.length });
    documents.push({ text, segments: [{ source: all.length, length: text.length }], event: frames[i]?.event ?? "" });
    all += `${text}\n`;
  });
  const out: Change[][] = frames.map(() => []);
  let owner = 0;
  for (const change of streamChanges(all, { documents, rest: [] }, false, context, nest)) {
    while ((owners[owner + 1]?.from ?? Infinity) <= change.start) owner++;
    const { frame = 0, from = 0 } = owners[owner] ?? {};
    out[frame]?.push({ ...change, start: change.start - from, end: change.end - from });
  }
  return out;
}

/** Changes of the payload's bytes, as Latin-1. */
function payloadChanges(payload: Payload, found: readonly Change[], context: ScanContext, nest: Nesting): Change[] {
  const { text, inside, others } = payload;
  let changes = [...found];
  if (inside !== null) {
    changes = leavesChanges(text, others, context, nest);
    const [first] = found;
    if (first !== undefined) {
      const { leaf, base64 } = inside;
      const type = found.find((change) => change.type !== null)?.type ?? null;
      changes.push({
        ...first,
        type,
        start: leaf.start,
        end: leaf.end,
        with: base64.encode(applied(base64.text, found)),
      });
      changes.sort((a, b) => a.start - b.start);
    }
  }
  let unit = 0;
  let byte = 0;
  const bytesTo = (to: number): number => {
    byte += Buffer.byteLength(text.slice(unit, to));
    unit = to;
    return byte;
  };
  return changes.map((change) => {
    const start = bytesTo(change.start);
    return { ...change, start, end: bytesTo(change.end), with: Buffer.from(change.with, "utf8").toString("latin1") };
  });
}

/** A value in a header is covered in its own length: others depend on where headers end. */
function headerChanges(octets: string, { start, payload }: EventFrame, context: ScanContext): Change[] {
  const found = barePlainChanges(octets, start + PRELUDE, payload, context);
  return found.map((change) => ({ ...change, with: "x".repeat(change.end - change.start) }));
}

function rebuilt(octets: string, frame: EventFrame, changes: readonly Change[]): Change[] {
  const inner = changes.map((c) => ({ ...c, start: c.start - frame.start, end: c.end - frame.start }));
  const now = Buffer.from(applied(octets.slice(frame.start, frame.end), inner), "latin1");
  now.writeUInt32BE(now.length, 0);
  now.writeUInt32BE(crc32(now.subarray(0, 8)), 8);
  now.writeUInt32BE(crc32(now.subarray(0, now.length - CRC)), now.length - CRC);
  const put = (start: number, end: number, from: number, to: number): Change => ({
    start,
    end,
    with: now.toString("latin1", from, to),
    type: null,
  });
  return [
    put(frame.start, frame.start + PRELUDE, 0, PRELUDE),
    ...changes,
    put(frame.end - CRC, frame.end, now.length - CRC, now.length),
  ];
}
