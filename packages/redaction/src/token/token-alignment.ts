import { findTokens } from "@reenact/envelope";
import { base64Text } from "../structure/base64.ts";

export type Alignment = { readonly ok: true } | { readonly ok: false; readonly recorded: string; readonly now: string };

const OK: Alignment = { ok: true };

/**
 * Compares recorded text with the text of now without the key of the recording. Both have been scrubbed, each with
 * any key. Literal parts must be equal; tokens of equal type stand for the same value, one to one over the whole run.
 * One object serves one run.
 *
 * A token of the recording also comes back by itself, since recorded answers hold it: it then stands for itself. So
 * one value may have two names now (its own token of now, and the recorded one), and both lead to one recorded token.
 */
export class TokenAlignment {
  readonly #toRecorded = new Map<string, string>();
  readonly #toNow = new Map<string, string>();

  #known = 0;

  /** How many recorded tokens stand for a token of another key: their values were compared by position only. */
  get pairs(): number {
    return this.#toNow.size - this.#known;
  }

  /** Both stand for the same value, as was seen before: no position decides it, and it is not counted. */
  know(recorded: string, now: string): void {
    if (recorded === now || this.#toNow.has(recorded) || this.#toRecorded.has(now)) return;
    this.#toNow.set(recorded, now);
    this.#toRecorded.set(now, recorded);
    this.#known++;
  }

  /** On success the pairs are kept for the rest of the run; on failure nothing is. */
  align(recordedText: string, currentText: string): Alignment {
    const plain = this.#align(recordedText, currentText);
    if (plain.ok) return plain;
    // tokens in base64 differ with the key, and are found only once they are decoded
    const recorded = withoutBase64(recordedText);
    const current = withoutBase64(currentText);
    if (recorded === recordedText && current === currentText) return plain;
    return this.#align(recorded, current).ok ? OK : plain;
  }

  #align(recordedText: string, currentText: string): Alignment {
    if (recordedText === currentText) {
      // the very tokens of the recording: each stands for itself, and none of them may stand for another later
      return OK;
    }
    const recorded = findTokens(recordedText);
    const current = findTokens(currentText);
    const pairs: [recorded: string, now: string][] = [];
    let r = 0;
    let c = 0;
    for (let i = 0; i < Math.max(recorded.length, current.length); i++) {
      const was = recorded[i];
      const is = current[i];
      const differ = literalDifference(recordedText.slice(r, was?.start), currentText.slice(c, is?.start));
      if (differ !== null) return differ;
      if (was === undefined || is === undefined || was.type !== is.type) {
        return { ok: false, recorded: was?.token ?? "", now: is?.token ?? "" };
      }
      pairs.push([was.token, is.token]);
      r = was.end;
      c = is.end;
    }
    return literalDifference(recordedText.slice(r), currentText.slice(c)) ?? this.#take(pairs);
  }

  /** The text of now with its tokens replaced by the recorded ones they are aligned with, for digests over them. */
  translate(currentText: string): string {
    if (this.#toRecorded.size === 0) return currentText;
    let out = "";
    let from = 0;
    for (const { start, end, token } of findTokens(currentText)) {
      out += currentText.slice(from, start) + (this.#toRecorded.get(token) ?? token);
      from = end;
    }
    return out + currentText.slice(from);
  }

  #take(pairs: readonly [string, string][]): Alignment {
    const toRecorded = new Map<string, string>();
    const toNow = new Map<string, string>();
    for (const [was, is] of pairs) {
      if (was === is) continue;
      const heldRecorded = toRecorded.get(is) ?? this.#toRecorded.get(is);
      const heldNow = toNow.get(was) ?? this.#toNow.get(was);
      if ((heldRecorded ?? was) !== was || (heldNow ?? is) !== is || sameKey(was, is))
        return { ok: false, recorded: was, now: is };
      toRecorded.set(is, was);
      toNow.set(was, is);
    }
    for (const [is, was] of toRecorded) this.#toRecorded.set(is, was);
    for (const [was, is] of toNow) this.#toNow.set(was, is);
    return OK;
  }
}

/** Tokens made with one key differ because their values do. `UNSCANNED_<len>` has no key: equal or not. */
function sameKey(a: string, b: string): boolean {
  return a.startsWith("UNSCANNED_") || a.slice(-21, -17) === b.slice(-21, -17);
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** The text with each run of base64 decoded, between marks, that holds a token. */
function withoutBase64(text: string): string {
  return text.replace(BASE64_RUN, (run) => {
    const inside = base64Text(run)?.text;
    return inside === undefined || findTokens(inside).length === 0 ? run : `\u0002${inside}\u0003`;
  });
}

const SHOWN = 80;

function literalDifference(was: string, is: string): Alignment | null {
  if (was === is) return null;
  let at = 0;
  while (at < was.length && was.charCodeAt(at) === is.charCodeAt(at)) at++;
  const from = Math.max(0, at - 20);
  return { ok: false, recorded: was.slice(from, from + SHOWN), now: is.slice(from, from + SHOWN) };
}
