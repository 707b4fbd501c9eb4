import { hash } from "node:crypto";
import { EnvelopeError } from "../envelope-error.ts";
import type { ScannedSpan } from "./scan-traces.ts";
import { ANY_VALUE, type Field, type Message, RESOURCE, SCOPE, SPAN } from "./schema.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/**
 * A digest of what a span, its scope and its resource say, hex: equal for two encodings of one span (OTLP/JSON and
 * protobuf, two protobuf writers, attributes in another order), and different wherever anything that is said differs.
 * Null: it has something that OTLP does not define, or tells one thing twice, so that its bytes alone identify it.
 */
export function spanMeaning(scanned: ScannedSpan): string | null {
  try {
    const whole = new WireWriter()
      .string(1, scanned.resourceSchemaUrl)
      .message(2, canonical(new WireReader(scanned.resource), RESOURCE))
      .string(3, scanned.scopeSchemaUrl)
      .message(4, canonical(new WireReader(scanned.scope), SCOPE))
      .message(5, canonical(new WireReader(scanned.span), SPAN));
    return hash("sha256", whole.finish());
  } catch (error) {
    if (error === UNKNOWN || error instanceof EnvelopeError) return null;
    throw error;
  }
}

const UNKNOWN = new Error("not all of it is known");

/** Fields ascending, default values left out, attributes by key. Throws `UNKNOWN`, or `BAD_OTLP`. */
function canonical(reader: WireReader, message: Message): WireWriter {
  const found = new Map<number, WireWriter[]>();
  for (let number = reader.field(); number !== 0; number = reader.field()) {
    const field = message[number];
    // Of a field that is told twice readers take the last or join both: too fine to be judged here.
    if (!field || (found.has(number) && !field.repeated)) throw UNKNOWN;
    // An AnyValue is one of its fields.
    if (message === ANY_VALUE && found.size > 0) throw UNKNOWN;
    const written = one(reader, number, field, message === ANY_VALUE);
    const before = found.get(number);
    if (before) before.push(written);
    else found.set(number, [written]);
  }
  const out = new WireWriter();
  for (const [number, all] of [...found].toSorted(([a], [b]) => a - b)) {
    for (const each of message[number]!.name === "attributes" ? byKey(all) : all) out.raw(each.finish());
  }
  return out;
}

/** One field with its tag; nothing where its value is that of a field that is absent. */
function one(reader: WireReader, number: number, field: Field, isChoice: boolean): WireWriter {
  const out = new WireWriter();
  if (typeof field.type === "function") {
    const type = field.type();
    const inner = canonical(reader.message(), type);
    // A value that is none is not the same as no value.
    const isSaid = isChoice || field.repeated || type === ANY_VALUE || inner.length > 0;
    return isSaid ? out.message(number, inner) : out;
  }
  const copy = COPIES[field.type] ?? COPIES.int64;
  const isDefault = copy(reader, out, number);
  return isDefault && !isChoice && field.repeated !== true ? new WireWriter() : out;
}

/** Copies a value with its tag; returns whether it is that of a field that is absent. */
type CopyScalar = (reader: WireReader, out: WireWriter, number: number) => boolean;

const chunk: CopyScalar = (reader, out, number) => {
  const bytes = reader.chunk();
  out.bytes(number, bytes);
  return bytes.length === 0;
};

const COPIES: Readonly<Partial<Record<string, CopyScalar>>> & { readonly int64: CopyScalar } = {
  id: chunk,
  string: chunk,
  bytes: chunk,
  double(reader, out, number) {
    const value = reader.double();
    out.double(number, value);
    return Object.is(value, 0);
  },
  fixed64(reader, out, number) {
    const value = reader.fixed64();
    out.fixed64(number, value);
    return value === 0n;
  },
  fixed32(reader, out, number) {
    const value = reader.fixed32();
    out.fixed32(number, value);
    return value === 0;
  },
  /** All 64 bits of it, whatever the field's type would make of them. */
  int64(reader, out, number) {
    const value = reader.int64();
    out.varint(number, value);
    return value === 0n;
  },
};

/** Keys are to be different, and then their order says nothing. */
function byKey(attributes: readonly WireWriter[]): readonly WireWriter[] {
  const keyed = attributes.map((each) => ({ each, key: keyOf(each.finish()) }));
  if (new Set(keyed.map(({ key }) => key)).size < keyed.length) return attributes;
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ each }) => each);
}

function keyOf(attribute: Uint8Array): string {
  const outer = new WireReader(attribute);
  outer.field();
  const reader = outer.message();
  return reader.field() === 1 ? Buffer.from(reader.chunk()).toString("latin1") : "";
}
