/** How often a character stands in prose, code and JSON, roughly per thousand; what is not listed is rare. */
const COMMON: readonly (readonly [characters: string, weight: number])[] = [
  [" e", 90],
  ["taoinsr", 55],
  ["hldcu", 25],
  ["mfpgwyb", 14],
  ['",.:', 12],
  ["vk/0123", 6],
  ["_-456789()=\n{}[]'", 3],
  ["xjqzSTAICE", 2],
];
const weights = new Uint8Array(256).fill(1);
for (const [characters, weight] of COMMON) for (const c of characters) weights[c.charCodeAt(0)] = weight;

/** Letters that stand together more often than their own counts say. */
const TOGETHER = new Set<number>();
for (const pair of "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur pp iv ss tt ff ee oo ig gh qu ck wh ex sk ap mp ub pl".split(
  " ",
))
  TOGETHER.add((pair.charCodeAt(0) << 8) | pair.charCodeAt(1));

/** Offset, 1 or more, of the second character of the pair in `text` that is least common. */
export function rarestPair(text: string): number {
  let best = 1;
  let least = Infinity;
  for (let at = 1; at < text.length; at++) {
    const weight = weightOf(text, at - 1) * weightOf(text, at) * (TOGETHER.has(pairAt(text, at)) ? 8 : 1);
    if (weight < least) [best, least] = [at, weight];
  }
  return best;
}

const weightOf = (text: string, at: number): number => weights[text.charCodeAt(at) & 0xff] ?? 0;

/** Two neighbouring code units as one number; of wide characters only the low byte counts. */
export const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at - 1) & 0xff) << 8) | (text.charCodeAt(at) & 0xff);
