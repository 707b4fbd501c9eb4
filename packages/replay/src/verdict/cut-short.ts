import type { RunContext } from "@reenact/capture/recorder";
import type { ReplayGate } from "../gate/replay-gate.ts";
import { isRequested, type Tape } from "../tape/tape.ts";
import type { Ledger } from "./ledger.ts";

/** A run that is served from a record. */
interface Served {
  readonly run: RunContext;
  readonly tape: Tape;
  readonly ledger: Ledger;
  readonly source: { readonly gate: ReplayGate };
}

/**
 * Whether the process ended amid this run, here as when it was recorded, and here before the run had come as far. `around`: the run of the
 * process itself. Where that has come to its end as recorded, what is left of the other says nothing about the code: how far it had come
 * by then is in no record. Its ledger gets a note.
 */
export function isCutShort(served: Served | null | undefined, around: Served | null): boolean {
  if (!served || around === null || around === served || !isRequested(served.tape.root)) return false;
  const { run, tape, ledger, source } = served;
  const { gate } = source;
  const isBoth = (run.outcome?.status ?? "aborted") === "aborted" && tape.status === "aborted";
  if (!isBoth || !around.tape.complete || around.ledger.divergence !== null) return false;
  const isLeft = gate.unreached().length > 0 || gate.left().some(({ k }) => k === "s");
  if (gate.degraded || !isLeft || around.source.gate.unreached().length > 0) return false;
  ledger.note(
    "the process ended amid this run, as when it was recorded, and before it had come as far: the rest is not compared",
  );
  return true;
}
