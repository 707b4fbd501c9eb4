const CHUNK = 32 * 1024;
/** below this the copy costs more than it saves */
const DIRECT = 48;
const SPACE = 32;
/** the same bytes twice, one shifted by one, so that each pair of neighbours can be read as one number */
const even = Buffer.allocUnsafeSlow(CHUNK + 2);
const odd = Buffer.allocUnsafeSlow(CHUNK + 2);
const evenPairs = new Uint16Array(even.buffer, even.byteOffset, (CHUNK + 2) / 2);
const oddPairs = new Uint16Array(odd.buffer, odd.byteOffset, (CHUNK + 2) / 2);
const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
const swapped = (pair: number): number => ((pair & 0xff) << 8) | (pair >> 8);

/** Flags for each pair of neighbouring characters; of a wide character only the low byte counts. */
export interface PairTable {
  add(pair: number, flag: number): void;
  /**
   * Calls `look` for each pair in the text that has flags, with the place of its second character. A space stands
   * before the text. What is looked at may be another character of the same low byte: it has to be looked up again.
   */
  walk<T>(text: string, look: (text: string, at: number, flags: number, state: T) => void, state: T): void;
}

/** A byte for each pair: to make one costs less than an automaton, and to walk takes two bytes at a time. */
export function createPairTable(): PairTable {
  const flagsOf = new Uint8Array(1 << 16);
  return {
    add(pair, flag) {
      const slot = isLittle ? swapped(pair) : pair;
      flagsOf[slot] = (flagsOf[slot] as number) | flag;
    },
    walk(text, look, state) {
      const { length } = text;
      let before = SPACE;
      if (length <= DIRECT) {
        for (let at = 0; at < length; at++) {
          const byte = text.charCodeAt(at) & 0xff;
          const flags = flagsOf[isLittle ? (byte << 8) | before : (before << 8) | byte] as number;
          before = byte;
          if (flags !== 0) look(text, at, flags, state);
        }
        return;
      }
      for (let start = 0; start < length; start += CHUNK) {
        const part = text.slice(start, start + CHUNK);
        const size = even.write(part, 0, "latin1");
        odd[0] = before;
        odd.write(part, 1, "latin1");
        before = even[size - 1] as number;
        const pairs = size >> 1;
        for (let i = 0; i < pairs; i++) {
          const first = flagsOf[oddPairs[i] as number] as number;
          const second = flagsOf[evenPairs[i] as number] as number;
          if ((first | second) === 0) continue;
          if (first !== 0) look(text, start + i * 2, first, state);
          if (second !== 0) look(text, start + i * 2 + 1, second, state);
        }
        if ((size & 1) === 0) continue;
        const last = flagsOf[oddPairs[pairs] as number] as number;
        if (last !== 0) look(text, start + size - 1, last, state);
      }
    },
  };
}
