import { receivedNow } from "../clock.ts";
import type { Log } from "../log.ts";
import { ENTRY_KIND, type Journal } from "../journal/journal.ts";
import { JournalError } from "../journal/journal-error.ts";
import { type CheckedTraces, checkTraces, MalformedTraces } from "./check-traces.ts";
import { dropSpans } from "./drop-spans.ts";
import { type Outcome, refused } from "./status.ts";

export interface Intake {
  /**
   * `pieces`: one ExportTraceServiceRequest, plain protobuf; taken over. `crc`: their CRC-32, where it is known.
   * `accepted` means: on disk.
   */
  take(tenant: string, pieces: readonly Uint8Array[], crc?: number): Promise<Outcome>;
}

/** There is nothing in it to keep, or not all of it can be. */
class NotAsItIs extends Error {
  override readonly name = "NotAsItIs";
}

/** Checks what came in and puts it into the journal, as it came wherever that is possible. */
export function createIntake(journal: Pick<Journal, "append">, log: Log, now: () => number = receivedNow): Intake {
  async function keep(tenant: string, pieces: readonly Uint8Array[], bodyCrc?: number): Promise<Outcome> {
    const entry = { tenant, kind: ENTRY_KIND.traces, receivedAt: now(), body: pieces };
    let checked: CheckedTraces = { spans: 0, bad: [] };
    try {
      await journal.append({
        ...entry,
        bodyCrc,
        check: (body) => {
          checked = checkTraces(body);
          if (checked.spans === 0 || checked.bad.length > 0) throw new NotAsItIs();
        },
      });
    } catch (error) {
      if (!(error instanceof NotAsItIs)) throw error;
      if (checked.spans > 0) await journal.append({ ...entry, body: dropSpans(Buffer.concat(pieces), checked.bad) });
    }
    const { spans, bad } = checked;
    return { is: "accepted", spans, rejected: bad.length, message: bad[0] ? `not kept: ${bad[0].why}` : "" };
  }

  return {
    take: async (tenant, pieces, crc) => {
      try {
        return await keep(tenant, pieces, crc);
      } catch (error) {
        if (error instanceof MalformedTraces) return refused("malformed", `no OTLP traces: ${error.message}`);
        if (!(error instanceof JournalError)) log("error", "receive.fault", { error });
        else if (error.code === "TOO_LARGE") return refused("tooLarge", error.message);
        else if (error.code === "NO_SPACE") return refused("unavailable", "the disk is full");
        return refused("unavailable", "cannot be written now");
      }
    },
  };
}
