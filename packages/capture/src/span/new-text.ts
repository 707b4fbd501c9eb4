import type { Step } from "./step.ts";

/** Bodies below this are new as a whole: comparing them would be dearer than finishing them. */
const SMALLEST = 16 * 1024;
/** Conversations that may go on beside each other in one run. */
const REMEMBERED = 8;
/** Where a text was put in, what is around it is shared but for so much. */
const SPLIT = 16;

type Body = string | Uint8Array;

/**
 * How much of a step is new: a request repeats what the conversation had come to, and only what lies
 * between the beginning and the end that it shares with an earlier one is new. In UTF-16 units for text, else bytes.
 */
export class NewText {
  readonly #bodies: Body[] = [];

  of(step: Step): number {
    const x = step.exchange;
    if (x !== null) return this.#request(x.requestBody ?? null) + x.chunks.reduce((sum, c) => sum + c.length, 0);
    const c = step.call;
    if (c === null) return 0;
    return (
      c.args.length +
      (c.result?.length ?? 0) +
      (c.error?.length ?? 0) +
      (c.yields ?? []).reduce((s, y) => s + y.length, 0)
    );
  }

  #request(body: Body | null): number {
    if (body === null || body.length < SMALLEST) return body?.length ?? 0;
    let least = body.length;
    let nearest = -1;
    for (const [at, known] of this.#bodies.entries()) {
      const rest = unshared(known, body);
      if (rest < least) [least, nearest] = [rest, at];
    }
    // a conversation that went on takes the place of what it was before
    const before = this.#bodies[nearest];
    if (before !== undefined && body.length - least >= before.length - SPLIT) this.#bodies.splice(nearest, 1);
    else if (this.#bodies.length >= REMEMBERED) this.#bodies.shift();
    this.#bodies.push(body);
    return least;
  }
}

/** Length of `next` without the beginning and the end that it shares with `known`. */
function unshared(known: Body, next: Body): number {
  if (typeof known !== typeof next) return next.length;
  const most = Math.min(known.length, next.length);
  const head = longest(most, (from, to) => same(known, from, to, next, from, to));
  const [k, n] = [known.length, next.length];
  const tail = longest(most - head, (from, to) => same(known, k - to, k - from, next, n - to, n - from));
  return n - head - tail;
}

/** The greatest length up to `most` of which all is the same; reads each place at most twice. */
function longest(most: number, isSame: (from: number, to: number) => boolean): number {
  let sure = 0;
  let open = most;
  while (sure < open) {
    const middle = Math.ceil((sure + open) / 2);
    if (isSame(sure, middle)) sure = middle;
    else open = middle - 1;
  }
  return sure;
}

function same(a: Body, aFrom: number, aTo: number, b: Body, bFrom: number, bTo: number): boolean {
  if (typeof a === "string" && typeof b === "string") return a.slice(aFrom, aTo) === b.slice(bFrom, bTo);
  return Buffer.compare((a as Uint8Array).subarray(aFrom, aTo), (b as Uint8Array).subarray(bFrom, bTo)) === 0;
}
