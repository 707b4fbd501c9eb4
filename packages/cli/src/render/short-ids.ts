/** Digits of a run's id that people are shown at least. */
export const LEAST = 6;

/**
 * Shortens ids of runs for people: to `least` digits, or to as many as it takes until no other of `ids` begins with them.
 * Ids of other instrumentations need more than 6: those of AWS X-Ray begin with a time, those of 64 bits with zeros.
 */
export function shortIds(ids: Iterable<string>, least = LEAST): (id: string) => string {
  const sorted = [...new Set(ids)].toSorted();
  const lengths = new Map(
    sorted.map((id, at) => {
      const shared = Math.max(sharedDigits(id, sorted[at - 1] ?? ""), sharedDigits(id, sorted[at + 1] ?? ""));
      return [id, Math.max(least, shared + 1)];
    }),
  );
  return (id) => id.slice(0, lengths.get(id) ?? least);
}

function sharedDigits(one: string, other: string): number {
  let digits = 0;
  while (digits < one.length && one[digits] === other[digits]) digits++;
  return digits;
}
