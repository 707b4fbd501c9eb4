/** Sorted ranges of code points, both ends included. */
export type CharacterSet = readonly (readonly [number, number])[];

const LAST = 0x10ffff;
export const ANY: CharacterSet = [[0, LAST]];
export const DIGIT: CharacterSet = [[48, 57]];
export const WORD: CharacterSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
export const SPACE: CharacterSet = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export function union(...sets: readonly CharacterSet[]): CharacterSet {
  const all = sets.flat().toSorted((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [from, to] of all) {
    const last = out.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

export function complement(set: CharacterSet): CharacterSet {
  const out: [number, number][] = [];
  let from = 0;
  for (const [a, b] of union(set)) {
    if (a > from) out.push([from, a - 1]);
    from = b + 1;
  }
  if (from <= LAST) out.push([from, LAST]);
  return out;
}

export function has(set: CharacterSet, point: number): boolean {
  return set.some(([from, to]) => point >= from && point <= to);
}

/** With both cases of ASCII letters, and all that is not ASCII if anything is: wider than the truth, never narrower. */
export function withBothCases(set: CharacterSet): CharacterSet {
  const more: [number, number][] = [];
  for (const [from, to] of set) {
    for (const [low, high, shift] of [
      [65, 90, 32],
      [97, 122, -32],
    ] as const) {
      const a = Math.max(from, low);
      const b = Math.min(to, high);
      if (a <= b) more.push([a + shift, b + shift]);
    }
    if (to > 127) more.push([128, LAST]);
  }
  // two characters beyond ASCII fold to letters of it
  if (more.length > 0) more.push([0x17f, 0x17f], [0x212a, 0x212a]);
  return union(set, more);
}
