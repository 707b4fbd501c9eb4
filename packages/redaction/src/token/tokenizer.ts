import { createHkdf256, createHmac256 } from "./hmac.ts";
import { letters } from "./letters.ts";

/** Makes the tokens of one scope key. Value-derived only: no counter, no salt of a run, no order. */
export interface Tokenizer {
  /** four letters that name the key; they say nothing about it */
  readonly kid: string;
  /** `TYPE_<kid>_<16 letters>` of a canonical value */
  token(type: string, canonical: string): string;
  /** Eight letters for a value as it was written: two spellings of one value have two marks, and one token. */
  mark(written: string): string;
}

/** The name under which the key of marks is derived; no type of a token is written in small letters. */
const MARK = "mark";
const MARK_LETTERS = 8;

interface OfType {
  readonly mac: (text: string) => Uint8Array;
  /** tokens by value; begun anew when it is full, since a map that loses its oldest fills with holes */
  readonly made: Map<string, string>;
}

const CACHED_TOKENS = 2048;
const CACHED_LENGTH = 1024;

export function createTokenizer(key: Uint8Array): Tokenizer {
  const expand = createHkdf256(key);
  const derive = (info: string): Uint8Array => expand(`reenact/v1/${info}`);
  const kid = letters(derive("kid"), 64, 4);
  const types = new Map<string, OfType>();

  function token(type: string, canonical: string): string {
    let own = types.get(type);
    if (own === undefined) types.set(type, (own = { mac: createHmac256(derive(type)), made: new Map() }));
    const known = own.made.get(canonical);
    if (known !== undefined) return known;
    const out = `${type}_${kid}_${letters(own.mac(canonical), 75, 16)}`;
    if (canonical.length <= CACHED_LENGTH) {
      if (own.made.size >= CACHED_TOKENS) own.made.clear();
      own.made.set(canonical, out);
    }
    return out;
  }
  return { kid, token, mark: (written) => token(MARK, written).slice(-MARK_LETTERS) };
}
