const ROUNDS = 24;
const RATE = 136;
const LANES = 25;

/** Rotations and positions of the rho and pi steps, from their definition. */
const TURNS = new Uint8Array(ROUNDS);
const POSITIONS = new Uint8Array(ROUNDS);
for (let x = 1, y = 0, t = 0; t < ROUNDS; t++) {
  TURNS[t] = (((t + 1) * (t + 2)) / 2) % 64;
  [x, y] = [y, (2 * x + 3 * y) % 5];
  POSITIONS[t] = x + 5 * y;
}
/** The constants of the iota step: bits of a linear feedback register; the low half of each, then the high one. */
const IOTA = new Int32Array(2 * ROUNDS);
for (let round = 0, register = 1; round < ROUNDS; round++) {
  for (let j = 0; j < 7; j++) {
    const bit = (1 << j) - 1;
    if ((register & 1) === 1) IOTA[2 * round + (bit >> 5)] = (IOTA[2 * round + (bit >> 5)] ?? 0) | (1 << (bit & 31));
    register = (register << 1) ^ ((register & 0x80) === 0 ? 0 : 0x171);
  }
}

/** Lanes of 64 bits, each as its low and its high half. */
const low = new Int32Array(LANES);
const high = new Int32Array(LANES);
const columnLow = new Int32Array(5);
const columnHigh = new Int32Array(5);

/** Element of an array of lanes, of their columns, or of the tables above. */
const lane = (lanes: Int32Array | Uint8Array, at: number): number => lanes[at] ?? 0;

/** Keccak-256 as Ethereum and Monero use it, with the padding from before the standard; Node has only SHA-3. */
export function keccak256(input: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.floor(input.length / RATE) * RATE + RATE);
  padded.set(input);
  padded[input.length] = 1;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  low.fill(0);
  high.fill(0);
  for (let at = 0; at < padded.length; at += RATE) {
    for (let i = 0; i < RATE / 8; i++) {
      low[i] = lane(low, i) ^ view.getInt32(at + i * 8, true);
      high[i] = lane(high, i) ^ view.getInt32(at + i * 8 + 4, true);
    }
    for (let round = 0; round < ROUNDS; round++) permute(round);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) {
    out.setInt32(i * 8, lane(low, i), true);
    out.setInt32(i * 8 + 4, lane(high, i), true);
  }
  return new Uint8Array(out.buffer);
}

function permute(round: number): void {
  theta();
  let carriedLow = lane(low, 1);
  let carriedHigh = lane(high, 1);
  for (let i = 0; i < ROUNDS; i++) {
    const position = lane(POSITIONS, i);
    const turn = lane(TURNS, i);
    const nextLow = lane(low, position);
    const nextHigh = lane(high, position);
    const by = turn & 31;
    // from 32 on the halves are swapped
    const l = turn < 32 ? carriedLow : carriedHigh;
    const h = turn < 32 ? carriedHigh : carriedLow;
    low[position] = by === 0 ? l : (l << by) | (h >>> (32 - by));
    high[position] = by === 0 ? h : (h << by) | (l >>> (32 - by));
    carriedLow = nextLow;
    carriedHigh = nextHigh;
  }
  chi(low);
  chi(high);
  low[0] = lane(low, 0) ^ lane(IOTA, 2 * round);
  high[0] = lane(high, 0) ^ lane(IOTA, 2 * round + 1);
}

function sumColumns(half: Int32Array, column: Int32Array): void {
  for (let x = 0; x < 5; x++)
    column[x] = lane(half, x) ^ lane(half, x + 5) ^ lane(half, x + 10) ^ lane(half, x + 15) ^ lane(half, x + 20);
}

function theta(): void {
  sumColumns(low, columnLow);
  sumColumns(high, columnHigh);
  for (let x = 0; x < 5; x++) {
    const right = x === 4 ? 0 : x + 1;
    const left = x === 0 ? 4 : x - 1;
    const l = lane(columnLow, right);
    const h = lane(columnHigh, right);
    const mixedLow = lane(columnLow, left) ^ ((l << 1) | (h >>> 31));
    const mixedHigh = lane(columnHigh, left) ^ ((h << 1) | (l >>> 31));
    for (let y = x; y < LANES; y += 5) {
      low[y] = lane(low, y) ^ mixedLow;
      high[y] = lane(high, y) ^ mixedHigh;
    }
  }
}

function chi(half: Int32Array): void {
  for (let y = 0; y < LANES; y += 5) {
    const a = lane(half, y);
    const b = lane(half, y + 1);
    const c = lane(half, y + 2);
    const d = lane(half, y + 3);
    const e = lane(half, y + 4);
    half[y] = a ^ (~b & c);
    half[y + 1] = b ^ (~c & d);
    half[y + 2] = c ^ (~d & e);
    half[y + 3] = d ^ (~e & a);
    half[y + 4] = e ^ (~a & b);
  }
}
