import type {
  MysqlAnswer,
  MysqlDone,
  MysqlEnd,
  MysqlError,
  MysqlPrepared,
  MysqlResult,
  MysqlTable,
  RowForm,
} from "./answer.ts";
import { type MysqlValue, writeBinary } from "./binary-value.ts";
import { type MysqlColumn, typeOf, writeColumn } from "./column.ts";
import { PayloadWriter } from "./payload.ts";

/** The payloads of an answer, as the server sent them. `statement`: the number under which the connection knows it */
export function payloadsOf(answer: MysqlAnswer, form: RowForm, statement: number): Buffer[] {
  if ("prepared" in answer) return preparedPayloads(answer.prepared, statement);
  const results = "results" in answer ? answer.results : [answer];
  return results.flatMap((result) => resultPayloads(result, form));
}

function resultPayloads(result: MysqlResult, form: RowForm): Buffer[] {
  if ("rows" in result) return tablePayloads(result, form);
  return ["error" in result ? errorPayload(result.error) : donePayload(result)];
}

export function errorPayload({ errno, sqlState, message }: MysqlError): Buffer {
  const writer = new PayloadWriter().uint(0xff, 1).uint(errno, 2);
  return writer
    .raw(sqlState === undefined ? "" : `#${sqlState}`)
    .raw(message)
    .payload();
}

export function donePayload({ affectedRows, insertId, status, warnings, info = "" }: MysqlDone): Buffer {
  const writer = new PayloadWriter().uint(0, 1).length(affectedRows).length(insertId);
  return writer.uint(status, 2).uint(warnings, 2).raw(info).payload();
}

function tablePayloads({ columns, types, rows, begins, ends, error }: MysqlTable, form: RowForm): Buffer[] {
  return [
    new PayloadWriter().length(types.length).payload(),
    ...definitions(columns, types),
    endPayload(begins),
    ...rows.map((row) => (form === "text" ? textRow(row) : binaryRow(row, types))),
    ...(ends === undefined ? [] : [endPayload(ends)]),
    ...(error === undefined ? [] : [errorPayload(error)]),
  ];
}

function preparedPayloads(prepared: MysqlPrepared, statement: number): Buffer[] {
  const { parameters, parameterTypes, columns, types, warnings } = prepared;
  const head = new PayloadWriter().uint(0, 1).uint(statement, 4).uint(types.length, 2).uint(parameterTypes.length, 2);
  const ends = [...prepared.ends];
  const list = (names: readonly string[], all: readonly MysqlColumn[]): Buffer[] => {
    const end = all.length === 0 ? undefined : ends.shift();
    return end === undefined ? [] : [...definitions(names, all), endPayload(end)];
  };
  return [head.uint(0, 1).uint(warnings, 2).payload(), ...list(parameters, parameterTypes), ...list(columns, types)];
}

const definitions = (names: readonly string[], types: readonly MysqlColumn[]): Buffer[] =>
  types.map((type, n) => writeColumn(names[n] ?? "", type));

const endPayload = ([warnings, status]: MysqlEnd): Buffer =>
  new PayloadWriter().uint(0xfe, 1).uint(warnings, 2).uint(status, 2).payload();

function textRow(row: readonly MysqlValue[]): Buffer {
  const writer = new PayloadWriter();
  for (const value of row) {
    if (value === null) writer.uint(0xfb, 1);
    else writer.counted(value instanceof Uint8Array ? value : String(value));
  }
  return writer.payload();
}

function binaryRow(row: readonly MysqlValue[], types: readonly MysqlColumn[]): Buffer {
  const nulls = Buffer.alloc((types.length + 9) >> 3);
  const values = new PayloadWriter();
  for (const [n, value] of row.entries()) {
    const bit = n + 2;
    if (value === null) nulls[bit >> 3] = (nulls[bit >> 3] as number) | (1 << (bit & 7));
    const { type, isUnsigned } = typeOf(types[n] as MysqlColumn);
    writeBinary(values, type, isUnsigned, value);
  }
  return Buffer.concat([Buffer.from([0]), nulls, values.payload()]);
}
