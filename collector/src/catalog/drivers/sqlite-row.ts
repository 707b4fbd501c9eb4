import type { SQLOutputValue } from "node:sqlite";
import { CatalogError } from "../catalog-error.ts";
import type { RunRow } from "../run-row.ts";

/** One row as `node:sqlite` gives it. */
export type SqlRow = Readonly<Record<string, SQLOutputValue>>;

/** The text of a column. Throws `CatalogError` with `DAMAGED` for a value of another type, as the next ones do. */
export function textOf(row: SqlRow | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== "string") throw noValue(column, "text");
  return value;
}

export function numberOf(row: SqlRow | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number") throw noValue(column, "number");
  return value;
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : numberOf(row, column);
}

/** The run in column `row`, which this driver has written as JSON. */
export function runOf(row: SqlRow | undefined): RunRow {
  return JSON.parse(textOf(row, "row")) as RunRow;
}

const noValue = (column: string, type: string): CatalogError =>
  new CatalogError("DAMAGED", `column ${column} of the catalog holds no ${type}`);
