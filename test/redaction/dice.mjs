// Numbers and characters drawn from a seed: the same seed, the same values.
export function createDice(seed) {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min, max) => min + Math.floor(next() * (max - min + 1));
  const pick = (list) => list[Math.floor(next() * list.length)];
  const many = (count, draw) => Array.from({ length: count }, draw).join("");
  return {
    next,
    between,
    pick,
    digits: (count) => many(count, () => pick("0123456789")),
    hex: (count) => many(count, () => pick("0123456789abcdef")),
    letters: (count) => many(count, () => pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    from: (alphabet, count) => many(count, () => pick(alphabet)),
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => between(0, 255))),
  };
}
