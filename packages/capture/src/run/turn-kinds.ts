import type { Delivery, TurnKind } from "../source/gate.ts";

/** Derives the kind of the current turn of a run from its deliveries, so that recording and replay agree on it. */
export class TurnKinds {
  /** of the current turn */
  kind: TurnKind = "tick";
  readonly #scopes = new Map<number, TurnKind>();

  /** `recorded`: the kind of turn in which the body of this delivery ended in the record, where the body did not run. */
  delivered(
    delivery: Pick<Delivery, "kind" | "id" | "scope" | "ofBody" | "turn">,
    recorded: (() => TurnKind | undefined) | null = null,
  ): void {
    const { kind, id, scope, ofBody } = delivery;
    const inner = ofBody === true ? (this.#scopes.get(id) ?? recorded?.()) : undefined;
    if (ofBody === true) this.#scopes.delete(id);
    const own = inner ?? delivery.turn ?? turnKindOf(kind);
    // a body without a delivery of its own has ended in the turn that called it
    if (ofBody !== true || inner !== undefined) this.kind = own;
    this.#wakes(scope, own);
  }

  /** The kind of the last turn in the body of a step that is under way; undefined: it had no delivery yet. */
  ofBody(step: number): TurnKind | undefined {
    return this.#scopes.get(step);
  }

  /** A callback that the recorder does not deliver has run, as of a native addon. */
  nativeWakeup(scope: number): void {
    this.#wakes(scope, "tick");
  }

  #wakes(scope: number, kind: TurnKind): void {
    if (scope !== -1) this.#scopes.set(scope, kind);
  }
}

function turnKindOf(kind: string): TurnKind {
  return kind === "t" || kind === "o" ? "bare" : "tick";
}
