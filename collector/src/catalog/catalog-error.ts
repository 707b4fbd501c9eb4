/** `DAMAGED`: its file is no catalog any more; `INCOMPLETE`: it does not have all rows yet. */
export type CatalogErrorCode = "BAD_CURSOR" | "BAD_FILTER" | "NEWER_CATALOG" | "UNUSABLE" | "DAMAGED" | "INCOMPLETE";

/** A query or change that the catalog refuses. `message` is one line for people. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly code: CatalogErrorCode;

  constructor(code: CatalogErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
