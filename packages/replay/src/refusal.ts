import { callerFrames, here } from "@reenact/capture";
import type { Ledger } from "./ledger.ts";
import type { Session } from "./session.ts";

/** What an agent gets that reaches for the outside in a replay. */
export class RefusedEffect extends Error {
  override readonly name = "RefusedEffect";
  readonly code = "REEN-REFUSED";

  constructor(kind: string, target: string) {
    super(`${kind} ${target} refused: a replay reaches nothing outside the record`);
  }
}

export type Refuse = (kind: string, target: string) => RefusedEffect;

/** Writes each refusal into the books of the run that it happened in, and makes the error. */
export function refuser(session: Pick<Session, "bookOf">): Refuse {
  return (kind, target) => {
    const error = new RefusedEffect(kind, target);
    const frame = here();
    const ledger = session.bookOf(frame?.run ?? null);
    ledger.refused.push({
      kind,
      target,
      stack: callerFrames(new Error()).slice(0, 4).join("\n").trim(),
      tool: frame === null || frame.scope === -1 ? null : toolAt(ledger, frame.scope),
    });
    return error;
  };
}

function toolAt({ tape }: Ledger, scope: number): string | null {
  return tape.steps.get(scope)?.name ?? null;
}
