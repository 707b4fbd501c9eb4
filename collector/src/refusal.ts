import { CatalogError, type CatalogErrorCode } from "./catalog/catalog-error.ts";
import { CollectorError } from "./collector-error.ts";
import { JournalError } from "./journal/journal-error.ts";
import { StoreError } from "./store/store-error.ts";

const NEXT_OF_CATALOG: Record<CatalogErrorCode, string> = {
  NEWER_CATALOG: "update the collector, or give it another catalog, which it makes from the packs",
  DENIED: "correct catalog.url, the password or the privileges of its role",
  NO_DRIVER: "npm install pg beside @reenact/collector",
  UNUSABLE:
    "start the database, or correct the settings of the catalog; a catalog in a file can be moved away, it is made again",
  DAMAGED: "move catalog.sqlite away; it is made again",
  INCOMPLETE: "start it again",
  FENCED: "start it again",
  CONFLICT: "start it again",
  REFUSED: "report it, with the run",
  IN_USE: "stop all processes of the collector, and run it again",
  BAD_CURSOR: "report it",
  BAD_FILTER: "report it",
};

/** Why something does not start or cannot be used, for people, and what to do next. */
export function reasonOf(error: unknown): { readonly code: string; readonly message: string; readonly next: string } {
  if (error instanceof CollectorError || error instanceof StoreError || error instanceof JournalError) return error;
  if (error instanceof CatalogError)
    return { code: error.code, message: error.message, next: NEXT_OF_CATALOG[error.code] };
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: typeof code === "string" ? code : "FAILED", message: String(message ?? error), next: "report it" };
}

/** What, where, why and what next, in one line. */
export function refusal(error: unknown): { line: string; exit: number } {
  const { code, message, next } = reasonOf(error);
  const line = `${code}: ${message}; next: ${next}\n`;
  if (error instanceof CollectorError) return { line, exit: SETTINGS.includes(error.code) ? 3 : 5 };
  return {
    line,
    exit: error instanceof StoreError || error instanceof JournalError || error instanceof CatalogError ? 5 : 1,
  };
}

const SETTINGS: readonly string[] = ["BAD_CONFIG", "UNSAFE_BIND"];
