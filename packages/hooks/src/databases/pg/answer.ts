import { textOrBytes } from "../text-or-bytes.ts";
import { BodyReader, BodyWriter, frameOf, type PgFrame } from "./frames.ts";

/** A value of a row as the server sent it; null: NULL. Types are the driver's to parse, in a replay too. */
export type PgValue = string | Uint8Array | null;

/** The rows of one statement. Absent parts did not come. */
export interface PgTable {
  /** names */
  columns?: string[];
  rows?: PgValue[][];
  /** such as `SELECT 2` */
  command?: string;
  /** of each column: table, number in the table, type, size of the type, modifier, format (0 text, 1 bytes) */
  types?: number[][];
}

/**
 * What the server answered to one request. `messages`: the letters of the protocol's messages in their order, `D` for all rows
 * of a table, `Z` with the state of the transaction behind it. Tables and `others` are in that order, too. One table stands in
 * the answer itself.
 */
export interface PgAnswer extends PgTable {
  messages: string;
  tables?: PgTable[];
  /** contents of messages that are not about rows: errors, notices, notifications, parameters, copied data */
  others?: unknown[];
}

/** format of a column whose values are no text */
const BINARY = 1;
const EMPTY = new Set(["1", "2", "3", "n", "s", "I", "c"]);

/** Names of the fields of errors and notices, as `pg` gives them. */
const FIELDS: Readonly<Record<string, string>> = {
  S: "severity",
  V: "nonLocalizedSeverity",
  C: "code",
  M: "message",
  D: "detail",
  H: "hint",
  P: "position",
  p: "internalPosition",
  q: "internalQuery",
  W: "where",
  s: "schema",
  t: "table",
  c: "column",
  d: "dataType",
  n: "constraint",
  F: "file",
  L: "line",
  R: "routine",
};
const LETTERS = Object.fromEntries(Object.entries(FIELDS).map(([letter, name]) => [name, letter]));

/** Collects the messages of one answer. */
export class AnswerBuilder {
  readonly #tables: PgTable[] = [];
  readonly #others: unknown[] = [];
  #messages = "";
  #table: PgTable | null = null;
  /** columns of the rows that come, where another request asked for them */
  readonly #columns: readonly string[];

  constructor(columns: readonly string[] = []) {
    this.#columns = columns;
  }

  /** columns that this answer describes, or those it began with */
  get columns(): readonly string[] {
    return this.#tables.findLast(({ columns }) => columns !== undefined)?.columns ?? this.#columns;
  }

