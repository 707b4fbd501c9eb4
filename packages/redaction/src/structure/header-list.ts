import { isCredential } from "../detect/secrets/credential.ts";
import type { Frame, Leaf } from "./json-leaf.ts";

/** Of a name, which may be written as bytes. */
const [SHORTEST, LONGEST] = [6, 512];
const LONGEST_NAME = 32;
/** Headers that authenticate; other words of lists are not that plain. */
const NAME =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?(?:api|auth|access|goog-api|functions)[-_](?:key|token)|x-amz-security-token)$/i;
const SCHEME = /^(?:bearer|basic|token|digest|negotiate|apikey) \S/i;
const COOKIE = /^[\w.-]{1,64}=[^\s;]/;

/** `["accept", "text/html", "authorization", "Bearer …"]`: names and values one after the other, whatever the list is called. */
export class HeaderList {
  readonly #valueOf: (leaf: Leaf) => string;
  /** the name that was read last in a list, and the pairs of it so far */
  readonly #names = new Map<Frame, Leaf>();
  readonly #pairs = new Map<Frame, [name: Leaf, value: Leaf][]>();

  constructor(valueOf: (leaf: Leaf) => string) {
    this.#valueOf = valueOf;
  }

  /** Takes note of a text, or of bytes, in an array. */
  element(frame: Frame, leaf: Leaf): void {
    if (leaf.position % 2 === 0) {
      const length = leaf.end - leaf.start;
      if (length < SHORTEST || length > (leaf.typed === null ? LONGEST_NAME : LONGEST)) return;
      if (NAME.test(this.#valueOf(leaf))) this.#names.set(frame, leaf);
      return;
    }
    const name = this.#names.size === 0 ? undefined : this.#names.get(frame);
    if (name === undefined || name.position !== leaf.position - 1) return;
    const value = this.#valueOf(leaf);
    if (!SCHEME.test(value) && !COOKIE.test(value) && !isCredential(value, true)) return;
    const pairs = this.#pairs.get(frame);
    if (pairs === undefined) this.#pairs.set(frame, [[name, leaf]]);
    else pairs.push([name, leaf]);
  }

  /** The pairs of an array that has ended. */
  of(frame: Frame): readonly [name: Leaf, value: Leaf][] {
    return this.#pairs.size === 0 || frame.index % 2 === 1 ? [] : (this.#pairs.get(frame) ?? []);
  }
}
