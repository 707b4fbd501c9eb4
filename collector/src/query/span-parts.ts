import { hash } from "node:crypto";
import { ATTR, type HeaderPairs, type RecordedBody } from "@reenact/envelope";
import { type RunSpan, spanTexts } from "@reenact/envelope/file";
import { mediaType } from "./media-type.ts";
import type { PartInfo } from "./step-schema.ts";

/** A value of a step; its bytes are made when they are asked for. */
export interface SpanPart {
  readonly name: string;
  /** as the recorder says; null: it does not */
  readonly claimed: string | null;
  /** a text has its UTF-8 bytes */
  readonly value: string | Uint8Array;
}

/** A longer text is a part of its own, not a fact of its step. */
export const LONGEST_FACT = 256;
const TYPED = "application/json";

/** The input and the output of a step. */
export function mainParts({ span, record }: RunSpan): SpanPart[] {
  const parts: SpanPart[] = [];
  const { input, output } = spanTexts(span);
  const add = (name: string, value: string | Uint8Array | null | undefined, claimed: string | null = null) => {
    if (value !== null && value !== undefined) parts.push({ name, value, claimed });
  };
  const mime = (key: string) => {
    const type = span.attributes[key];
    return typeof type === "string" ? type : null;
  };
  add("input", input, mime(ATTR.inputMime));
  add("output", output, mime(ATTR.outputMime));
  const { exchange, call } = record ?? {};
  const body = (name: string, recorded: RecordedBody | undefined, headers: HeaderPairs) => {
    if (recorded === undefined) return;
    const claimed = headers.find(([key]) => key.toLowerCase() === "content-type")?.[1] ?? null;
    if ("$" in recorded) add(name, textAt(span.attributes, recorded.$ as string), claimed);
    else if ("text" in recorded) add(name, recorded.text as string, claimed);
    else add(name, Buffer.from(recorded.base64, "base64"), claimed);
  };
  if (exchange) body("request", exchange.request.body, exchange.request.headers);
  if (exchange?.response) body("response", exchange.response.body, exchange.response.headers);
  add("arguments", call?.args, TYPED);
  add("result", call?.result, TYPED);
  add("error", call?.error, TYPED);
  if (call?.yields) add("yields", JSON.stringify(call.yields), TYPED);
  return parts;
}

/** All that can be read of a step. */
export function allParts(of: RunSpan): SpanPart[] {
  const { attributes } = of.span;
  const parts = mainParts(of);
  const shown = new Set<string>([ATTR.inputValue, ATTR.outputValue, ATTR.record]);
  for (const [key, value] of Object.entries(attributes)) {
    if (shown.has(key)) continue;
    if (value instanceof Uint8Array) parts.push({ name: `attribute.${key}`, value, claimed: null });
    else if (typeof value === "string" && value.length > LONGEST_FACT)
      parts.push({ name: `attribute.${key}`, value, claimed: null });
    else if (typeof value === "object" && value !== null)
      parts.push({ name: `attribute.${key}`, value: JSON.stringify(value, plain), claimed: "application/json" });
  }
  const record = textAt(attributes, ATTR.record);
  if (record !== null) parts.push({ name: "record", value: record, claimed: "application/json" });
  parts.push({ name: "span", value: of.scanned.span, claimed: "application/x-protobuf" });
  return parts;
}

/** Digest, size and type of a part; the media type is that under which it is served. */
export function partInfoOf({ name, value, claimed }: SpanPart): PartInfo {
  const bytes = typeof value === "string" ? Buffer.byteLength(value) : value.length;
  return { name, digest: digestOf(value), bytes, type: mediaType(claimed, typeof value === "string") };
}

/** SHA-256, hex. */
export const digestOf = (value: string | Uint8Array): string => hash("sha256", value);

const plain = (_: string, value: unknown): unknown =>
  typeof value === "bigint"
    ? String(value)
    : value instanceof Uint8Array
      ? Buffer.from(value).toString("base64")
      : value;

function textAt(attributes: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = attributes[key];
  return typeof value === "string" ? value : null;
}
