const A = 97;

/** The first `bits` bits of `bytes` as a number in base 26, written a–z, most significant first, `length` letters. */
export function letters(bytes: Uint8Array, bits: number, length: number): string {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  number >>= BigInt(bytes.length * 8 - bits);
  let out = "";
  for (let i = 0; i < length; i++) {
    out = String.fromCharCode(A + Number(number % 26n)) + out;
    number /= 26n;
  }
  return out;
}
