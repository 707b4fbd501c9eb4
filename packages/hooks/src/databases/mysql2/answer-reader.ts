import { textOrBytes } from "../text-or-bytes.ts";
import type { MysqlAnswer, MysqlDone, MysqlEnd, MysqlError, MysqlResult, MysqlTable, RowForm } from "./answer.ts";
import { type MysqlValue, readBinary } from "./binary-value.ts";
import { type MysqlColumn, readColumn, typeOf } from "./column.ts";
import { PayloadReader } from "./payload.ts";

const OK = 0x00;
const NULL = 0xfb;
const EOF = 0xfe;
const ERROR = 0xff;
const LONGEST_EOF = 8;
/** a flag of the status: the result of another statement comes */
const MORE_RESULTS = 0x08;

/** Collects the payloads of the results of statements. */
export class ResultsReader {
  readonly #form: RowForm;
  readonly #results: MysqlResult[] = [];
  #table: MysqlTable | null = null;
  #columns = 0;

  constructor(form: RowForm) {
    this.#form = form;
  }

  /** Returns the answer once it is whole. Throws where the server asks for a file of the client. */
  add(payload: Buffer): MysqlAnswer | null {
    const table = this.#table;
    if (table === null) return this.#begin(payload);
    if (table.types.length < this.#columns) {
      const { name, column } = readColumn(payload);
      table.columns.push(name);
      table.types.push(column);
      return null;
    }
    if (isEnd(payload)) return this.#endOf(table, endIn(payload));
    if (payload[0] === ERROR) return this.#ended({ ...table, error: errorIn(payload) }, 0);
    table.rows.push(this.#form === "text" ? textRow(payload) : binaryRow(payload, table.types));
    return null;
  }

  #begin(payload: Buffer): MysqlAnswer | null {
    const first = payload.readUInt8(0);
    if (first === ERROR) return this.#ended({ error: errorIn(payload) }, 0);
    if (first === NULL) throw new TypeError("the server asks for a file: LOAD DATA LOCAL INFILE is not recorded");
    if (first === OK) {
      const done = doneIn(payload);
      return this.#ended(done, done.status);
    }
    this.#columns = Number(new PayloadReader(payload).length());
    this.#table = { columns: [], rows: [], types: [], begins: NO_END };
    return null;
  }

  #endOf(table: MysqlTable, end: MysqlEnd): MysqlAnswer | null {
    if (table.begins === NO_END) {
      table.begins = end;
      return null;
    }
    table.ends = end;
    return this.#ended(table, end[1]);
  }

  #ended(result: MysqlResult, status: number): MysqlAnswer | null {
    this.#results.push(result);
    this.#table = null;
    if ((status & MORE_RESULTS) !== 0) return null;
    return this.#results.length === 1 ? result : { results: this.#results };
  }
}

const NO_END: MysqlEnd = [0, 0];

/** Collects the payloads of the answer to a statement that is prepared. */
export class PreparedReader {
  /** number of the statement in its connection; null: it was not prepared */
  statement: number | null = null;
  readonly #names: [string[], string[]] = [[], []];
  readonly #types: [MysqlColumn[], MysqlColumn[]] = [[], []];
  readonly #ends: MysqlEnd[] = [];
  #counts: [number, number] = [0, 0];
  #warnings = 0;

  add(payload: Buffer): MysqlAnswer | null {
    if (this.statement === null) {
      if (payload[0] === ERROR) return { error: errorIn(payload) };
      const reader = new PayloadReader(payload);
      reader.uint(1);
      this.statement = reader.uint(4);
      const columns = reader.uint(2);
      this.#counts = [reader.uint(2), columns];
      reader.uint(1);
      this.#warnings = reader.uint(2);
    } else this.#addTo(payload);
    const wanted = this.#counts.filter((count) => count > 0).length;
    return this.#ends.length < wanted ? null : this.#answer();
  }

  #addTo(payload: Buffer): void {
    const at = this.#counts[0] > 0 && this.#ends.length === 0 ? 0 : 1;
    if (this.#types[at].length === this.#counts[at]) this.#ends.push(endIn(payload));
    else {
      const { name, column } = readColumn(payload);
      this.#names[at].push(name);
      this.#types[at].push(column);
    }
  }

  #answer(): MysqlAnswer {
    const [[parameters, columns], [parameterTypes, types]] = [this.#names, this.#types];
    return { prepared: { parameters, columns, parameterTypes, types, warnings: this.#warnings, ends: this.#ends } };
  }
}

const isEnd = (payload: Buffer): boolean => payload[0] === EOF && payload.length <= LONGEST_EOF;

function endIn(payload: Buffer): MysqlEnd {
  if (!isEnd(payload)) throw new TypeError("columns without an end");
  return [payload.readUInt16LE(1), payload.readUInt16LE(3)];
}

function errorIn(payload: Buffer): MysqlError {
  const reader = new PayloadReader(payload);
  reader.uint(1);
  const errno = reader.uint(2);
  const hasState = !reader.isAtEnd && reader.peek() === "#".charCodeAt(0);
  const sqlState = hasState ? reader.bytes(6).toString("latin1", 1) : undefined;
  return { errno, ...(sqlState !== undefined && { sqlState }), message: textOrBytes(reader.rest()) };
}

function doneIn(payload: Buffer): MysqlDone {
  const reader = new PayloadReader(payload);
  reader.uint(1);
  const [affectedRows, insertId] = [reader.length(), reader.length()];
  const [status, warnings] = [reader.uint(2), reader.uint(2)];
  const info = reader.isAtEnd ? {} : { info: textOrBytes(reader.rest()) };
  return { affectedRows, insertId, status, warnings, ...info };
}

function textRow(payload: Buffer): MysqlValue[] {
  const reader = new PayloadReader(payload);
  const row: MysqlValue[] = [];
  while (!reader.isAtEnd) {
    const isNull = reader.peek() === NULL;
    row.push(isNull ? null : textOrBytes(reader.counted()));
    if (isNull) reader.uint(1);
  }
  return row;
}

function binaryRow(payload: Buffer, types: readonly MysqlColumn[]): MysqlValue[] {
  const reader = new PayloadReader(payload);
  reader.uint(1);
  const nulls = reader.bytes((types.length + 9) >> 3);
  return types.map((column, n) => {
    const bit = n + 2;
    if (((nulls[bit >> 3] as number) & (1 << (bit & 7))) !== 0) return null;
    const { type, isUnsigned } = typeOf(column);
    return readBinary(reader, type, isUnsigned);
  });
}
