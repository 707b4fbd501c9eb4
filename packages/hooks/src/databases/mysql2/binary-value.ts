import { textOrBytes } from "../text-or-bytes.ts";
import { type PayloadReader, PayloadWriter } from "./payload.ts";

/** A value of a row or a parameter; null: NULL. Dates and times are texts. What has no other form is its bytes. */
export type MysqlValue = string | number | bigint | Uint8Array | null;

/** Numbers of the protocol's types. */
const TYPE = { tiny: 1, short: 2, long: 3, float: 4, double: 5, null: 6, timestamp: 7, longlong: 8 } as const;
const MORE = { int24: 9, date: 10, time: 11, datetime: 12, year: 13 } as const;

const INTEGERS: Readonly<Record<number, number>> = {
  [TYPE.tiny]: 1,
  [TYPE.short]: 2,
  [MORE.year]: 2,
  [TYPE.long]: 4,
  [MORE.int24]: 4,
};
const DATES = new Set<number>([TYPE.timestamp, MORE.date, MORE.datetime]);

/** A value of the binary protocol, as rows and parameters of prepared statements have it. */
export function readBinary(reader: PayloadReader, type: number, isUnsigned: boolean): MysqlValue {
  const size = INTEGERS[type];
  if (size !== undefined) {
    const bytes = reader.bytes(size);
    return isUnsigned ? bytes.readUIntLE(0, size) : bytes.readIntLE(0, size);
  }
  if (type === TYPE.longlong) {
    const bytes = reader.bytes(8);
    const value = isUnsigned ? bytes.readBigUInt64LE(0) : bytes.readBigInt64LE(0);
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (type === TYPE.float) return reader.bytes(4).readFloatLE(0);
  if (type === TYPE.double) return reader.bytes(8).readDoubleLE(0);
  if (type === TYPE.null) return null;
  const bytes = reader.counted();
  if (DATES.has(type)) return asText(bytes, dateText, dateBytes);
  if (type === MORE.time) return asText(bytes, timeText, timeBytes);
  return textOrBytes(bytes);
}

/** Throws where the value is none of this type: redaction has put something in its place. */
export function writeBinary(writer: PayloadWriter, type: number, isUnsigned: boolean, value: MysqlValue): void {
  if (type === TYPE.null || value === null) return;
  const size = INTEGERS[type];
  if (size !== undefined) {
    const bytes = Buffer.alloc(size);
    if (isUnsigned) bytes.writeUIntLE(numberOf(value), 0, size);
    else bytes.writeIntLE(numberOf(value), 0, size);
    writer.raw(bytes);
  } else if (type === TYPE.longlong) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt.asUintN(64, typeof value === "bigint" ? value : BigInt(numberOf(value))));
    writer.raw(bytes);
  } else if (type === TYPE.float) {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(numberOf(value));
    writer.raw(bytes);
  } else if (type === TYPE.double) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(numberOf(value));
    writer.raw(bytes);
  } else writer.counted(countedBytes(type, value));
}

function countedBytes(type: number, value: MysqlValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "string") throw notWhole();
  if (DATES.has(type)) return dateBytes(value);
  return type === MORE.time ? timeBytes(value) : Buffer.from(value, "utf8");
}

function numberOf(value: MysqlValue): number {
  if (typeof value !== "number") throw notWhole();
  return value;
}

const notWhole = (): TypeError => new TypeError("a recorded value is of another type: redaction has replaced it");

/** The text, if it says all that the bytes do. */
function asText(bytes: Buffer, show: (bytes: Buffer) => string, back: (text: string) => Buffer): string | Uint8Array {
  try {
    const text = show(bytes);
    if (back(text).equals(bytes)) return text;
  } catch {
    // a length that the protocol does not have
  }
  return new Uint8Array(bytes);
}

const padded = (value: number, width: number): string => String(value).padStart(width, "0");

/** `2026-02-03`, `2026-02-03 04:05:06` or `2026-02-03 04:05:06.000007`; empty for a date of zeros */
function dateText(bytes: Buffer): string {
  if (bytes.length === 0) return "";
  const date = `${padded(bytes.readUInt16LE(0), 4)}-${padded(bytes.readUInt8(2), 2)}-${padded(bytes.readUInt8(3), 2)}`;
  return bytes.length === 4 ? date : `${date} ${clockText(bytes.subarray(4))}`;
}

/** `-1 02:03:04` or `0 02:03:04.000005`, with the days first; empty for a time of zeros */
function timeText(bytes: Buffer): string {
  if (bytes.length === 0) return "";
  return `${bytes.readUInt8(0) === 1 ? "-" : ""}${bytes.readUInt32LE(1)} ${clockText(bytes.subarray(5))}`;
}

function clockText(bytes: Buffer): string {
  const clock = [0, 1, 2].map((at) => padded(bytes.readUInt8(at), 2)).join(":");
  return bytes.length === 3 ? clock : `${clock}.${padded(bytes.readUInt32LE(3), 6)}`;
}

const CLOCK = String.raw`(\d\d):(\d\d):(\d\d)(?:\.(\d{6,10}))?`;
const DATE = new RegExp(`^(\\d{4,5})-(\\d\\d)-(\\d\\d)(?: ${CLOCK})?$`);
const TIME = new RegExp(`^(-?)(\\d+) ${CLOCK}$`);

function dateBytes(text: string): Buffer {
  if (text === "") return Buffer.alloc(0);
  const found = DATE.exec(text);
  if (found === null) throw notWhole();
  const [year, month, day, ...clock] = found.slice(1);
  const writer = new PayloadWriter().uint(Number(year), 2).uint(Number(month), 1).uint(Number(day), 1);
  return writeClock(writer, clock).payload();
}

function timeBytes(text: string): Buffer {
  if (text === "") return Buffer.alloc(0);
  const found = TIME.exec(text);
  if (found === null) throw notWhole();
  const [sign, days, ...clock] = found.slice(1);
  return writeClock(new PayloadWriter().uint(sign === "-" ? 1 : 0, 1).uint(Number(days), 4), clock).payload();
}

function writeClock(writer: PayloadWriter, parts: readonly (string | undefined)[]): PayloadWriter {
  const [hours, minutes, seconds, micros] = parts;
  if (hours !== undefined) writer.uint(Number(hours), 1).uint(Number(minutes), 1).uint(Number(seconds), 1);
  return micros === undefined ? writer : writer.uint(Number(micros), 4);
}
