import type { PackEntry } from "@reenact/envelope/pack";

/** The store or the catalog holds other spans under this run and revision: seal it again, behind that one. */
export class PackConflict extends Error {
  override readonly name = "PackConflict";
  readonly entry: PackEntry;
  readonly key: string;
  /** the catalog names it; false: its owner has perhaps never committed it */
  readonly isCommitted: boolean;

  constructor(key: string, entry: PackEntry, isCommitted: boolean) {
    super(`run ${entry.run} revision ${entry.revision} is in ${key} with other spans`);
    this.entry = entry;
    this.key = key;
    this.isCommitted = isCommitted;
  }
}
