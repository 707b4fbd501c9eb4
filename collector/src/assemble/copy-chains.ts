import type { OpenRun } from "./open-run.ts";
import { inTurns, whole } from "./slices.ts";
import type { SpanColumns } from "./span-columns.ts";
import type { SpanTable } from "./span-table.ts";

/** After so many copies of runs that changed meanwhile one is made without a break. */
const TRIES = 3;

/** Where the spans of open runs lie; null: there are none any more. Receiving goes on between slices. */
export async function copyChains(table: SpanTable, find: () => readonly OpenRun[]): Promise<SpanColumns[] | null> {
  for (let tried = 0; ; tried++) {
    const runs = find();
    if (runs.length === 0) return null;
    const parted = runs.map((run) => run.parted);
    const isAsItWas = () => {
      const now = find();
      return runs.every((run, n) => now.includes(run) && run.parted === parted[n]);
    };
    const sizes = runs.map(({ head, spans }) => ({ head, spans }));
    if (tried === TRIES) return sizes.map(({ head, spans }) => whole(table.copyColumns(head, spans)));
    const copies: SpanColumns[] = [];
    for (const { head, spans } of sizes) {
      // oxlint-disable-next-line no-await-in-loop -- one slice after another
      const copy = await inTurns(table.copyColumns(head, spans), isAsItWas);
      if (copy !== null) copies.push(copy);
    }
    if (copies.length === runs.length) return copies;
  }
}

export interface ArrivedSpans {
  readonly total: number;
  readonly ids: readonly bigint[];
}

/** Ids of at most `most` spans behind the first `from`, in the order in which they came. */
export function arrivedIn(table: SpanTable, runs: readonly OpenRun[], from: number, most: number): ArrivedSpans {
  const ids: bigint[] = [];
  let total = 0;
  for (const { head, spans } of runs) {
    const begin = Math.min(spans, Math.max(0, from - total));
    const end = Math.min(spans, Math.max(0, from + most - total));
    if (end > begin) ids.push(...table.ids(head, spans - end, end - begin).toReversed());
    total += spans;
  }
  return { total, ids };
}
