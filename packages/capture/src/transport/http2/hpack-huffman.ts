/**
 * Lengths of the codes of RFC 7541, appendix B, in bits, one digit of base 36 a symbol; the last is the end of a string.
 * The code is canonical: symbols of one length have consecutive codes in their order.
 */
const LENGTHS =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f565" +
  "65666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmp" +
  "qqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";

const END = 256;
const LONGEST = 30;

/** By length in bits: the first code of that length, and its symbols in order. */
const CODES = codesByLength();

function codesByLength(): { readonly first: number; readonly symbols: readonly number[] }[] {
  const codes: { first: number; symbols: number[] }[] = [];
  let next = 0;
  for (let length = 0; length <= LONGEST; length++) {
    const symbols = Array.from(LENGTHS, (digit, symbol) => (Number.parseInt(digit, 36) === length ? symbol : -1));
    const own = symbols.filter((symbol) => symbol !== -1);
    codes.push({ first: next, symbols: own });
    next = (next + own.length) * 2;
  }
  return codes;
}

/** The text of a Huffman-coded string, as Latin-1. Throws where it is none. */
export function decodeHuffman(bytes: Uint8Array): string {
  const out: number[] = [];
  let [code, length] = [0, 0];
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      length++;
      if (length > LONGEST) throw new Error("no Huffman code");
      const { first, symbols } = CODES[length] as (typeof CODES)[number];
      const symbol = code >= first ? symbols[code - first] : undefined;
      if (symbol === undefined) continue;
      if (symbol === END) throw new Error("a string holds its own end");
      out.push(symbol);
      [code, length] = [0, 0];
    }
  }
  // what is left are the first bits of the code that ends a string
  if (length > 7 || code !== 2 ** length - 1) throw new Error("wrong padding of a Huffman-coded string");
  return Buffer.from(out).toString("latin1");
}
