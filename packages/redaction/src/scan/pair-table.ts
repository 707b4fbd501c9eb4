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

/** Flags for each pair of neighbouring characters; of a wide character only the low byte counts. */
export interface PairTable {
  add(pair: number, flag: number): void;
  /**
   * Calls `look` for each pair in the text that has flags, with the place of its second character. A space stands
   * before the text. What is looked at may be another character of the same low byte: it has to be looked up again.
   */
  walk<T>(text: string, look: (text: string, at: number, flags: number, state: T) => void, state: T): void;
}

/** A byte for each pair: to make one costs less than an automaton, and to walk takes four bytes at a time. */
export function createPairTable(): PairTable {
  /** by the second character and the first one, as two neighbours stand in a word of memory */
  const flagsOf = new Uint8Array(1 << 16);
  return {
    add(pair, flag) {
      const slot = ((pair & 0xff) << 8) | (pair >> 8);
      flagsOf[slot] = (flagsOf[slot] as number) | flag;
    },
    walk(text, look, state) {
      const { length } = text;
      let done = 0;
      let before = SPACE;
      const far = isLittle ? length - DIRECT : 0;
      while (done < far) {
        bytes[WORD - 1] = before;
        const size = bytes.write(text.slice(done, done + CHUNK), WORD, "latin1") & ~(WORD - 1);
        for (let at = nextStop(flagsOf, 0, size); at < size; at = nextStop(flagsOf, at + WORD, size)) {
          const word = words[1 + (at >> 2)] as number;
          const first = flagsOf[(bytes[at + WORD - 1] as number) | ((word & 0xff) << 8)] as number;
          const second = flagsOf[word & 0xffff] as number;
          const third = flagsOf[(word >> 8) & 0xffff] as number;
          const fourth = flagsOf[word >>> 16] as number;
          const place = done + at;
          if (first !== 0) look(text, place, first, state);
          if (second !== 0) look(text, place + 1, second, state);
          if (third !== 0) look(text, place + 2, third, state);
          if (fourth !== 0) look(text, place + 3, fourth, state);
        }
        done += size;
        before = bytes[WORD + size - 1] as number;
      }
      for (let at = done; at < length; at++) {
        const byte = text.charCodeAt(at) & 0xff;
        const flags = flagsOf[(byte << 8) | before] as number;
        before = byte;
        if (flags !== 0) look(text, at, flags, state);
      }
    },
  };
}

/** The next four bytes among which a pair has flags. Without a call inside, the loop takes half of the time. */
function nextStop(flagsOf: Uint8Array, from: number, size: number): number {
  let before = bytes[from + WORD - 1] as number;
  for (let at = from; at < size; at += WORD) {
    const word = words[1 + (at >> 2)] as number;
    const flags =
      (flagsOf[before | ((word & 0xff) << 8)] as number) |
      (flagsOf[word & 0xffff] as number) |
      (flagsOf[(word >> 8) & 0xffff] as number) |
      (flagsOf[word >>> 16] as number);
    if (flags !== 0) return at;
    before = word >>> 24;
  }
  return size;
}
