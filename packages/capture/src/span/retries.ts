import { hash } from "node:crypto";
import type { Step } from "./step.ts";

type Body = string | Uint8Array | null | undefined;

/** An attempt that failed, and whose next one may come. */
export interface Attempt {
  readonly n: number;
  readonly attempt: number;
}

interface Failed extends Attempt {
  readonly place: string;
  /** SHA-256; undefined: the body was never known */
  readonly body: string | null | undefined;
}

/** So many failed attempts wait for their next one, newest kept. */
const MOST = 256;

/** Recognises the next attempt of a call: an SDK that marks a retry keeps the slot. Holds no step and no body. */
export class Retries {
  #failed: Failed[] = [];
  /** a step is known once, when its answer comes or, without one, when it ends */
  readonly #known = new WeakSet<Step>();

  /** `count` is the SDK's own retry count; 0 is a first try. Returns the attempt before this one. */
  previous(path: string, op: string, body: Body, count: number): Attempt | null {
    if (count === 0) return null;
    const place = `${path} ${op}`;
    const known = this.#failed.filter((f) => f.place === place && f.attempt === count - 1);
    if (known.length === 0) return null;
    const digest = digestOf(body);
    const hit = known.find((f) => f.body === undefined || digest === undefined || f.body === digest);
    if (hit === undefined) return null;
    this.#failed = this.#failed.filter((f) => f !== hit);
    return hit;
  }

  /**
   * The head of an answer has come, or the step has ended. No SDK tries again what was answered well. It may try again before the
   * failed answer's body is over, which comes or is given up at any time.
   */
  answered(step: Step): void {
    const { path, op, n, attempt, exchange } = step;
    if (exchange === null || (exchange.response !== null && exchange.response.status < 400)) return;
    if (this.#known.has(step)) return;
    this.#known.add(step);
    const { ownBody = exchange.requestBody } = exchange;
    this.#failed.push({ place: `${path} ${op}`, n, attempt, body: digestOf(ownBody) });
    if (this.#failed.length > MOST) this.#failed.shift();
  }
}

function digestOf(body: Body): string | null | undefined {
  return body === null || body === undefined ? body : hash("sha256", body);
}
