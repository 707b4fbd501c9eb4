const CHUNK = 32 * 1024;
/** below this the copy costs more than it saves */
const DIRECT = 48;
const SPACE = 32;
const WORD = 4;
/** a part of a text, behind the last character before it */
const bytes = Buffer.allocUnsafeSlow(WORD + CHUNK);
/** the same bytes, four at a time */
const words = new Int32Array(bytes.buffer, bytes.byteOffset, 1 + CHUNK / WORD);
const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Values for each pair of neighbouring characters; of a wide character only the low byte counts. */
export interface PairTable<V> {
  /** Adds a value to a pair. Throws a RangeError where pairs would have more than 255 different sets of values. */
  add(pair: number, value: V): void;
  /**
   * Calls `look` for each pair in the text that has values, with the offset of its second character. A space stands
   * before the text. What is looked at may be another character of the same low byte: it has to be looked up again.
   */
  walk<T>(text: string, look: (text: string, at: number, values: readonly V[], state: T) => void, state: T): void;
}

const MOST_SETS = 255;

/**
 * A byte for each pair, the number of its set of values: to make one costs less than an automaton, and to walk takes
 * four bytes at a time.
 */
export function createPairTable<V>(): PairTable<V> {
  /** by the second character and the first one, as two neighbours stand in a word of memory */
  const setOf = new Uint8Array(1 << 16);
  const sets: (readonly V[])[] = [[]];
  /** for each set, the numbers of the sets with one value more */
  const larger: Map<V, number>[] = [new Map()];

  function withValue(set: number, value: V): number {
    if (sets[set]?.includes(value) === true) return set;
    const known = larger[set]?.get(value);
    if (known !== undefined) return known;
    if (sets.length > MOST_SETS) throw new RangeError(`pairs have more than ${MOST_SETS} sets of values`);
    const number = sets.push([...(sets[set] ?? []), value]) - 1;
    larger.push(new Map());
    larger[set]?.set(value, number);
    return number;
  }
  return {
    add(pair, value) {
      const slot = ((pair & 0xff) << 8) | (pair >> 8);
      setOf[slot] = withValue(setOf[slot] as number, value);
    },
    walk(text, look, state) {
      const { length } = text;
      let done = 0;
      let before = SPACE;
      const far = isLittle ? length - DIRECT : 0;
      while (done < far) {
        bytes[WORD - 1] = before;
        const size = bytes.write(text.slice(done, done + CHUNK), WORD, "latin1") & ~(WORD - 1);
        for (let at = nextStop(setOf, 0, size); at < size; at = nextStop(setOf, at + WORD, size)) {
          const word = words[1 + (at >> 2)] as number;
          const first = setOf[(bytes[at + WORD - 1] as number) | ((word & 0xff) << 8)] as number;
          const second = setOf[word & 0xffff] as number;
          const third = setOf[(word >> 8) & 0xffff] as number;
          const fourth = setOf[word >>> 16] as number;
          const start = done + at;
          if (first !== 0) look(text, start, sets[first] as readonly V[], state);
          if (second !== 0) look(text, start + 1, sets[second] as readonly V[], state);
          if (third !== 0) look(text, start + 2, sets[third] as readonly V[], state);
          if (fourth !== 0) look(text, start + 3, sets[fourth] as readonly V[], state);
        }
        done += size;
        before = bytes[WORD + size - 1] as number;
      }
      for (let at = done; at < length; at++) {
        const byte = text.charCodeAt(at) & 0xff;
        const set = setOf[(byte << 8) | before] as number;
        before = byte;
        if (set !== 0) look(text, at, sets[set] as readonly V[], state);
      }
    },
  };
}

/** The next four bytes among which a pair has values. Without a call inside, the loop takes half of the time. */
function nextStop(setOf: Uint8Array, from: number, size: number): number {
  let before = bytes[from + WORD - 1] as number;
  for (let at = from; at < size; at += WORD) {
    const word = words[1 + (at >> 2)] as number;
    const any =
      (setOf[before | ((word & 0xff) << 8)] as number) |
      (setOf[word & 0xffff] as number) |
      (setOf[(word >> 8) & 0xffff] as number) |
      (setOf[word >>> 16] as number);
    if (any !== 0) return at;
    before = word >>> 24;
  }
  return size;
}
