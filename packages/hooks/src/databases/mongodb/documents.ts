import type { BsonLibrary } from "./bson-library.ts";
import { shownAgain, standsFor } from "./stand-ins.ts";

/** Values of types that JavaScript lacks, as MongoDB's extended JSON names them, but for bytes, which stay bytes. */
const TYPES = new Set([
  "$oid",
  "$binary",
  "$numberLong",
  "$numberDouble",
  "$numberDecimal",
  "$timestamp",
  "$minKey",
  "$maxKey",
  "$code",
  "$regularExpression",
  "$symbol",
]);
/** A document whose own first name is one of those. */
const DOCUMENT = "$document";

/** Every type stays told apart. */
const EXACT = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
  validation: { utf8: false },
};
const CANONICAL = { relaxed: false };

interface BsonValue {
  readonly _bsontype: string;
}

interface BinaryValue extends BsonValue {
  readonly buffer: Uint8Array;
  readonly position: number;
  readonly sub_type: number;
}

/** A document of the wire, as a step has it: plain values, dates, and `{ $oid: … }` for what is neither. */
export function readableDocument(bytes: Uint8Array, bson: BsonLibrary): Record<string, unknown> {
  return readableMembers(bson.deserialize(bytes, EXACT), bson);
}

/** The bytes of a document that `readableDocument` has given. Throws where a value has been left out of it. */
export function documentBytes(document: object, bson: BsonLibrary): Uint8Array {
  return bson.serialize(membersOf(document, bson));
}

function readableMembers(document: object, bson: BsonLibrary): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, readable(value, bson)]));
}

function readable(value: unknown, bson: BsonLibrary): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((each) => readable(each, bson));
  if (isBsonValue(value)) return readableValue(value, bson);
  const members = readableMembers(value, bson);
  const [first = ""] = Object.keys(members);
  return TYPES.has(first) || first === DOCUMENT ? { [DOCUMENT]: members } : members;
}

function readableValue(value: BsonValue, bson: BsonLibrary): unknown {
  switch (value._bsontype) {
    case "Int32":
      return Number(value);
    case "Double":
      // a small whole number would come back as an integer; a large one is a number, so that redaction knows it as one
      return Number(value) === (Number(value) | 0) ? bson.EJSON.serialize(value, CANONICAL) : Number(value);
    case "Binary": {
      const { buffer, position, sub_type: subType } = value as BinaryValue;
      return { $binary: new Uint8Array(buffer.subarray(0, position)), subType };
    }
    case "DBRef": {
      const { $ref, $id, $db, ...fields } = (value as unknown as { toJSON(): Record<string, unknown> }).toJSON();
      return readableMembers({ $ref, $id, ...($db !== undefined && $db !== "" && { $db }), ...fields }, bson);
    }
    default:
      return shownAgain(bson.EJSON.serialize(value, CANONICAL));
  }
}

function membersOf(document: object, bson: BsonLibrary): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, valueOf(value, bson)]));
}

function valueOf(value: unknown, bson: BsonLibrary): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((each) => valueOf(each, bson));
  const [first = ""] = Object.keys(value);
  if (first === DOCUMENT) return membersOf((value as { [DOCUMENT]: object })[DOCUMENT], bson);
  if (!TYPES.has(first)) return membersOf(value, bson);
  if (!("$binary" in value)) return bson.EJSON.deserialize(standsFor(value), CANONICAL);
  const { $binary, subType } = value as { readonly $binary: Uint8Array; readonly subType: number };
  if (!($binary instanceof Uint8Array)) throw new TypeError("bytes are not whole: redaction has left them out");
  return new bson.Binary($binary, subType);
}

function isBsonValue(value: object): value is BsonValue {
  return typeof (value as Partial<BsonValue>)._bsontype === "string";
}
