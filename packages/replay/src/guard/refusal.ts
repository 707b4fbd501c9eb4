import { callerFrames, here, type RunContext } from "@reenact/capture/recorder";
import { fromCaller } from "./caller-stack.ts";
import { ownPlace } from "./own-place.ts";
import { addRefusal } from "./refusals.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { type Refuse, RefusedEffect } from "./refused-effect.ts";

const FRAMES = 50;

/** Records each refusal in the ledger of the run that it happened in, and makes the error. */
export function refuser(session: { ledgerOf(run: RunContext | null): Ledger }): Refuse {
  return (kind, target) => {
    const error = fromCaller(() => new RefusedEffect(kind, target));
    const frame = here();
    const ledger = session.ledgerOf(frame?.run ?? null);
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
