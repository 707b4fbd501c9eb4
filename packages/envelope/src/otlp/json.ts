import { EnvelopeError } from "../envelope-error.ts";
import { type ScannedSpan, scanTraces } from "./scan-traces.ts";
import { type Field, type Message, TRACES_DATA } from "./schema.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

type Json = Record<string, unknown>;

/** A TracesData message as OTLP/JSON: ids in hex, 64-bit numbers as strings, bytes in base64, enums as numbers. */
export function otlpJson(tracesData: Uint8Array): unknown {
  return toJson(new WireReader(tracesData), TRACES_DATA);
}

/** The spans of an OTLP/JSON document (an object, parsed). Field names may be camelCase or snake_case. Throws `BAD_OTLP`. */
export function scanJson(document: unknown): ScannedSpan[] {
  return scanTraces(encodeJsonTraces(document));
}

/** An OTLP/JSON document (parsed) as a TracesData message. Unknown fields are left out. Throws `BAD_OTLP`. */
export function encodeJsonTraces(document: unknown): Uint8Array {
  return fromJson(document, TRACES_DATA, "document", 0);
}

function toJson(reader: WireReader, message: Message): Json {
  const json: Json = {};
  for (let number = reader.field(); number !== 0; number = reader.field()) {
    const field = message[number];
    if (!field) {
      reader.skip();
      continue;
    }
    const value = typeof field.type === "function" ? toJson(reader.message(), field.type()) : scalarJson(reader, field);
    if (field.repeated) ((json[field.name] ??= []) as unknown[]).push(value);
    else json[field.name] = value;
  }
  return json;
}

function scalarJson(reader: WireReader, field: Field): unknown {
  switch (field.type) {
    case "id":
      return Buffer.from(reader.chunk()).toString("hex");
    case "string":
      return reader.string();
    case "bytes":
      return Buffer.from(reader.chunk()).toString("base64");
    case "bool":
      return reader.uint() !== 0;
    case "enum":
    case "uint32":
      return reader.uint();
    case "int64":
      return String(reader.int64());
    case "fixed64":
      return String(reader.fixed64());
    case "fixed32":
      return reader.fixed32();
    default: {
      const value = reader.double();
      return Number.isFinite(value) ? value : String(value);
    }
  }
}

const bad = (why: string) => new EnvelopeError("BAD_OTLP", "OTLP JSON", why);
/** Objects in objects: a list of names and values takes three for each level, of which a span may have 64. */
export const MAX_OTLP_DEPTH = 200;

function fromJson(value: unknown, message: Message, path: string, depth: number): Uint8Array {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw bad(`${path} is no object`);
  if (depth > MAX_OTLP_DEPTH) throw bad(`${path} is nested too deep`);
  const writer = new WireWriter();
  for (const [key, field] of Object.entries(message)) {
    const item = memberOf(value as Json, field.name);
    if (item === null || item === undefined) continue;
    const where = `${path}.${field.name}`;
    if (!field.repeated) writeField(writer, Number(key), field, item, where, depth);
    else if (!Array.isArray(item)) throw bad(`${where} is no list`);
    else
      for (const [at, each] of item.entries()) writeField(writer, Number(key), field, each, `${where}[${at}]`, depth);
  }
  return writer.finish();
}

/** By its name in JSON, or by the one in the protocol's definition. */
function memberOf(json: Json, name: string): unknown {
  if (Object.hasOwn(json, name)) return json[name];
  const snake = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  return Object.hasOwn(json, snake) ? json[snake] : null;
}

function writeField(
  writer: WireWriter,
  number: number,
  field: Field,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (typeof field.type === "function") writer.bytes(number, fromJson(value, field.type(), path, depth + 1));
  else if (field.type === "int64" && isHuge(value)) writer.double(DOUBLE_VALUE, Number(value));
  else SCALARS[field.type](writer, number, value, path, field);
}

/** Of an AnyValue, the one message that has a field of type `int64`. */
const DOUBLE_VALUE = 4;

/** A whole number that only a double can hold: JavaScript's exporters write 1e20 as `intValue`. */
function isHuge(value: unknown): boolean {
  const isWhole =
    typeof value === "number" ? Number.isInteger(value) : typeof value === "string" && /^-?[0-9]{1,400}$/.test(value);
  return isWhole && !isWithin(BigInt(value as number | string), INT64);
}

type WriteScalar = (writer: WireWriter, number: number, value: unknown, path: string, field: Field) => void;

const SCALARS: Readonly<Record<Exclude<Field["type"], () => Message>, WriteScalar>> = {
  id(writer, number, value, path) {
    if (typeof value !== "string" || !/^([0-9a-f]{2})*$/i.test(value)) throw bad(`${path} is no hex id`);
    if (value !== "") writer.bytes(number, Buffer.from(value, "hex"));
  },
  string: (writer, number, value, path) => void writer.string(number, textOf(value, path)),
  bytes: (writer, number, value, path) => void writer.bytes(number, base64(textOf(value, path), path)),
  bool(writer, number, value, path) {
    if (typeof value !== "boolean") throw bad(`${path} is no boolean`);
    writer.varint(number, value ? 1 : 0);
  },
  enum(writer, number, value, path, { values }) {
    const named = typeof value === "string" ? (values?.indexOf(value) ?? -1) : -1;
    writer.varint(number, named >= 0 ? named : Number(whole(value, path, INT32)));
  },
  uint32: (writer, number, value, path) => void writer.varint(number, whole(value, path, UINT32)),
  fixed32: (writer, number, value, path) => void writer.fixed32(number, Number(whole(value, path, UINT32))),
  int64: (writer, number, value, path) => void writer.varint(number, whole(value, path, INT64)),
  fixed64: (writer, number, value, path) => void writer.fixed64(number, whole(value, path, UINT64)),
  double(writer, number, value, path) {
    const isNumber =
      typeof value === "number" ||
      (typeof value === "string" && /^(-?Infinity|NaN|-?[0-9.]+(e[+-]?[0-9]+)?)$/i.test(value));
    if (!isNumber) throw bad(`${path} is no number`);
    writer.double(number, Number(value));
  },
};

function textOf(value: unknown, path: string): string {
  if (typeof value !== "string") throw bad(`${path} is no string`);
  return value;
}

type Range = readonly [least: bigint, most: bigint];
const UINT32: Range = [0n, 2n ** 32n - 1n];
const UINT64: Range = [0n, 2n ** 64n - 1n];
const INT32: Range = [-(2n ** 31n), 2n ** 31n - 1n];
const INT64: Range = [-(2n ** 63n), 2n ** 63n - 1n];

function whole(value: unknown, path: string, range: Range): bigint {
  const found =
    (typeof value === "number" && Number.isInteger(value)) ||
    (typeof value === "string" && /^-?[0-9]{1,20}$/.test(value))
      ? BigInt(value)
      : null;
  if (found === null) throw bad(`${path} is no whole number`);
  if (!isWithin(found, range)) throw bad(`${path} is out of range`);
  return found;
}

const isWithin = (value: bigint, [least, most]: Range): boolean => value >= least && value <= most;

/** Of either alphabet, padded or not. */
function base64(value: string, path: string): Buffer {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) throw bad(`${path} is no base64`);
  return Buffer.from(value, "base64");
}
