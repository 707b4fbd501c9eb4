import { ATTR, badOtlp } from "@reenact/envelope";

/** The places of one body's parts; all numbers are bytes from its begin. An absent part has length 0. */
export interface ScannedScope {
  readonly resource: number;
  readonly resourceLength: number;
  readonly scope: number;
  readonly scopeLength: number;
  readonly resourceUrl: string;
  readonly scopeUrl: string;
}

/** One object, filled anew for every span: copy what must last. Ids and start are offsets of their bytes, -1 where absent. */
export interface ScannedPlace {
  offset: number;
  length: number;
  trace: number;
  id: number;
  parent: number;
  /** 8 bytes, little-endian, nanoseconds since the epoch */
  start: number;
  ended: boolean;
  /** 32 hex digits, or null: no recorder of ours made it */
  run: string | null;
  isStep: boolean;
  /** text of `reenact.root`, by offset; -1: this is no root */
  root: number;
  rootLength: number;
}

const utf8 = new TextDecoder();
const keys = (names: readonly string[]) => names.map((name) => Buffer.from(name));
const [RUN_ID, RECORD, ROOT] = keys([ATTR.runId, ATTR.record, ATTR.root]) as [Buffer, Buffer, Buffer];
const HEX = /^[0-9a-f]{32}$/;
const span: ScannedPlace = {
  offset: 0,
  length: 0,
  trace: -1,
  id: -1,
  parent: -1,
  start: -1,
  ended: false,
  run: null,
  isStep: false,
  root: -1,
  rootLength: 0,
};

// The reader's state: one scan at a time, and it never waits.
let bytes: Buffer = Buffer.alloc(0);
let view: DataView = new DataView(new ArrayBuffer(0));
let at = 0;

/**
 * Walks an ExportTraceServiceRequest without decoding it: `onScope` once per ScopeSpans that has spans, then `onSpan` for
 * each of them. Throws `BAD_OTLP`; a body that the receiver let in never does.
 */
export function scanEntry(
  body: Uint8Array,
  onScope: (scope: ScannedScope) => void,
  onSpan: (span: ScannedPlace) => void,
): void {
  bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  at = 0;
  while (at < body.length) {
    const tag = varint();
    if (tag === 10) scanResource(enter(body.length), onScope, onSpan);
    else skip(tag & 7, body.length);
  }
}

function scanResource(end: number, onScope: (scope: ScannedScope) => void, onSpan: (span: ScannedPlace) => void): void {
  const scopes: number[] = [];
  let [resource, resourceLength, resourceUrl] = [0, 0, ""];
  while (at < end) {
    const tag = varint();
    if (tag === 10) [resource, resourceLength] = chunk(end);
    else if (tag === 18) scopes.push(...chunk(end));
    else if (tag === 26) resourceUrl = text(...chunk(end));
    else skip(tag & 7, end);
  }
  for (let n = 0; n < scopes.length; n += 2) {
    const [from, to] = [scopes[n]!, scopes[n]! + scopes[n + 1]!];
    let [scope, scopeLength, scopeUrl, spans] = [0, 0, "", 0];
    for (at = from; at < to;) {
      const tag = varint();
      if (tag === 10) [scope, scopeLength] = chunk(to);
      else if (tag === 26) scopeUrl = text(...chunk(to));
      else {
        if (tag === 18) spans++;
        skip(tag & 7, to);
      }
    }
    if (spans === 0) continue;
    onScope({ resource, resourceLength, scope, scopeLength, resourceUrl, scopeUrl });
    for (at = from; at < to;) {
      const tag = varint();
      if (tag === 18) scanSpan(enter(to), onSpan);
      else skip(tag & 7, to);
    }
  }
  at = end;
}

