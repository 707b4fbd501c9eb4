import { EnvelopeError, encodeJsonTraces, MAX_OTLP_DEPTH } from "@reenact/envelope";
import { BadBody } from "./body-encoding.ts";
import { MAX_VALUE_DEPTH } from "./check-traces.ts";

export interface TranscodedJson {
  /** protobuf */
  body: Uint8Array;
  /** spans that were left out, as their ids are none */
  rejected: number;
  why: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Whole numbers that a double may not hold. */
const LONG_NUMBER = /[:[,]\s*-?\d{16,}/;

/** OTLP/JSON as protobuf, with every field that OTLP has. Throws `BadBody`. */
export function transcodeJson(bytes: Uint8Array): TranscodedJson {
  const document = parse(bytes);
  const bad = dropSpans(document, faultOf);
  const body = encoded(document);
  if (!(body instanceof EnvelopeError)) return { body, ...bad };
  const deep = dropSpans(document, (span) => (isTooDeep(span) ? TOO_DEEP : null));
  const rest = deep.rejected === 0 ? body : encoded(document);
  if (rest instanceof EnvelopeError) throw new BadBody("malformed", rest.message);
  return { body: rest, rejected: bad.rejected + deep.rejected, why: bad.why || deep.why };
}

function encoded(document: unknown): Uint8Array | EnvelopeError {
  try {
    return encodeJsonTraces(document);
  } catch (error) {
    if (error instanceof EnvelopeError) return error;
    throw error;
  }
}

const TOO_DEEP = `values nested deeper than ${MAX_VALUE_DEPTH}`;
/** Document, resource and scope stand above a span. */
const ABOVE = 3;

/** Deeper than can be transcoded at all, which is deeper than a span may be. */
function isTooDeep(span: unknown): boolean {
  let level = [span];
  for (let depth = ABOVE; level.length > 0; depth++) {
    if (depth > MAX_OTLP_DEPTH) return true;
    level = level
      .flatMap((each) => Object.values(each as object))
      .flat(1)
      .filter((each) => typeof each === "object" && each !== null);
  }
  return false;
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepLongNumbers) : JSON.parse(text);
  } catch (error) {
    throw new BadBody("malformed", `no JSON: ${(error as Error).message}`);
  }
}

/** OTLP allows 64-bit numbers as numbers too: as text they keep their digits. */
function keepLongNumbers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  return /^-?\d+$/.test(context?.source ?? "") ? context!.source : value;
}

/** Takes spans with a fault out of the document. */
function dropSpans(document: unknown, fault: (span: unknown) => string | null): { rejected: number; why: string } {
  let rejected = 0;
  let why = "";
  for (const resource of listOf(document, "resourceSpans", "resource_spans")) {
    for (const scope of listOf(resource, "scopeSpans", "scope_spans")) {
      const spans = listOf(scope, "spans", "spans");
      const good = spans.filter((span) => {
        const found = fault(span);
        if (found === null) return true;
        why ||= found;
        return false;
      });
      rejected += spans.length - good.length;
      if (good.length < spans.length) (scope as Record<string, unknown>)["spans"] = good;
    }
  }
  return { rejected, why };
}

function listOf(value: unknown, name: string, snake: string): unknown[] {
  const list = fieldOf(value, name, snake);
  return Array.isArray(list) ? list : [];
}

function fieldOf(value: unknown, name: string, snake: string): unknown {
  if (value === null || typeof value !== "object") return undefined;
  const object = value as Record<string, unknown>;
  return Object.hasOwn(object, name) ? object[name] : Object.hasOwn(object, snake) ? object[snake] : undefined;
}

function faultOf(span: unknown): string | null {
  if (!isId(fieldOf(span, "traceId", "trace_id"), 32)) return "a trace id that is not 32 hex digits, or zero";
  if (!isId(fieldOf(span, "spanId", "span_id"), 16)) return "a span id that is not 16 hex digits, or zero";
  const parent = fieldOf(span, "parentSpanId", "parent_span_id");
  const isNone = parent === undefined || parent === null || parent === "";
  return isNone || (typeof parent === "string" && /^[0-9a-f]{16}$/i.test(parent))
    ? null
    : "a parent span id that is not 16 hex digits";
}

function isId(value: unknown, digits: number): boolean {
  return typeof value === "string" && value.length === digits && /^[0-9a-f]+$/i.test(value) && !/^0+$/.test(value);
}
