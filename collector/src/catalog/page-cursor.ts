import { CatalogError } from "./catalog-error.ts";
import type { RunRow } from "./run-row.ts";

/** The row after which a page begins. */
export interface PagePlace {
  readonly started: number;
  readonly run: string;
  readonly tenant: string;
}

export const pageCursor = ({ started, run, tenant }: RunRow): string =>
  Buffer.from(JSON.stringify([1, started, run, tenant])).toString("base64url");

/** Throws `BAD_CURSOR`. */
export function readPageCursor(text: string): PagePlace {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    value = null;
  }
  if (Array.isArray(value) && value.length === 4) {
    const [version, started, run, tenant] = value as unknown[];
    if (version === 1 && typeof started === "number" && typeof run === "string" && typeof tenant === "string") {
      return { started, run, tenant };
    }
  }
  throw new CatalogError("BAD_CURSOR", "the page cursor is not one of this catalog's");
}

/** Newest start first, then run id, then tenant. */
export function inOrder(a: PagePlace, b: PagePlace): number {
  if (a.started !== b.started) return b.started - a.started;
  if (a.run !== b.run) return a.run < b.run ? -1 : 1;
  return a.tenant === b.tenant ? 0 : a.tenant < b.tenant ? -1 : 1;
}

const CHANGE = /^c([0-9]{1,15})$/;
export const changeCursor = (change: number): string => `c${change}`;

/** Throws `BAD_CURSOR`. */
export function readChangeCursor(text: string): number {
  const found = CHANGE.exec(text);
  if (!found) throw new CatalogError("BAD_CURSOR", "the cursor is not one of this catalog's order of change");
  return Number(found[1]);
}
