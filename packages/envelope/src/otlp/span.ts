import { readAttribute, writeAttributes } from "./any-value.ts";
import type { KnownTexts } from "./known-texts.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** A span. Ids are lower-case hex, times nanoseconds since the epoch. Byte values of attributes are views. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer */
  kind: number;
  startUnixNano: bigint;
  endUnixNano: bigint;
  attributes: Record<string, unknown>;
  droppedAttributesCount: number;
  events: { name: string; timeUnixNano: bigint; attributes: Record<string, unknown> }[];
  links: { traceId: string; spanId: string; attributes: Record<string, unknown> }[];
  /** 0 unset, 1 ok, 2 error */
  status: { code: 0 | 1 | 2; message: string };
  traceState: string;
  flags: number;
}

/** A span that says no more than is given: no attributes, no status, times 0. */
export function plainSpan(given: Pick<OtlpSpan, "traceId" | "spanId" | "name"> & Partial<OtlpSpan>): OtlpSpan {
  return {
    parentSpanId: null,
    kind: 1,
    startUnixNano: 0n,
    endUnixNano: 0n,
    attributes: {},
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 0, message: "" },
    traceState: "",
    flags: 0,
    ...given,
  };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

type ReadField = (span: OtlpSpan, reader: WireReader) => void;
const skip: ReadField = (_, reader) => reader.skip();

/** By the number of a field, but for attributes. */
const FIELDS: Readonly<Partial<Record<number, ReadField>>> = {
  1: (span, reader) => void (span.traceId = hex(reader.chunk())),
  2: (span, reader) => void (span.spanId = hex(reader.chunk())),
  3: (span, reader) => void (span.traceState = reader.string()),
  4: (span, reader) => void (span.parentSpanId = hex(reader.chunk()) || null),
  5: (span, reader) => void (span.name = reader.string()),
  6: (span, reader) => void (span.kind = reader.uint()),
  7: (span, reader) => void (span.startUnixNano = reader.fixed64()),
  8: (span, reader) => void (span.endUnixNano = reader.fixed64()),
  10: (span, reader) => void (span.droppedAttributesCount = reader.uint()),
  11: (span, reader) => void span.events.push(readEvent(reader.message())),
  13: (span, reader) => void span.links.push(readLink(reader.message())),
  15: (span, reader) => readStatus(reader.message(), span.status),
  16: (span, reader) => void (span.flags = reader.fixed32()),
};

/**
 * Decodes the bytes of one Span message. Unknown fields are ignored. Texts of attributes are cut after `longest` bytes,
 * but for those named `reenact.*`. `only`: names of the attributes that are wanted; default all. `known`: of the spans
 * before it. Throws `BAD_OTLP`.
 */
export function decodeSpan(
  bytes: Uint8Array,
  longest?: number,
  only?: ReadonlySet<string>,
  known?: KnownTexts,
): OtlpSpan {
  const reader = new WireReader(bytes, 0, bytes.length, known);
  const span: OtlpSpan = {
    traceId: "",
    spanId: "",
    parentSpanId: null,
    name: "",
    kind: 0,
    startUnixNano: 0n,
    endUnixNano: 0n,
    attributes: {},
    droppedAttributesCount: 0,
    events: [],
    links: [],
    status: { code: 0, message: "" },
    traceState: "",
    flags: 0,
  };
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 9) readAttribute(reader.message(), span.attributes, 0, longest, only);
    else (FIELDS[field] ?? skip)(span, reader);
    if (field === 5) known?.begin(span.name);
  }
  return span;
}

function readEvent(reader: WireReader): OtlpSpan["events"][number] {
  const event = { name: "", timeUnixNano: 0n, attributes: {} };
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) event.timeUnixNano = reader.fixed64();
    else if (field === 2) event.name = reader.string();
    else if (field === 3) readAttribute(reader.message(), event.attributes);
    else reader.skip();
  }
  return event;
}

function readLink(reader: WireReader): OtlpSpan["links"][number] {
  const link = { traceId: "", spanId: "", attributes: {} };
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) link.traceId = hex(reader.chunk());
    else if (field === 2) link.spanId = hex(reader.chunk());
    else if (field === 4) readAttribute(reader.message(), link.attributes);
    else reader.skip();
  }
  return link;
}

function readStatus(reader: WireReader, status: OtlpSpan["status"]): void {
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 2) status.message = reader.string();
    else if (field === 3) {
      const code = reader.uint();
      // enums of OTLP are open: an unknown code carries no meaning for a reader, and must not make a run unreadable
      status.code = code === 1 || code === 2 ? code : 0;
    } else reader.skip();
  }
}

/** Encodes a span; fields that have their default value are left out. */
export function encodeSpan(span: OtlpSpan): Uint8Array {
  return writeSpan(span).finish();
}

/** `encodeSpan`, to be put into a larger message. */
export function writeSpan(span: OtlpSpan): WireWriter {
  const writer = new WireWriter().bytes(1, Buffer.from(span.traceId, "hex")).bytes(2, Buffer.from(span.spanId, "hex"));
  if (span.traceState !== "") writer.string(3, span.traceState);
  if (span.parentSpanId !== null) writer.bytes(4, Buffer.from(span.parentSpanId, "hex"));
  writer.string(5, span.name).varint(6, span.kind).fixed64(7, span.startUnixNano).fixed64(8, span.endUnixNano);
  writeAttributes(writer, 9, span.attributes);
  if (span.droppedAttributesCount > 0) writer.varint(10, span.droppedAttributesCount);
  for (const event of span.events) {
    const inner = new WireWriter().fixed64(1, event.timeUnixNano).string(2, event.name);
    writer.message(11, writeAttributes(inner, 3, event.attributes));
  }
  for (const link of span.links) {
    const inner = new WireWriter().bytes(1, Buffer.from(link.traceId, "hex")).bytes(2, Buffer.from(link.spanId, "hex"));
    writer.message(13, writeAttributes(inner, 4, link.attributes));
  }
  const status = new WireWriter();
  if (span.status.message !== "") status.string(2, span.status.message);
  if (span.status.code !== 0) status.varint(3, span.status.code);
  if (status.length > 0) writer.message(15, status);
  if (span.flags !== 0) writer.fixed32(16, span.flags);
  return writer;
}
