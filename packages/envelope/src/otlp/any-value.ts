import { setOwn } from "../json/json-node.ts";
import { badOtlp, type WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

const MAX_DEPTH = 64;

/**
 * Value of an `AnyValue`: string, boolean, number (bigint past 2⁵³), array, object, Uint8Array (a view); null when it
 * is empty.
 */
export function readAnyValue(reader: WireReader, depth = 0, longest = Number.MAX_SAFE_INTEGER): unknown {
  if (depth > MAX_DEPTH) throw badOtlp("value nested too deep", reader.at);
  let value: unknown = null;
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) value = reader.string(longest);
    else if (field === 2) value = reader.uint() !== 0;
    else if (field === 3) value = narrow(reader.int64());
    else if (field === 4) value = reader.double();
    else if (field === 5) value = readList(reader.message(), depth);
    else if (field === 6) value = readEntries(reader.message(), depth);
    else if (field === 7) value = reader.chunk();
    else reader.skip();
  }
  return value;
}

/** Attributes that the format itself reads are never cut. */
const OURS = "reenact.";

/**
 * Reads a `KeyValue` into an object; the last one of equal keys wins. A text of more than `longest` bytes is cut there,
 * unless its key is one of the format's. `only`: an attribute of another name is left out.
 */
export function readAttribute(
  reader: WireReader,
  into: Record<string, unknown>,
  depth = 0,
  longest = Number.MAX_SAFE_INTEGER,
  only?: ReadonlySet<string>,
): void {
  let key = "";
  let value: unknown = null;
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) key = reader.string();
    else if (field === 2 && key !== "" && only?.has(key) === false) reader.skip();
    else if (field === 2) {
      const whole = key === "" || key.startsWith(OURS);
      value = readAnyValue(reader.message(), depth, whole ? Number.MAX_SAFE_INTEGER : longest);
    } else reader.skip();
  }
  if (only?.has(key) === false) return;
  setOwn(into, key, value);
}

function readList(reader: WireReader, depth: number): unknown[] {
  const list: unknown[] = [];
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) list.push(readAnyValue(reader.message(), depth + 1));
    else reader.skip();
  }
  return list;
}

function readEntries(reader: WireReader, depth: number): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) readAttribute(reader.message(), entries, depth + 1);
    else reader.skip();
  }
  return entries;
}

function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Whole numbers are written as integers, like the JavaScript SDK does; null as an empty value. */
function anyValue(value: unknown): WireWriter {
  const writer = new WireWriter();
  if (typeof value === "string") writer.string(1, value);
  else if (typeof value === "boolean") writer.varint(2, value ? 1 : 0);
  else if (typeof value === "bigint") writer.varint(3, value);
  else if (typeof value === "number") {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.varint(3, value);
    else writer.double(4, value);
  } else if (value instanceof Uint8Array) writer.bytes(7, value);
  else if (Array.isArray(value)) {
    const list = new WireWriter();
    for (const item of value) list.message(1, anyValue(item));
    writer.message(5, list);
  } else if (typeof value === "object" && value !== null) {
    writer.message(6, writeAttributes(new WireWriter(), 1, value as Record<string, unknown>));
  }
  return writer;
}

/** Writes the attributes as repeated `KeyValue` under a field; undefined ones are left out. */
export function writeAttributes(writer: WireWriter, field: number, attributes: Record<string, unknown>): WireWriter {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    writer.message(field, new WireWriter().string(1, key).message(2, anyValue(value)));
  }
  return writer;
}
