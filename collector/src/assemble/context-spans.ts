import type { OpenRun } from "./open-run.ts";
import type { SpanTable } from "./span-table.ts";

/**
 * Parts the spans that no recorder of ours made of one trace: `taken` goes to `run`, `rest` stays. A span goes to the run
 * that holds its nearest ancestor, else to the trace's first run.
 */
export function contextOf(
  run: OpenRun,
  runs: readonly OpenRun[],
  context: OpenRun,
  table: SpanTable,
): { taken: number; rest: number; moved: number } {
  const owner = new Map<bigint, OpenRun>();
  for (const each of runs) for (const { id } of table.chain(each.head)) owner.set(id, each);
  const parents = new Map<bigint, bigint>();
  for (const { id, parent } of table.chain(context.head)) parents.set(id, parent);
  const first = runs.reduce((a, b) => (b.firstReceived < a.firstReceived ? b : a));
  const ownerOf = (id: bigint): OpenRun => {
    const path = new Set<bigint>();
    let found: OpenRun | undefined;
    // A ring of parents ends it too: the way is marked as it is walked.
    for (let at = id; found === undefined;) {
      path.add(at);
      const parent = parents.get(at) ?? 0n;
      found = parent === 0n || path.has(parent) ? first : owner.get(parent);
      if (found === undefined && !parents.has(parent)) found = first;
      at = parent;
    }
    for (const each of path) owner.set(each, found);
    return found;
  };
  return table.split(context.head, ({ id }) => (owner.get(id) ?? ownerOf(id)) === run);
}
