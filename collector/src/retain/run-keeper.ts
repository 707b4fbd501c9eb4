import { ENTRY_KIND, type Journal } from "../journal/journal.ts";
import type { RunKeeper } from "../query/api-deps.ts";
import { markedRow } from "./marked-row.ts";
import { joinMarks, NO_MARKS, type MarkChange } from "./mark-list.ts";
import { encodeMarkChange } from "./mark-entry.ts";
import type { Sealing } from "../seal/sealing.ts";

interface RunKeeperDeps {
  readonly sealing: Pick<Sealing, "isSealing" | "keeper">;
  readonly journal: Pick<Journal, "append">;
  readonly waiting: (tenant: string, run: string) => readonly MarkChange[];
  /** a run may belong to another process, which alone changes it */
  readonly isShared: boolean;
}

/**
 * Adds a mark or a removal to a run: at once if the run is sealed and nobody else seals, else by an entry in the journal behind its
 * spans. The assembler reads the entry, after a crash too, and hands it over with the run when that is sealed, or stores it at once.
 */
export function createRunKeeper({ sealing, journal, waiting, isShared }: RunKeeperDeps): RunKeeper {
  return {
    async marksOf({ tenant, run, parts }) {
      // read the waiting ones first: they may be written to the pack before the pack is read
      const pending = waiting(tenant, run);
      const sealed = parts.length === 0 ? NO_MARKS : await sealing.keeper.marksOf(tenant, run);
      return joinMarks(sealed, pending);
    },
    async mark(row, change) {
      const { tenant, run } = row;
      if (!isShared && row.parts.length > 0 && !sealing.isSealing(tenant, run))
        return { row: await sealing.keeper.mark(tenant, run, [change]), applied: true };
      await journal.append({
        tenant,
        kind: ENTRY_KIND.mark,
        receivedAt: change.at,
        body: encodeMarkChange(run, change),
      });
      return { row: markedRow(row, [change]), applied: false };
    },
  };
}
