import { ENTRY_KIND, type Journal } from "../journal/journal.ts";
import type { RunKeeper } from "../query/api-deps.ts";
import { markedRow } from "./marked-row.ts";
import { joinSaid, NOTHING_SAID, type Statement } from "./said.ts";
import { encodeStatement } from "./statement-entry.ts";
import type { Sealing } from "../seal/sealing.ts";

/**
 * Adds a mark or a removal to a run: at once if the run is sealed, else by an entry in the journal behind its spans. The
 * assembler reads the entry, after a crash too, and hands it over with the run when that is sealed.
 */
export function createRunKeeper(
  sealing: Pick<Sealing, "isSealing" | "keeper">,
  journal: Pick<Journal, "append">,
  waiting: (tenant: string, run: string) => readonly Statement[],
): RunKeeper {
  return {
    async said({ tenant, run, parts }) {
      // read the waiting ones first: they may be written to the pack before the pack is read
      const pending = waiting(tenant, run);
      const sealed = parts.length === 0 ? NOTHING_SAID : await sealing.keeper.said(tenant, run);
      return joinSaid(sealed, pending);
    },
    async say(row, said) {
      const { tenant, run } = row;
      if (row.parts.length > 0 && !sealing.isSealing(tenant, run))
        return { row: await sealing.keeper.say(tenant, run, [said]), applied: true };
      await journal.append({ tenant, kind: ENTRY_KIND.mark, receivedAt: said.at, body: encodeStatement(run, said) });
      return { row: markedRow(row, [said]), applied: false };
    },
  };
}
