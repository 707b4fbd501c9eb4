import { CatalogError } from "./catalog-error.ts";
import { NUMBER_OF } from "./row-fields.ts";
import type { RunRow } from "./run-row.ts";

/** Orders of a list: the greatest first, what is not known last, equal ones by run id, then tenant. */
export const RUN_ORDERS = ["started", "duration", "cost", "tokens", "errors"] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];

/** The row after which a page begins. */
export interface PagePlace {
  /** of the field by which the list is ordered; `UNKNOWN` where it is not known */
  readonly value: number;
  readonly run: string;
  readonly tenant: string;
}

/** Stands for a value that is not known: it is behind all others. */
export const UNKNOWN = -Number.MAX_VALUE;

export const placeOf = (row: RunRow, order: RunOrder): PagePlace => ({
  value: NUMBER_OF[order](row) ?? UNKNOWN,
  run: row.run,
  tenant: row.tenant,
});

export function pageCursor(row: RunRow, order: RunOrder = "started"): string {
  const { value, run, tenant } = placeOf(row, order);
  const place = order === "started" ? [1, value, run, tenant] : [2, order, value, run, tenant];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Throws `BAD_CURSOR`, also for one of another order. */
export function readPageCursor(text: string, order: RunOrder = "started"): PagePlace {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    parsed = null;
  }
  if (Array.isArray(parsed)) {
    const [version, ...rest] = parsed as unknown[];
    const of = version === 2 ? rest.shift() : version === 1 ? "started" : null;
    const [value, run, tenant] = rest;
    if (
      of === order &&
      rest.length === 3 &&
      typeof value === "number" &&
      typeof run === "string" &&
      typeof tenant === "string"
    )
      return { value, run, tenant };
  }
  throw new CatalogError("BAD_CURSOR", "the page cursor is not one of this catalog's, or of a list in another order");
}

/** Negative: `a` stands before `b`. */
export function byPlace(a: PagePlace, b: PagePlace): number {
  if (a.value !== b.value) return b.value - a.value > 0 ? 1 : -1;
  if (a.run !== b.run) return a.run < b.run ? -1 : 1;
  return a.tenant === b.tenant ? 0 : a.tenant < b.tenant ? -1 : 1;
}

export const byOrder =
  (order: RunOrder) =>
  (a: RunRow, b: RunRow): number =>
    byPlace(placeOf(a, order), placeOf(b, order));

const CHANGE = /^c([0-9]{1,15})$/;
export const changeCursor = (change: number): string => `c${change}`;

/** Throws `BAD_CURSOR`. */
export function readChangeCursor(text: string): number {
  const found = CHANGE.exec(text);
  if (!found) throw new CatalogError("BAD_CURSOR", "the cursor is not one of this catalog's order of change");
  return Number(found[1]);
}
