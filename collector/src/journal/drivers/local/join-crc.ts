/** The polynomial of CRC-32, bits reflected. */
const POLYNOMIAL = 0xedb88320;

/** x to the power of 2ⁿ, for each n below 32. */
const POWERS: number[] = [0x40000000];
while (POWERS.length < 32) POWERS.push(times(POWERS.at(-1)!, POWERS.at(-1)!));

/** CRC-32 of two texts one after the other, from that of each and the length of the second, which is below 2³². */
export function joinCrc(first: number, second: number, length: number): number {
  let shift = 0x80000000;
  // eight bits to a byte: from the third power on
  for (let rest = length, n = 3; rest > 0; rest = Math.floor(rest / 2), n++) {
    if (rest % 2 === 1) shift = times(POWERS[n % 32]!, shift);
  }
  return (times(shift, first) ^ second) >>> 0;
}

/** The product of two polynomials, without multiples of the one above. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 31, factor = b; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= factor;
    factor = (factor >>> 1) ^ (factor & 1 ? POLYNOMIAL : 0);
  }
  return product >>> 0;
}
