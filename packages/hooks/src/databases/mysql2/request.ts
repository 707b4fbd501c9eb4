import { statementName } from "../statement-name.ts";
import { textOrBytes } from "../text-or-bytes.ts";
import { type MysqlValue, readBinary } from "./binary-value.ts";
import { PayloadReader } from "./payload.ts";

/** What a program asks, as the step has it. */
export interface MysqlCall {
  /** the statement, also where the connection knows it by a number */
  readonly text?: string | Uint8Array;
  readonly values?: readonly MysqlValue[];
  readonly attributes?: Readonly<Record<string, MysqlValue>>;
  /** it is prepared only */
  readonly prepare?: true;
  /** the session is given to another user */
  readonly user?: string;
  readonly database?: string;
}

/** A statement that a connection has prepared. */
export interface KnownStatement {
  readonly text: string | Uint8Array;
  readonly parameters: number;
}

/** A statement and its attributes. `hasAttributes`: both sides have agreed on them */
export function queryIn(payload: Buffer, hasAttributes: boolean): MysqlCall {
  const reader = commandReader(payload);
  if (!hasAttributes) return { text: textOrBytes(reader.rest()) };
  const count = Number(reader.length());
  reader.length();
  const values = readParameters(reader, count, true);
  return { text: textOrBytes(reader.rest()), ...attributesOf(values) };
}

export function prepareIn(payload: Buffer): MysqlCall & { readonly text: string | Uint8Array } {
  return { text: textOrBytes(commandReader(payload).rest()), prepare: true };
}

/** Number of the statement that is executed or closed. */
export const statementIn = (payload: Buffer): number => commandReader(payload).uint(4);

/** Values for a prepared statement. */
export function executeIn(payload: Buffer, { text, parameters }: KnownStatement, hasAttributes: boolean): MysqlCall {
  const reader = commandReader(payload);
  // the statement, the kind of cursor, and a count that is 1
  reader.bytes(9);
  const count = hasAttributes ? Number(reader.length()) : parameters;
  const all = readParameters(reader, count, hasAttributes);
  const values = all.slice(0, parameters).map(({ value }) => value);
  return { text, ...(values.length > 0 && { values }), ...attributesOf(all.slice(parameters)) };
}

/** A session for another user, without what proves it. */
export function changeUserIn(payload: Buffer): MysqlCall {
  const reader = commandReader(payload);
  const user = reader.terminated().toString("utf8");
  reader.bytes(reader.uint(1));
  return { user, database: reader.terminated().toString("utf8") };
}

interface Parameter {
  readonly name: string;
  readonly value: MysqlValue;
}

function readParameters(reader: PayloadReader, count: number, hasNames: boolean): Parameter[] {
  if (count === 0) return [];
  const nulls = reader.bytes((count + 7) >> 3);
  if (reader.uint(1) !== 1) throw new TypeError("parameters without their types");
  const types = Array.from({ length: count }, () => {
    const [type, flags] = [reader.uint(1), reader.uint(1)];
    return { type, isUnsigned: (flags & 0x80) !== 0, name: hasNames ? reader.counted().toString("utf8") : "" };
  });
  return types.map(({ type, isUnsigned, name }, n) => {
    const isNull = ((nulls[n >> 3] as number) & (1 << (n & 7))) !== 0;
    return { name, value: isNull ? null : readBinary(reader, type, isUnsigned) };
  });
}

function attributesOf(parameters: readonly Parameter[]): { attributes?: Record<string, MysqlValue> } {
  if (parameters.length === 0) return {};
  return { attributes: Object.fromEntries(parameters.map(({ name, value }) => [name, value])) };
}

function commandReader(payload: Buffer): PayloadReader {
  return new PayloadReader(payload.subarray(1));
}

/** The name of a step: what the statement does, and to which table first. */
export function nameOf({ text, prepare }: MysqlCall): string {
  const name = statementName(typeof text === "string" ? text : "");
  return prepare === true ? `PREPARE ${name}` : name;
}
