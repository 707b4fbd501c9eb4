/** The error that an agent gets for an outside effect in a replay. */
export class RefusedEffect extends Error {
  override readonly name = "RefusedEffect";
  readonly code = "REEN-REFUSED";

  constructor(kind: string, target: string) {
    super(`${kind} ${target} refused: a replay reaches nothing outside the record`);
  }
}

/** Records a refusal and returns the error for the agent. */
export type Refuse = (kind: string, target: string) => RefusedEffect;
