const ROUNDS = 24;
const RATE = 136;
const MASK = 0xffffffffffffffffn;
const LANES = 25;

/** Rotations and places of the rho and pi steps, from their definition. */
const TURNS: number[] = [];
const PLACES: number[] = [];
for (let x = 1, y = 0, t = 0; t < ROUNDS; t++) {
  TURNS.push((((t + 1) * (t + 2)) / 2) % 64);
  [x, y] = [y, (2 * x + 3 * y) % 5];
  PLACES.push(x + 5 * y);
}
let constants: bigint[] | null = null;

/** The constants of the iota step: bits of a linear feedback register. */
function roundConstants(): bigint[] {
  const out: bigint[] = [];
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    let constant = 0n;
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constant |= 1n << BigInt((1 << j) - 1);
      register = (register << 1) ^ ((register & 0x80) === 0 ? 0 : 0x171);
    }
    out.push(constant);
  }
  return out;
}

const turned = (lane: bigint, by: number): bigint =>
  by === 0 ? lane : ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;

/** Keccak-256 as Ethereum and Monero use it, with the padding from before the standard; Node has only SHA-3. */
export function keccak256(input: Uint8Array): Uint8Array {
  constants ??= roundConstants();
  const lanes: bigint[] = Array.from({ length: LANES }, () => 0n);
  const padded = new Uint8Array(Math.floor(input.length / RATE) * RATE + RATE);
  padded.set(input);
  padded[input.length] = 1;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80;
  const view = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += RATE) {
    for (let i = 0; i < RATE / 8; i++) lanes[i] = (lanes[i] as bigint) ^ view.getBigUint64(at + i * 8, true);
    permute(lanes, constants);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) out.setBigUint64(i * 8, lanes[i] as bigint, true);
  return new Uint8Array(out.buffer);
}

function permute(a: bigint[], iota: readonly bigint[]): void {
  for (let round = 0; round < ROUNDS; round++) {
    const columns = [0, 1, 2, 3, 4].map(
      (x) =>
        (a[x] as bigint) ^ (a[x + 5] as bigint) ^ (a[x + 10] as bigint) ^ (a[x + 15] as bigint) ^ (a[x + 20] as bigint),
    );
    for (let x = 0; x < 5; x++) {
      const mixed = (columns[(x + 4) % 5] as bigint) ^ turned(columns[(x + 1) % 5] as bigint, 1);
      for (let y = 0; y < LANES; y += 5) a[x + y] = (a[x + y] as bigint) ^ mixed;
    }
    let carried = a[1] as bigint;
    for (let i = 0; i < ROUNDS; i++) {
      const place = PLACES[i] as number;
      const next = a[place] as bigint;
      a[place] = turned(carried, TURNS[i] as number);
      carried = next;
    }
    for (let y = 0; y < LANES; y += 5) {
      const row = a.slice(y, y + 5);
      for (let x = 0; x < 5; x++)
        a[y + x] = (row[x] as bigint) ^ (~(row[(x + 1) % 5] as bigint) & MASK & (row[(x + 2) % 5] as bigint));
    }
    a[0] = (a[0] as bigint) ^ (iota[round] as bigint);
  }
}
