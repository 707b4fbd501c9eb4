import type { MysqlValue } from "./binary-value.ts";
import type { MysqlColumn } from "./column.ts";

/** The server did not do it. */
export interface MysqlError {
  readonly errno: number;
  /** five letters and digits; absent before the session has begun */
  readonly sqlState?: string;
  /** bytes where it is no UTF-8 */
  readonly message: string | Uint8Array;
}

/** What stands behind columns and rows. `status`: flags of the session */
export type MysqlEnd = readonly [warnings: number, status: number];

/** A statement without rows was done. */
export interface MysqlDone {
  readonly affectedRows: number | bigint;
  readonly insertId: number | bigint;
  readonly status: number;
  readonly warnings: number;
  readonly info?: string | Uint8Array;
}

/** The rows of one statement; an error may end them. */
export interface MysqlTable {
  readonly columns: string[];
  readonly rows: MysqlValue[][];
  readonly types: MysqlColumn[];
  begins: MysqlEnd;
  ends?: MysqlEnd;
  error?: MysqlError;
}

export type MysqlResult = { readonly error: MysqlError } | MysqlDone | MysqlTable;

/** A statement was prepared. Its number belongs to the connection, and is not told. */
export interface MysqlPrepared {
  readonly parameters: readonly string[];
  readonly columns: readonly string[];
  readonly parameterTypes: readonly MysqlColumn[];
  readonly types: readonly MysqlColumn[];
  readonly warnings: number;
  /** behind the parameters and behind the columns, where there are any */
  readonly ends: readonly MysqlEnd[];
}

/** What the server answered to one request: one result, those of several statements, or a prepared statement. */
export type MysqlAnswer =
  | MysqlResult
  | { readonly results: readonly MysqlResult[] }
  | { readonly prepared: MysqlPrepared };

/** How values are written: as texts, or each by its type. */
export type RowForm = "text" | "binary";

/** The error in an answer: the last result. */
export function errorOf(answer: MysqlAnswer): MysqlError | undefined {
  const last = "results" in answer ? answer.results.at(-1) : answer;
  return last !== undefined && "error" in last ? last.error : undefined;
}