  /** the error that came last */
  get failure(): { readonly message: string; readonly code?: string } | null {
    const { message, code } = (this.#others.at(-1) ?? {}) as Record<string, string | undefined>;
    return message === undefined ? null : { message, ...(code !== undefined && { code }) };
  }

  add({ type, body }: PgFrame): void {
    const reader = new BodyReader(body);
    if (type === "T") this.#describe(reader);
    else if (type === "D") this.#row(reader);
    else if (type === "C") {
      this.#current().command = reader.text();
      this.#table = null;
      this.#messages += "C";
    } else if (type === "Z") this.#messages += `Z${String.fromCharCode(reader.byte())}`;
    else {
      this.#messages += type;
      if (!EMPTY.has(type)) this.#others.push(contentOf(type, reader));
    }
  }

  build(): PgAnswer {
    const [table, ...more] = this.#tables;
    const others = this.#others.length > 0 ? { others: this.#others } : {};
    return more.length === 0
      ? { ...table, messages: this.#messages, ...others }
      : { tables: this.#tables, messages: this.#messages, ...others };
  }

  #current(): PgTable {
    if (this.#table === null) this.#tables.push((this.#table = {}));
    return this.#table;
  }

  #describe(reader: BodyReader): void {
    this.#table = null;
    const table = this.#current();
    table.columns = [];
    table.types = [];
    for (let left = reader.int16(); left > 0; left--) {
      table.columns.push(reader.text());
      const [relation, column, type] = [reader.uint32(), reader.int16(), reader.uint32()];
      table.types.push([relation, column, type, reader.int16(), reader.int32(), reader.int16()]);
    }
    this.#messages += "T";
  }

  #row(reader: BodyReader): void {
    const table = this.#current();
    if (table.rows === undefined) {
      table.rows = [];
      if (table.columns === undefined && this.#columns.length > 0) table.columns = [...this.#columns];
      this.#messages += "D";
    }
    table.rows.push(
      reader.list(reader.int16(), (column) => {
        const length = reader.int32();
        if (length === -1) return null;
        const bytes = reader.bytes(length);
        return table.types?.[column]?.[5] === BINARY ? new Uint8Array(bytes) : textOrBytes(bytes);
      }),
    );
  }
}

/** What a message says that is not about rows. */
function contentOf(type: string, reader: BodyReader): unknown {
  switch (type) {
    case "E":
    case "N": {
      const fields: Record<string, string> = {};
      for (let letter = reader.byte(); letter !== 0; letter = reader.byte()) {
        const key = String.fromCharCode(letter);
        fields[FIELDS[key] ?? key] = reader.text();
      }
      return fields;
    }
    case "A":
      return { process: reader.int32(), channel: reader.text(), payload: reader.text() };
    case "S":
      return { name: reader.text(), value: reader.text() };
    case "K":
      // the secret with which a statement is cancelled opens nothing in a replay
      return { process: reader.int32() };
    case "t":
      return reader.list(reader.int16(), () => reader.uint32());
    default:
      return textOrBytes(reader.rest());
  }
}

/** The bytes of an answer. `parses`: the request to which it goes has a statement parsed. */
export function encodeAnswer(answer: PgAnswer, parses: boolean | null): Buffer {
  const parts = new AnswerParts(answer);
  const frames: Buffer[] = [];
  // whether a statement was parsed before depends on which connection a pool gives
  if (parses === true && answer.messages[0] !== "E") frames.push(frameOf("1", NOTHING));
  for (const message of answer.messages.match(/Z.|./gs) ?? [])
    if (message !== "1" || parses === null) frames.push(...parts.frames(message));
  return Buffer.concat(frames);
}

const NOTHING = Buffer.alloc(0);

/** Gives the tables and other contents of an answer out, one message after another. */
class AnswerParts {
  readonly #tables: PgTable[];
  readonly #others: unknown[];
  #table: PgTable | null = null;

  constructor(answer: PgAnswer) {
    this.#tables = [...(answer.tables ?? [answer])];
    this.#others = [...(answer.others ?? [])];
  }

  /** Of a message by its letter: one, or one a row. */
  frames(message: string): Buffer[] {
    const type = message[0] as string;
    switch (type) {
      case "T":
        this.#table = null;
        return [descriptionOf(this.#current())];
      case "D":
        return (this.#current().rows ?? []).map(rowFrame);
      case "C": {
        const { command = "" } = this.#current();
        this.#table = null;
        return [frameOf("C", new BodyWriter().text(command).body())];
      }
      case "Z":
        return [frameOf("Z", Buffer.from(message.slice(1), "latin1"))];
      default:
        return [frameOf(type, EMPTY.has(type) ? NOTHING : bodyOf(type, this.#others.shift()))];
    }
  }

  #current(): PgTable {
    return (this.#table ??= this.#tables.shift() ?? {});
  }
}

function descriptionOf({ columns = [], types = [] }: PgTable): Buffer {
  const writer = new BodyWriter().int16(columns.length);
  for (const [n, name] of columns.entries()) {
    const [relation = 0, column = 0, type = 0, size = 0, modifier = 0, format = 0] = types[n] ?? [];
    writer.text(name).int32(relation).int16(column).int32(type).int16(size).int32(modifier).int16(format);
  }
  return frameOf("T", writer.body());
}

function rowFrame(row: readonly PgValue[]): Buffer {
  const writer = new BodyWriter().int16(row.length);
  for (const value of row) {
    if (value === null) {
      writer.int32(-1);
      continue;
    }
    const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : value;
    writer.int32(bytes.length).raw(bytes);
  }
  return frameOf("D", writer.body());
}

function bodyOf(type: string, content: unknown): Buffer {
  const writer = new BodyWriter();
  switch (type) {
    case "E":
    case "N":
      for (const [name, text] of Object.entries(content as Record<string, string>))
        writer.raw(LETTERS[name] ?? name).text(text);
      return writer.byte(0).body();
    case "A": {
      const { process, channel, payload } = content as { process: number; channel: string; payload: string };
      return writer.int32(process).text(channel).text(payload).body();
    }
    case "S": {
      const { name, value } = content as { name: string; value: string };
      return writer.text(name).text(value).body();
    }
    case "K":
      return writer
        .int32((content as { process: number }).process)
        .int32(0)
        .body();
    case "t":
      writer.int16((content as number[]).length);
      for (const oid of content as number[]) writer.int32(oid);
      return writer.body();
    default:
      return writer.raw((content ?? "") as string | Uint8Array).body();
  }
}
