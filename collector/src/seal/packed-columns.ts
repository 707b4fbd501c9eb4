import { columnBytes, type SpanColumns, spanColumns, type SpanGroup } from "../assemble/span-columns.ts";

/**
 * The columns of several runs in one buffer, as they go to another thread: each view that is sent costs, and so does each
 * object, of which a run that came span by span has one for each.
 */
export interface PackedColumns {
  readonly buffer: ArrayBuffer;
  /** `groups`: how many of them */
  readonly runs: readonly { readonly count: number; readonly groups: number }[];
  /** of the schemas of resources and scopes, each once */
  readonly urls: readonly string[];
}

/** Numbers of a group: its places, and the indexes of its two addresses. */
const GROUP = 8;
const groupBytes = (groups: number) => groups * GROUP * 4;

export function packColumns(all: readonly SpanColumns[]): PackedColumns {
  const runs = all.map(({ id, groups }) => ({ count: id.length, groups: groups.length }));
  const size = runs.reduce((sum, { count, groups }) => sum + columnBytes(count) + groupBytes(groups), 0);
  const buffer = new ArrayBuffer(size);
  const urls = new Map<string, number>();
  const numberOf = (url: string): number => {
    const number = urls.get(url) ?? urls.size;
    urls.set(url, number);
    return number;
  };
  let at = 0;
  for (const { id, start, group, offset, length, groups } of all) {
    const into = spanColumns(buffer, at, id.length);
    into.id.set(id);
    into.start.set(start);
    into.group.set(group);
    into.offset.set(offset);
    into.length.set(length);
    at += columnBytes(id.length);
    const numbers = new Uint32Array(buffer, at, groups.length * GROUP);
    for (const [n, each] of groups.entries()) {
      numbers.set([each.block, each.record, each.resource, each.resourceLength, each.scope], n * GROUP);
      numbers.set([each.scopeLength, numberOf(each.resourceUrl), numberOf(each.scopeUrl)], n * GROUP + 5);
    }
    at += groupBytes(groups.length);
  }
  return { buffer, runs, urls: [...urls.keys()] };
}

/** They are views of the buffer, but for their groups. */
export function unpackColumns({ buffer, runs, urls }: PackedColumns): SpanColumns[] {
  let at = 0;
  return runs.map(({ count, groups }) => {
    const columns = spanColumns(buffer, at, count);
    at += columnBytes(count);
    const numbers = new Uint32Array(buffer, at, groups * GROUP);
    for (let n = 0; n < groups; n++) columns.groups.push(groupAt(numbers, n * GROUP, urls));
    at += groupBytes(groups);
    return columns;
  });
}

function groupAt(numbers: Uint32Array, at: number, urls: readonly string[]): SpanGroup {
  const number = (n: number) => numbers[at + n]!;
  return {
    block: number(0),
    record: number(1),
    resource: number(2),
    resourceLength: number(3),
    scope: number(4),
    scopeLength: number(5),
    resourceUrl: urls[number(6)]!,
    scopeUrl: urls[number(7)]!,
  };
}
