import { callerFrames, here, type RunContext } from "@reenact/capture/recorder";
import { fromCaller } from "./caller-stack.ts";
import { ownPlace } from "./own-place.ts";
import { addRefusal } from "./refusals.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { type Refuse, RefusedEffect } from "./refused-effect.ts";

const FRAMES = 50;

export interface Refusing {
  ledgerOf(run: RunContext | null): Ledger;
  /** Whether this run is what no record was made of: a server beside its requests. */
  isOutside(run: RunContext | null): boolean;
}

/**
 * Records each refusal in the ledger of the run that it happened in, and makes the error. What a server reaches for beside its requests,
 * such as at its start, it did when it was recorded too, and no record holds it: that is a note.
 */
export function refuser(session: Refusing): Refuse {
  return (kind, target) => {
    const error = fromCaller(() => new RefusedEffect(kind, target));
    const frame = here();
    const ledger = session.ledgerOf(frame?.run ?? null);
    if (session.isOutside(frame?.run ?? null)) {
      ledger.note(`refused outside of the recorded requests, where nothing was recorded: ${kind} ${target}`);
      return error;
    }
    const frames = callerFrames(deep());
    addRefusal(ledger.refused, {
      kind,
      target,
      stack: frames
        .filter((line) => !/\(?node:/.test(line))
        .slice(0, 4)
        .join("\n")
        .trim(),
      tool: frame === null || frame.scope === -1 ? null : toolAt(ledger, frame.scope),
      place: ownPlace(frames),
      count: 1,
      after: ledger.calls.length,
    });
    ledger.progress?.refused(kind, target);
    return error;
  };
}

function toolAt({ tape }: Ledger, scope: number): string | null {
  return tape.steps.get(scope)?.name ?? null;
}

/** The program's own line may stand behind many of Node's. */
function deep(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const error = new Error();
  Error.stackTraceLimit = limit;
  return error;
}
