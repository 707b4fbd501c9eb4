import { EnvelopeError } from "../envelope-error.ts";
import { badOtlp, WireReader } from "./wire-reader.ts";

/** One span as it lies in an OTLP message, with what it stood under. All bytes are views of the input. */
export interface ScannedSpan {
  /** bytes of the Resource message, without tag and length */
  resource: Uint8Array;
  resourceSchemaUrl: string;
  /** bytes of the InstrumentationScope message */
  scope: Uint8Array;
  scopeSchemaUrl: string;
  /** bytes of the Span message */
  span: Uint8Array;
  /** 32 lower-case hex digits */
  traceId: string;
  /** 16 lower-case hex digits */
  spanId: string;
  startUnixNano: bigint;
}

const NOTHING = new Uint8Array();

/** Every span of a TracesData or ExportTraceServiceRequest message, in order. Throws `BAD_OTLP` with the byte. */
export function scanTraces(bytes: Uint8Array): ScannedSpan[] {
  const spans: ScannedSpan[] = [];
  scanInto(spans, new WireReader(bytes), false);
  return spans;
}

/** The whole spans of a message that may have been cut short or damaged, and the error that ended the scan. */
export function scanWhatIsThere(bytes: Uint8Array): { spans: ScannedSpan[]; error: EnvelopeError | null } {
  const spans: ScannedSpan[] = [];
  try {
    scanInto(spans, new WireReader(bytes), true);
    return { spans, error: null };
  } catch (error) {
    if (error instanceof EnvelopeError) return { spans, error };
    throw error;
  }
}

/** Fields of a message may come in any order: resource and scope are given to their spans when they are known. */
function scanInto(spans: ScannedSpan[], reader: WireReader, cut: boolean): void {
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) scanResource(spans, inner(reader, cut), cut);
    else reader.skip();
  }
}

function scanResource(spans: ScannedSpan[], reader: WireReader, cut: boolean): void {
  const first = spans.length;
  let resource: Uint8Array = NOTHING;
  let schemaUrl = "";
  try {
    for (let field = reader.field(); field !== 0; field = reader.field()) {
      if (field === 1) resource = reader.chunk();
      else if (field === 2) scanScope(spans, inner(reader, cut));
      else if (field === 3) schemaUrl = reader.string();
      else reader.skip();
    }
  } finally {
    for (let at = first; at < spans.length; at++) Object.assign(spans[at]!, { resource, resourceSchemaUrl: schemaUrl });
  }
}

function scanScope(spans: ScannedSpan[], reader: WireReader): void {
  const first = spans.length;
  let scope: Uint8Array = NOTHING;
  let schemaUrl = "";
  try {
    for (let field = reader.field(); field !== 0; field = reader.field()) {
      if (field === 1) scope = reader.chunk();
      else if (field === 2) spans.push(spanOf(reader.message()));
      else if (field === 3) schemaUrl = reader.string();
      else reader.skip();
    }
  } finally {
    for (let at = first; at < spans.length; at++) Object.assign(spans[at]!, { scope, scopeSchemaUrl: schemaUrl });
  }
}

/** The bytes of one Span message, of which only its ids and its start are read; what it stood under is empty. Throws `BAD_OTLP`. */
export function scanSpan(bytes: Uint8Array): ScannedSpan {
  return spanOf(new WireReader(bytes));
}

function spanOf(reader: WireReader): ScannedSpan {
  const start = reader.at;
  let traceId = "";
  let spanId = "";
  let startUnixNano = 0n;
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) traceId = Buffer.from(reader.chunk()).toString("hex");
    else if (field === 2) spanId = Buffer.from(reader.chunk()).toString("hex");
    else if (field === 7) startUnixNano = reader.fixed64();
    else reader.skip();
  }
  if (traceId.length !== 32 || spanId.length !== 16) throw badOtlp("span without ids", start);
  return {
    resource: NOTHING,
    resourceSchemaUrl: "",
    scope: NOTHING,
    scopeSchemaUrl: "",
    span: reader.bytes.subarray(start, reader.end),
    traceId,
    spanId,
    startUnixNano,
  };
}

/** The message of a field; in a message that was cut, as far as it goes. */
function inner(reader: WireReader, cut: boolean): WireReader {
  const before = reader.at;
  try {
    return reader.message();
  } catch (error) {
    if (!cut) throw error;
    reader.at = before;
    const length = reader.varint();
    const message = new WireReader(reader.bytes, reader.at, reader.end);
    if (length <= BigInt(reader.end - reader.at)) throw error;
    reader.at = reader.end;
    return message;
  }
}
