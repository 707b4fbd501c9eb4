import { readSync } from "node:fs";
import { WireWriter } from "@reenact/envelope";
import { MalformedTraces } from "./check-traces.ts";

/** A piece has so many bytes, or one span; the journal copies what is not larger, and allocates nothing. */
const PIECE = 3 * 1024 * 1024;
const WINDOW = 1024 * 1024;

interface Field {
  readonly number: number;
  readonly wire: number;
  /** of its tag */
  readonly start: number;
  /** of its content; the content of a number is none */
  readonly from: number;
  readonly to: number;
}

/**
 * An ExportTraceServiceRequest that lies in a file, as smaller ones: each span under the resource and scope that it stood
 * under, in order, every byte of them as it is. Fields that OTLP does not have are left out. Throws `MalformedTraces`
 * where the frame around the spans is no such request; what is in a piece is for the caller to check.
 */
export function* splitBody(file: number, length: number, pieceBytes = PIECE): Generator<Uint8Array> {
  const bytes = windowed(file, length);
  let top: Uint8Array[] = [];
  let size = 0;
  function* piece(): Generator<Uint8Array> {
    if (top.length > 0) yield Buffer.concat(top);
    top = [];
    size = 0;
  }

  for (const each of messages(bytes, 0, length, 1)) {
    const above = wrapper(bytes, each);
    let scopes: Uint8Array[] = [];
    const closeResource = () => {
      const message = new WireWriter().raw(above.head);
      for (const scope of scopes) message.bytes(2, scope);
      top.push(new WireWriter().message(1, message.raw(above.url)).finish());
      scopes = [];
    };
    for (const scope of messages(bytes, each.from, each.to, 2)) {
      const below = wrapper(bytes, scope);
      // what is repeated in every piece must not be most of it
      const enough = Math.max(pieceBytes, 4 * (above.head.length + below.head.length));
      let spans: Uint8Array[] = [];
      const closeScope = () => {
        const message = new WireWriter().raw(below.head);
        for (const span of spans) message.raw(span);
        scopes.push(message.raw(below.url).finish());
        spans = [];
      };
      size += below.head.length;
      for (const span of messages(bytes, scope.from, scope.to, 2)) {
        if (size > 0 && size + span.to - span.start > enough) {
          closeScope();
          closeResource();
          yield* piece();
        }
        spans.push(bytes.copy(span.start, span.to));
        size += span.to - span.start;
      }
      closeScope();
    }
    closeResource();
    size += above.head.length;
    if (size > pieceBytes) yield* piece();
  }
  yield* piece();
}

/** Resource or scope with its tag, and schema URL; of those that come twice the last one, as a decoder takes it. */
function wrapper(bytes: Windowed, { from, to }: Field): { head: Uint8Array; url: Uint8Array } {
  let [head, url]: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  for (const field of fieldsOf(bytes, from, to)) {
    if (field.number < 1 || field.number > 3) continue;
    if (field.wire !== 2) throw new MalformedTraces("field of another type", field.start);
    if (field.number === 1) head = bytes.copy(field.start, field.to);
    else if (field.number === 3) url = bytes.copy(field.start, field.to);
  }
  return { head, url };
}

function* messages(bytes: Windowed, from: number, to: number, number: number): Generator<Field> {
  for (const field of fieldsOf(bytes, from, to)) {
    if (field.number !== number) continue;
    if (field.wire !== 2) throw new MalformedTraces("field of another type", field.start);
    yield field;
  }
}

function* fieldsOf(bytes: Windowed, begin: number, end: number): Generator<Field> {
  for (let at = begin; at < end;) {
    const start = at;
    const number = (): number => {
      let value = 0;
      for (let unit = 1; at < end; unit *= 128) {
        if (unit > 2 ** 46) throw new MalformedTraces("number too long", start);
        const byte = bytes.at(at++);
        value += (byte & 127) * unit;
        if (byte < 128) return value;
      }
      throw new MalformedTraces("number cut short", start);
    };
    const tag = number();
    if (tag < 8 || tag > 0xffffffff) throw new MalformedTraces("bad tag", start);
    const wire = tag & 7;
    let from = at;
    if (wire === 2) {
      const length = number();
      from = at;
      if (length > end - at) throw new MalformedTraces("field past the end of its message", start);
      at += length;
    } else if (wire === 1 || wire === 5) {
      at += wire === 1 ? 8 : 4;
      if (at > end) throw new MalformedTraces("field past the end of its message", start);
    } else if (wire === 0) {
      while (at < end && bytes.at(at) >= 128) at++;
      if (at >= end) throw new MalformedTraces("number cut short", start);
      if (++at - from > 10) throw new MalformedTraces("number too long", start);
    } else throw new MalformedTraces("unknown wire type", start);
    yield { number: tag >>> 3, wire, start, from, to: at };
  }
}

interface Windowed {
  at(offset: number): number;
  copy(from: number, to: number): Uint8Array;
}

/** Reads block: the file has just been written, so its bytes are in memory. */
function windowed(file: number, length: number): Windowed {
  const window = Buffer.allocUnsafeSlow(Math.min(WINDOW, length));
  let [from, to] = [0, 0];
  return {
    at(offset) {
      if (offset < from || offset >= to) {
        from = offset;
        to = offset + Math.min(window.length, length - offset);
        fill(file, window.subarray(0, to - from), from);
      }
      return window[offset - from]!;
    },
    copy(begin, end) {
      const bytes = Buffer.allocUnsafeSlow(end - begin);
      fill(file, bytes, begin);
      return bytes;
    },
  };
}

function fill(file: number, into: Uint8Array, at: number): void {
  for (let done = 0; done < into.length;) {
    const read = readSync(file, into, done, into.length - done, at + done);
    if (read === 0) throw new Error(`the file of a request ends at ${at + done}`);
    done += read;
  }
}
