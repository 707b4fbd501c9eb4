import { ENTRY_KIND, type Journal } from "./journal/journal.ts";
import type { RunKeeper } from "./query/api-deps.ts";
import { encodeMark } from "./retain/mark-entry.ts";
import { joinMarks, type Mark } from "./retain/mark.ts";
import { markedRow } from "./retain/marked-row.ts";
import type { Sealing } from "./sealing.ts";

/**
 * Says something of a run: at once where it is sealed, else by the journal, behind the spans that are there; whoever
 * assembles the run reads it again after a crash and gives it to the sealer.
 */
export function createRunKeeper(
  sealing: Pick<Sealing, "isSealing" | "keeper">,
  journal: Pick<Journal, "append">,
  waiting: (tenant: string, run: string) => readonly Mark[],
): RunKeeper {
  return {
    async marks({ tenant, run, parts }) {
      const sealed = parts.length === 0 ? [] : await sealing.keeper.marks(tenant, run);
      return joinMarks(sealed, waiting(tenant, run));
    },
    async say(row, said) {
      const { tenant, run } = row;
      if (row.parts.length > 0 && !sealing.isSealing(tenant, run))
        return { row: await sealing.keeper.say(tenant, run, [said]), applied: true };
      await journal.append({ tenant, kind: ENTRY_KIND.mark, receivedAt: said.at, body: encodeMark(run, said) });
      return { row: markedRow(row, [said]), applied: false };
    },
  };
}
