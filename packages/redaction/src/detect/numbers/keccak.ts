const ROUNDS = 24;
const RATE = 136;
const LANES = 25;

/** Rotations and places of the rho and pi steps, from their definition. */
const TURNS = new Uint8Array(ROUNDS);
const PLACES = new Uint8Array(ROUNDS);
for (let x = 1, y = 0, t = 0; t < ROUNDS; t++) {
  TURNS[t] = (((t + 1) * (t + 2)) / 2) % 64;
  [x, y] = [y, (2 * x + 3 * y) % 5];
  PLACES[t] = x + 5 * y;
}
/** The constants of the iota step: bits of a linear feedback register; the low half of each, then the high one. */
const IOTA = new Int32Array(2 * ROUNDS);
for (let round = 0, register = 1; round < ROUNDS; round++) {
  for (let j = 0; j < 7; j++) {
    const bit = (1 << j) - 1;
    if ((register & 1) === 1)
      IOTA[2 * round + (bit >> 5)] = (IOTA[2 * round + (bit >> 5)] as number) | (1 << (bit & 31));
    register = (register << 1) ^ ((register & 0x80) === 0 ? 0 : 0x171);
  }
}

/** Lanes of 64 bits, each as its low and its high half. */
const low = new Int32Array(LANES);
const high = new Int32Array(LANES);
const columnLow = new Int32Array(5);
const columnHigh = new Int32Array(5);

/** Keccak-256 as Ethereum and Monero use it, with the padding from before the standard; Node has only SHA-3. */
export function keccak256(input: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.floor(input.length / RATE) * RATE + RATE);
  padded.set(input);
  padded[input.length] = 1;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80;
  const view = new DataView(padded.buffer);
  low.fill(0);
  high.fill(0);
  for (let at = 0; at < padded.length; at += RATE) {
    for (let i = 0; i < RATE / 8; i++) {
      low[i] = (low[i] as number) ^ view.getInt32(at + i * 8, true);
      high[i] = (high[i] as number) ^ view.getInt32(at + i * 8 + 4, true);
    }
    for (let round = 0; round < ROUNDS; round++) permute(round);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) {
    out.setInt32(i * 8, low[i] as number, true);
    out.setInt32(i * 8 + 4, high[i] as number, true);
  }
  return new Uint8Array(out.buffer);
}

function permute(round: number): void {
  theta();
  let carriedLow = low[1] as number;
  let carriedHigh = high[1] as number;
  for (let i = 0; i < ROUNDS; i++) {
    const place = PLACES[i] as number;
    const turn = TURNS[i] as number;
    const nextLow = low[place] as number;
    const nextHigh = high[place] as number;
    const by = turn & 31;
    // from 32 on the halves change places
    const l = turn < 32 ? carriedLow : carriedHigh;
    const h = turn < 32 ? carriedHigh : carriedLow;
    low[place] = by === 0 ? l : (l << by) | (h >>> (32 - by));
    high[place] = by === 0 ? h : (h << by) | (l >>> (32 - by));
    carriedLow = nextLow;
    carriedHigh = nextHigh;
  }
  chi(low);
  chi(high);
  low[0] = (low[0] as number) ^ (IOTA[2 * round] as number);
  high[0] = (high[0] as number) ^ (IOTA[2 * round + 1] as number);
}

function sumColumns(half: Int32Array, column: Int32Array): void {
  for (let x = 0; x < 5; x++)
    column[x] =
      (half[x] as number) ^
      (half[x + 5] as number) ^
      (half[x + 10] as number) ^
      (half[x + 15] as number) ^
      (half[x + 20] as number);
}

function theta(): void {
  sumColumns(low, columnLow);
  sumColumns(high, columnHigh);
  for (let x = 0; x < 5; x++) {
    const right = x === 4 ? 0 : x + 1;
    const left = x === 0 ? 4 : x - 1;
    const l = columnLow[right] as number;
    const h = columnHigh[right] as number;
    const mixedLow = (columnLow[left] as number) ^ ((l << 1) | (h >>> 31));
    const mixedHigh = (columnHigh[left] as number) ^ ((h << 1) | (l >>> 31));
    for (let y = x; y < LANES; y += 5) {
      low[y] = (low[y] as number) ^ mixedLow;
      high[y] = (high[y] as number) ^ mixedHigh;
    }
  }
}

function chi(half: Int32Array): void {
  for (let y = 0; y < LANES; y += 5) {
    const a = half[y] as number;
    const b = half[y + 1] as number;
    const c = half[y + 2] as number;
    const d = half[y + 3] as number;
    const e = half[y + 4] as number;
    half[y] = a ^ (~b & c);
    half[y + 1] = b ^ (~c & d);
    half[y + 2] = c ^ (~d & e);
    half[y + 3] = d ^ (~e & a);
    half[y + 4] = e ^ (~a & b);
  }
}
