import type { Step } from "./step.ts";

/** Steps whose next attempt may come: an SDK that marks a retry keeps the slot. */
export class Retries {
  readonly #last = new Map<string, Step[]>();

  /** `count` is the SDK's own retry count; 0 is a first try. Returns the attempt before this one. */
  previous(path: string, op: string, body: string | Uint8Array | null | undefined, count: number): Step | null {
    if (count === 0) return null;
    const known = this.#last.get(`${path} ${op}`) ?? [];
    const at = known.findIndex(
      (s) => s.attempt === count - 1 && s.state !== "open" && sameBody(s.exchange?.requestBody, body),
    );
    return at === -1 ? null : (known.splice(at, 1)[0] ?? null);
  }

  remember(step: Step): void {
    const key = `${step.path} ${step.op}`;
    const known = this.#last.get(key) ?? [];
    known.push(step);
    if (known.length > 64) known.shift();
    this.#last.set(key, known);
  }
}

function sameBody(a: string | Uint8Array | null | undefined, b: string | Uint8Array | null | undefined): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  if (a === null || a === undefined || b === null || b === undefined)
    return a === b || a === undefined || b === undefined;
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
