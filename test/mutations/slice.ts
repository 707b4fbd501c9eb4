/** Draws so many of the items: the same ones for the same seed, each class of names represented by chance. */
export function drawn<T>(items: readonly T[], count: number, seed: number): T[] {
  const left = [...items];
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)).flat();
}
