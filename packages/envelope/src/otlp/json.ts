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
const MAX_DEPTH = 200;

function fromJson(value: unknown, message: Message, path: string, depth: number): Uint8Array {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw bad(`${path} is no object`);
  if (depth > MAX_DEPTH) throw bad(`${path} is nested too deep`);
  const json = value as Json;
  const writer = new WireWriter();
  for (const [key, field] of Object.entries(message)) {
    const number = Number(key);
    const snake = field.name.replace(/[A-Z]/g, (capital: string) => `_${capital.toLowerCase()}`);
    const item = Object.hasOwn(json, field.name) ? json[field.name] : Object.hasOwn(json, snake) ? json[snake] : null;
    if (item === null || item === undefined) continue;
    if (field.repeated && !Array.isArray(item)) throw bad(`${path}.${field.name} is no list`);
    for (const [at, each] of (field.repeated ? (item as unknown[]) : [item]).entries()) {
      const where = `${path}.${field.name}${field.repeated ? `[${at}]` : ""}`;
      if (typeof field.type === "function") writer.bytes(number, fromJson(each, field.type(), where, depth + 1));
      else writeScalar(writer, number, field, each, where);
    }
  }
  return writer.finish();
}

function writeScalar(writer: WireWriter, number: number, field: Field, value: unknown, path: string): void {
  switch (field.type) {
    case "id":
      if (typeof value !== "string" || !/^([0-9a-f]{2})*$/i.test(value)) throw bad(`${path} is no hex id`);
      if (value !== "") writer.bytes(number, Buffer.from(value, "hex"));
      return;
    case "string":
    case "bytes":
      if (typeof value !== "string") throw bad(`${path} is no string`);
      if (field.type === "string") writer.string(number, value);
      else writer.bytes(number, Buffer.from(value, "base64"));
      return;
    case "bool":
      if (typeof value !== "boolean") throw bad(`${path} is no boolean`);
      writer.varint(number, value ? 1 : 0);
      return;
    case "enum": {
      const named = typeof value === "string" ? (field.values?.indexOf(value) ?? -1) : -1;
      writer.varint(number, named >= 0 ? named : Number(whole(value, path)));
      return;
    }
    case "uint32":
      writer.varint(number, whole(value, path));
      return;
    case "fixed32":
      writer.fixed32(number, Number(whole(value, path)));
      return;
    case "int64":
      writer.varint(number, whole(value, path));
      return;
    case "fixed64":
      writer.fixed64(number, whole(value, path));
      return;
    default:
      if (
        typeof value !== "number" &&
        !(typeof value === "string" && /^(-?Infinity|NaN|-?[0-9.]+(e[+-]?[0-9]+)?)$/i.test(value))
      ) {
        throw bad(`${path} is no number`);
      }
      writer.double(number, Number(value));
  }
}

function whole(value: unknown, path: string): bigint {
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^-?[0-9]{1,20}$/.test(value)) return BigInt(value);
  throw bad(`${path} is no whole number`);
}
