import { callerFrames, here } from "@reenact/capture";
import type { Refusal } from "./ledger.ts";

/** What an agent gets that reaches for the outside in a replay. */
export class RefusedEffect extends Error {
  override readonly name = "RefusedEffect";
  readonly code = "REEN-REFUSED";

  constructor(kind: string, target: string) {
    super(`${kind} ${target} refused: a replay reaches nothing outside the record`);
  }
}

export type Refuse = (kind: string, target: string) => RefusedEffect;

/** Keeps the books of refusals and makes the error. */
export function refuser(refused: Refusal[], toolOf: (scope: number) => string | null): Refuse {
  return (kind, target) => {
    const error = new RefusedEffect(kind, target);
    const frame = here();
    refused.push({
      kind,
      target,
      stack: callerFrames(new Error()).slice(0, 4).join("\n").trim(),
      tool: frame === null || frame.scope === -1 ? null : toolOf(frame.scope),
    });
    return error;
  };
}
