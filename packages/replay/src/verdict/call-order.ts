import type { Tape } from "../tape/tape.ts";
import type { Ledger } from "./ledger.ts";

/**
 * The order in which a process makes its `agent()` calls: it follows from the process's own record. Calls in requests and jobs come in
 * whatever order these arrive.
 */
export class CallOrder {
  #latest: Tape | null = null;

  /** A call that is served from this record begins. `caller`: of the process that makes it; null: it has no record. */
  begun(tape: Tape, caller: Ledger | null): void {
    const { trigger, calledIn, name = "", sequence = 0 } = tape.root;
    if (trigger !== "function" || calledIn !== undefined) return;
    const latest = this.#latest;
    if (latest === null || (latest.root.sequence ?? 0) < sequence) this.#latest = tape;
    else
      caller?.diverged(
        null,
        null,
        "reordered",
        null,
        `agent "${name}" (run ${shortId(tape)}) was called behind agent "${latest.root.name ?? ""}" (run ${shortId(latest)}); when recorded, before it`,
      );
  }
}

const shortId = ({ runId }: Tape): string => runId.slice(0, 6);
