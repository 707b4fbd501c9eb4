import type { RecordReference } from "../journal/journal.ts";

/** The resource and scope of a span, and the record of the journal in which they lie; offsets are as `EntryPlace` has them. */
export interface SpanGroup extends RecordReference {
  readonly resource: number;
  readonly resourceLength: number;
  readonly scope: number;
  readonly scopeLength: number;
  readonly resourceUrl: string;
  readonly scopeUrl: string;
}

/** The spans of a chain; index n of each column is span n. */
export interface SpanColumns {
  readonly groups: SpanGroup[];
  /** index in `groups` */
  readonly group: Uint32Array<ArrayBuffer>;
  /** in the record of its group, as `EntryPlace` has it */
  readonly offset: Uint32Array<ArrayBuffer>;
  readonly length: Uint32Array<ArrayBuffer>;
  readonly id: BigUint64Array<ArrayBuffer>;
  readonly start: BigUint64Array<ArrayBuffer>;
}

/** Memory that the columns of so many spans take; a multiple of 8. */
export const columnBytes = (count: number): number => Math.ceil((count * 28) / 8) * 8;

/** Columns that lie in `buffer` from `at` on, a multiple of 8; no groups. */
export function spanColumns(buffer: ArrayBuffer, at: number, count: number): SpanColumns {
  return {
    groups: [],
    id: new BigUint64Array(buffer, at, count),
    start: new BigUint64Array(buffer, at + count * 8, count),
    group: new Uint32Array(buffer, at + count * 16, count),
    offset: new Uint32Array(buffer, at + count * 20, count),
    length: new Uint32Array(buffer, at + count * 24, count),
  };
}
