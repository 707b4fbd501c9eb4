/**
 * `DAMAGED`: its file is no catalog any more; `INCOMPLETE`: it does not have all rows yet; `UNUSABLE`: it does not answer now;
 * `DENIED`: it will not while the settings are as they are; `NO_DRIVER`: a package is not installed; `FENCED`: another process has taken
 * over what the change is about; `IN_USE`: other processes are connected to it; `REFUSED`: it answers, and takes other changes but never this one; `CONFLICT`: the catalog has this revision of a run with other spans, a later one, or another copy than the caller
 * has read.
 */
export type CatalogErrorCode =
  | "BAD_CURSOR"
  | "BAD_FILTER"
  | "NEWER_CATALOG"
  | "UNUSABLE"
  | "DENIED"
  | "NO_DRIVER"
  | "FENCED"
  | "CONFLICT"
  | "REFUSED"
  | "IN_USE"
  | "DAMAGED"
  | "INCOMPLETE";

/** A query or change that the catalog refuses. `message` is one line for people. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly code: CatalogErrorCode;
  /** character of the expression at which it is wrong, from 0; null: not known, or no expression */
  readonly at: number | null;

  constructor(code: CatalogErrorCode, message: string, options: { cause?: unknown; at?: number } = {}) {
    super(message, options);
    this.code = code;
    this.at = options.at ?? null;
  }
}

/** What a change of an owner is answered with that is none any more. */
export const fenced = ({ name, epoch }: { readonly name: string; readonly epoch: number }): CatalogError =>
  new CatalogError("FENCED", `epoch ${epoch} of ${name} is over: another process has taken it`);