function scanSpan(end: number, onSpan: (span: ScannedPlace) => void): void {
  span.offset = at;
  span.length = end - at;
  span.trace = span.id = span.parent = span.start = span.root = -1;
  span.ended = span.isStep = false;
  span.run = null;
  while (at < end) {
    const tag = varint();
    if (tag === 10) span.trace = fixed(end, 16, span.offset);
    else if (tag === 18) span.id = fixed(end, 8, span.offset);
    else if (tag === 34) {
      const [from, length] = chunk(end);
      span.parent = length === 8 ? from : -1;
    } else if (tag === 57) {
      if (at + 8 > end) throw badOtlp("field past the end of its message", at);
      span.start = at;
      at += 8;
    } else if (tag === 65) {
      if (at + 8 > end) throw badOtlp("field past the end of its message", at);
      span.ended = view.getUint32(at, true) !== 0 || view.getUint32(at + 4, true) !== 0;
      at += 8;
    } else if (tag === 74) scanAttribute(enter(end));
    else skip(tag & 7, end);
  }
  if (span.trace < 0 || span.id < 0) throw badOtlp("span without ids", span.offset);
  onSpan(span);
}

function scanAttribute(end: number): void {
  let [key, keyLength, value, valueEnd] = [-1, 0, -1, 0];
  while (at < end) {
    const tag = varint();
    if (tag === 10) [key, keyLength] = chunk(end);
    else if (tag === 18) {
      const [from, length] = chunk(end);
      [value, valueEnd] = [from, from + length];
    } else skip(tag & 7, end);
  }
  if (key < 0 || value < 0) return;
  if (equals(key, keyLength, RUN_ID)) {
    const [from, length] = stringOf(value, valueEnd);
    const id = length === 32 ? bytes.toString("latin1", from, from + length) : "";
    span.run = HEX.test(id) ? id : null;
  } else if (equals(key, keyLength, RECORD)) span.isStep = true;
  else if (equals(key, keyLength, ROOT)) [span.root, span.rootLength] = stringOf(value, valueEnd);
  at = end;
}

/** The text of an AnyValue that is one; [-1, 0] for others. */
function stringOf(from: number, end: number): [from: number, length: number] {
  let found: [number, number] = [-1, 0];
  at = from;
  while (at < end) {
    const tag = varint();
    if (tag === 10) found = chunk(end);
    else {
      // Another arm of the value: the last one counts.
      if (tag >= 16 && tag < 64) found = [-1, 0];
      skip(tag & 7, end);
    }
  }
  return found;
}

function equals(from: number, length: number, wanted: Buffer): boolean {
  if (length !== wanted.length) return false;
  for (let n = length - 1; n >= 0; n--) if (bytes[from + n] !== wanted[n]) return false;
  return true;
}

const text = (from: number, length: number) => utf8.decode(bytes.subarray(from, from + length));

function varint(): number {
  let value = 0;
  let unit = 1;
  for (let n = 0; n < 10; n++) {
    const byte = bytes[at++];
    if (byte === undefined) break;
    value += (byte & 127) * unit;
    if (byte < 128) return value;
    unit *= 128;
  }
  throw badOtlp("malformed number", at);
}

function chunk(limit: number): [from: number, length: number] {
  const length = varint();
  const from = at;
  if (length > limit - from) throw badOtlp("field past the end of its message", from);
  at += length;
  return [from, length];
}

function enter(limit: number): number {
  const length = varint();
  if (length > limit - at) throw badOtlp("message past the end of its parent", at);
  return at + length;
}

function fixed(limit: number, size: number, of: number): number {
  const [from, length] = chunk(limit);
  if (length !== size) throw badOtlp("span with an id of a wrong length", of);
  return from;
}

function skip(wire: number, limit: number): void {
  if (wire === 0) varint();
  else if (wire === 1) at += 8;
  else if (wire === 2) chunk(limit);
  else if (wire === 5) at += 4;
  else throw badOtlp("unknown wire type", at);
  if (at > limit) throw badOtlp("field past the end of its message", at);
}
