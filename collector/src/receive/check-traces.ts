/** A span that can never be kept: where its field begins and ends in the message, and why. */
export interface BadSpan {
  from: number;
  to: number;
  why: string;
}

export interface CheckedTraces {
  /** good ones */
  spans: number;
  bad: BadSpan[];
}

/** The bytes are no ExportTraceServiceRequest. */
export class MalformedTraces extends Error {
  override readonly name = "MalformedTraces";

  constructor(why: string, offset: number) {
    super(`${why} at byte ${offset}`);
  }
}

/** Levels of lists and maps inside one attribute's value: what the format reads, and more than most backends do. */
export const MAX_VALUE_DEPTH = 64;

/** By field number: the wire type, or the shape of a nested message. Other fields are skipped. */
type Shape = (0 | 1 | 2 | 5 | Shape | undefined)[];

const anyValue: Shape = [undefined, 2, 0, 0, 1];
const keyValue: Shape = [undefined, 2, anyValue];
const arrayValue: Shape = [undefined, anyValue];
const keyValueList: Shape = [undefined, keyValue];
anyValue.push(arrayValue, keyValueList, 2);
const event: Shape = [undefined, 1, 2, keyValue, 0];
const link: Shape = [undefined, 2, 2, 2, keyValue, 0, 5];
const status: Shape = [undefined, undefined, 2, 0];
const span: Shape = [undefined, 2, 2, 2, 2, 2, 0, 1, 1, keyValue, 0, event, 0, link, 0, status, 5];
const scope: Shape = [undefined, 2, 2, keyValue, 0];
const scopeSpans: Shape = [undefined, scope, span, 2];
const resource: Shape = [undefined, keyValue, 0];
const resourceSpans: Shape = [undefined, resource, scopeSpans, 2];
const traces: Shape = [undefined, resourceSpans];

const TRACE_ID = 1;
const SPAN_ID = 2;
const PARENT_ID = 4;
/** their tags: length-delimited */
const ID_TAG = [0, 10, 18, 0, 34];

// The scan is one pass over the bytes and its state is here: it runs for every byte that is received, and is never
// entered twice.
let bytes: Uint8Array;
let at: number;
let depth: number;
let deepest: number;
let found: CheckedTraces;

/**
 * Walks the whole message by the OTLP schema without decoding it. What passes, a decoder can read: tags, lengths, wire
 * types and nesting are right. Texts are not looked at. Throws `MalformedTraces`.
 */
export function checkTraces(message: Uint8Array): CheckedTraces {
  bytes = message;
  at = 0;
  depth = 0;
  deepest = 0;
  found = { spans: 0, bad: [] };
  walk(traces, message.length);
  if (deepest > MAX_VALUE_DEPTH) throw new MalformedTraces("values nested too deep in a resource or scope", 0);
  return found;
}

/** A whole number below 2⁵³: a tag or a length. */
function size(end: number): number {
  const start = at;
  let value = 0;
  let unit = 1;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte < 128) return value + byte * unit;
    value += (byte & 127) * unit;
    unit *= 128;
    if (unit > 2 ** 46) throw new MalformedTraces("number too long", start);
  }
  throw new MalformedTraces("number cut short", start);
}

function skipVarint(end: number): void {
  const start = at;
  while (at < end) {
    if (bytes[at++]! < 128) return;
    if (at - start === 10) throw new MalformedTraces("number too long", start);
  }
  throw new MalformedTraces("number cut short", start);
}

/** Length of a field's content, which lies before `end`. */
function lengthBefore(end: number): number {
  const start = at;
  const length = size(end);
  if (length > end - at) throw new MalformedTraces("field past the end of its message", start);
  return length;
}

function tagBefore(end: number): number {
  const start = at;
  const tag = size(end);
  if (tag < 8 || tag > 0xffffffff) throw new MalformedTraces("bad tag", start);
  return tag;
}

function walk(shape: Shape, end: number): void {
  while (at < end) {
    const start = at;
    const tag = tagBefore(end);
    walkField(shape[tag >>> 3], tag & 7, start, end);
  }
}

/** The content of one field, whose tag was read. */
function walkField(expected: Shape[number], wire: number, start: number, end: number): void {
  if (expected !== undefined && wire !== (typeof expected === "number" ? expected : 2)) {
    throw new MalformedTraces("field of another type", start);
  }
  if (wire === 2) {
    const length = lengthBefore(end);
    if (expected === span) walkSpan(start, at + length);
    else if (typeof expected === "object") walkInner(expected, at + length);
    else at += length;
  } else if (wire === 0) {
    skipVarint(end);
  } else if (wire === 1 || wire === 5) {
    at += wire === 1 ? 8 : 4;
    if (at > end) throw new MalformedTraces("field past the end of its message", start);
  } else {
    throw new MalformedTraces("unknown wire type", start);
  }
}

function walkInner(shape: Shape, end: number): void {
  if (shape !== anyValue) return walk(shape, end);
  depth++;
  if (depth > deepest) deepest = depth;
  // what is deeper is refused whatever it is: it is passed over, so that this never runs out of stack
  if (depth <= MAX_VALUE_DEPTH) walk(shape, end);
  else at = end;
  depth--;
}

function walkSpan(from: number, end: number): void {
  const outside = deepest;
  deepest = 0;
  let traceId = false;
  let spanId = false;
  let parent = true;
  while (at < end) {
    const start = at;
    const tag = tagBefore(end);
    if (tag === ID_TAG[TRACE_ID] || tag === ID_TAG[SPAN_ID] || tag === ID_TAG[PARENT_ID]) {
      const length = lengthBefore(end);
      if (tag === ID_TAG[TRACE_ID]) traceId = length === 16 && !allZero(16);
      else if (tag === ID_TAG[SPAN_ID]) spanId = length === 8 && !allZero(8);
      else parent = length === 0 || length === 8;
      at += length;
    } else {
      walkField(span[tag >>> 3], tag & 7, start, end);
    }
  }
  const why = !traceId
    ? "a trace id that is not 16 bytes, or zero"
    : !spanId
      ? "a span id that is not 8 bytes, or zero"
      : !parent
        ? "a parent span id that is not 8 bytes"
        : deepest > MAX_VALUE_DEPTH
          ? `values nested deeper than ${MAX_VALUE_DEPTH}`
          : null;
  deepest = outside;
  if (why === null) found.spans++;
  else found.bad.push({ from, to: end, why });
}

function allZero(length: number): boolean {
  for (let offset = 0; offset < length; offset++) if (bytes[at + offset] !== 0) return false;
  return true;
}
