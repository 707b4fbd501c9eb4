import { statementName } from "../statement-name.ts";
import { textOrBytes } from "../text-or-bytes.ts";
import { BodyReader, type PgFrame } from "./frames.ts";
import type { PgValue } from "./answer.ts";

/** What a program asks in one go, as the step has it. Absent parts were not asked. */
export interface PgCall {
  /** the statement, also where the connection knows it by a name */
  text?: string;
  values?: PgValue[];
  /** of a prepared statement */
  name?: string;
  /** at most so many rows of a cursor */
  rows?: number;
  /** a statement or cursor is closed: its name, empty for the one without a name */
  close?: string;
  /** it is asked for its columns or parameters only */
  describe?: true;
}

/** The types of messages after which the server answers at once. */
const ENDS = new Set(["S", "H"]);

/** Collects the messages of one request in PostgreSQL's extended protocol, which ends with Sync or Flush. */
export class CallBuilder {
  readonly #statements: Map<string, string>;
  readonly #portals: Map<string, string>;
  readonly #calls: PgCall[] = [];
  /** types of the messages, in their order */
  readonly types: string[] = [];
  #bytes: Buffer[] = [];

  /** `statements` and `portals`: texts by name, as the connection knows them */
  constructor(statements: Map<string, string>, portals: Map<string, string>) {
    this.#statements = statements;
    this.#portals = portals;
  }

  /** Whether the request is whole. */
  add({ type, body, bytes }: PgFrame): boolean {
    this.types.push(type);
    this.#bytes.push(bytes);
    const reader = new BodyReader(body);
    if (type === "P") this.#parse(reader);
    else if (type === "B") this.#bind(reader);
    else if (type === "E") this.#execute(reader);
    else if (type === "D") this.#describe(reader);
    else if (type === "C") {
      reader.byte();
      this.#calls.push({ close: reader.text() });
    }
    return ENDS.has(type);
  }

  get calls(): readonly PgCall[] {
    return this.#calls;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#bytes);
  }

  #parse(reader: BodyReader): void {
    const [name, text] = [reader.text(), reader.text()];
    this.#statements.set(name, text);
  }

  #bind(reader: BodyReader): void {
    const [portal, name] = [reader.text(), reader.text()];
    const formats = reader.list(reader.int16(), () => reader.int16());
    const values = reader.list(reader.int16(), (n): PgValue => {
      const length = reader.int32();
      if (length === -1) return null;
      const bytes = reader.bytes(length);
      const format = formats.length === 1 ? formats[0] : formats[n];
      return format === 1 ? new Uint8Array(bytes) : textOrBytes(bytes);
    });
    const text = this.#statements.get(name) ?? "";
    this.#portals.set(portal, text);
    this.#calls.push({ text, ...(values.length > 0 && { values }), ...(name !== "" && { name }) });
  }

  #execute(reader: BodyReader): void {
    const [portal, rows] = [reader.text(), reader.int32()];
    let call = this.#calls.at(-1);
    if (call?.text === undefined) {
      const text = this.#portals.get(portal);
      this.#calls.push((call = { ...(text !== undefined && { text }) }));
    }
    if (rows > 0) call.rows = rows;
  }

  #describe(reader: BodyReader): void {
    const kind = String.fromCharCode(reader.byte());
    if (kind === "S") this.#calls.push({ text: this.#statements.get(reader.text()) ?? "", describe: true });
  }
}

/** The name of a step: what the statement does, and to which table first. */
export function nameOf({ text, close, rows }: PgCall): string {
  if (text === undefined) return close === undefined ? "SYNC" : "CLOSE";
  const what = statementName(text);
  return rows === undefined ? what : `FETCH ${what}`;
}
