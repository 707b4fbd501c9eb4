import { columnBytes, type SpanColumns, spanColumns, type SpanGroup } from "../assemble/span-columns.ts";

/** The columns of several runs in one buffer, as they go to another thread: each view that is sent costs. */
export interface PackedColumns {
  readonly buffer: ArrayBuffer;
  readonly runs: readonly { readonly count: number; readonly groups: SpanGroup[] }[];
}

export function packColumns(all: readonly SpanColumns[]): PackedColumns {
  const runs = all.map(({ id, groups }) => ({ count: id.length, groups }));
  const packed = { buffer: new ArrayBuffer(runs.reduce((sum, { count }) => sum + columnBytes(count), 0)), runs };
  for (const [n, into] of unpackColumns(packed).entries()) {
    const from = all[n]!;
    into.id.set(from.id);
    into.start.set(from.start);
    into.group.set(from.group);
    into.offset.set(from.offset);
    into.length.set(from.length);
  }
  return packed;
}

/** They are views of the buffer. */
export function unpackColumns({ buffer, runs }: PackedColumns): SpanColumns[] {
  let at = 0;
  return runs.map(({ count, groups }) => {
    const columns = { ...spanColumns(buffer, at, count), groups };
    at += columnBytes(count);
    return columns;
  });
}
