import { isCredential } from "../detect/secrets/credential.ts";
import { fieldContext } from "../names/field-context.ts";
import { isSecretName } from "../names/secret-name.ts";
import type { Frame, Leaf } from "./json-leaf.ts";

/** A random word: neither a path, nor a date, nor a version, nor one of the words of a schema. */
const DRAWN = /^(?=.*[0-9])(?=.*[A-Za-z])[\w+=.~!@$%^&*-]{10,512}$/;
const OTHER =
  /^(?:\d{4}-\d\d-\d\d\b.*|v?\d+(?:\.\d+)+.*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z]+(?:[._-](?:[a-z]+|\d{1,4}))+)$/i;

/**
 * Objects under a secret name also say of what kind a secret is, how long it lasts, whose it is. What is in them goes if it
 * looks like one; what is in arrays, and in lists that stand for a value of that name, goes whatever it is.
 */
export class UnderSecret {
  readonly #valueOf: (leaf: Leaf) => string;
  readonly #leaves: Leaf[] = [];
  /** arrays and objects whose name stands beside them */
  readonly #named = new Map<Frame, string>();

  constructor(valueOf: (leaf: Leaf) => string) {
    this.#valueOf = valueOf;
  }

  /** Takes note of a text under a secret name. */
  add(leaf: Leaf): void {
    this.#leaves.push(leaf);
  }

  name(name: string, frames: readonly Frame[]): void {
    if (isSecretName(name) || fieldContext(name).cue.kinds !== 0)
      for (const frame of frames) this.#named.set(frame, name);
  }

  settle(leaves: readonly Leaf[]): void {
    for (const leaf of this.#leaves) if (this.#isSecret(leaf)) leaf.key = leaf.frame?.secret ?? leaf.key;
    if (this.#named.size === 0) return;
    for (const leaf of leaves) {
      if (leaf.isName) continue;
      const list = outermost(leaf.frame, this.#named);
      if (list !== null) leaf.key = list;
    }
  }

  #isSecret({ isName, key, frame, ...leaf }: Leaf): boolean {
    if (isName || leaf.typed !== null || isSecretName(key) || fieldContext(key).idLike || frame === null) return false;
    if (leaf.end - leaf.start > 512) return false;
    const value = this.#valueOf({ ...leaf, isName, key, frame });
    return DRAWN.test(value) && !OTHER.test(value) && isCredential(value, false);
  }
}

/** The name of the list around a leaf, through arrays only; null: it stands in none that has one. */
function outermost(frame: Frame | null, named: ReadonlyMap<Frame, string>): string | null {
  for (let at = frame; at !== null; at = at.parent) {
    const name = named.get(at);
    if (name !== undefined) return at.array ? name : null;
    if (!at.array) return null;
  }
  return null;
}
