import type { Delivery } from "./gate.ts";

/**
 * What is below a function that goes on behind an `await`: a frame of Node, or nothing. What a timer or a file brings about has
 * nothing below; what a connection does comes by way of `process.nextTick`.
 */
export type TurnKind = "tick" | "bare";

/** In which kind of turn a run is, by what was handed over: the same in a replay, where other turns of Node do it. */
export class TurnBook {
  /** of the turn that runs */
  kind: TurnKind = "tick";
  readonly #scopes = new Map<number, TurnKind>();

  /** `recorded`: how the body that has ended was waked last in the record, where it did not run. */
  delivered(delivery: Delivery, recorded: (() => TurnKind | undefined) | null = null): void {
    const { kind, id, scope, ofBody } = delivery;
    const inner = ofBody === true ? (this.#scopes.get(id) ?? recorded?.()) : undefined;
    if (ofBody === true) this.#scopes.delete(id);
    const own = inner ?? turnKindOf(kind);
    // a body that nothing waked has ended in the turn that called it
    if (ofBody !== true || inner !== undefined) this.kind = own;
    this.#wakes(scope, own);
  }

  /** Something of the program's that no seam opened. */
  woke(scope: number): void {
    this.#wakes(scope, "tick");
  }

  #wakes(scope: number, kind: TurnKind): void {
    if (scope !== -1) this.#scopes.set(scope, kind);
  }
}

export function turnKindOf(kind: string): TurnKind {
  return kind === "t" || kind === "o" ? "bare" : "tick";
}
