/** An effect that was refused, equal ones folded. */
export interface Refusal {
  kind: string;
  target: string;
  stack: string;
  /** tool whose body tried it; null outside */
  tool: string | null;
  /** line of the program that tried it first; null where no line of it is known */
  place: string | null;
  /** how often */
  count: number;
  /** so many calls had been made when it was tried last */
  after: number;
}

/** So many different ones are kept. */
const MOST = 200;

/** Adds a refusal to the equal one that is there. */
export function addRefusal(refused: Refusal[], { count, ...refusal }: Refusal): Refusal {
  const equal = refused.find(
    (each) => each.kind === refusal.kind && each.target === refusal.target && each.tool === refusal.tool,
  );
  const kept = equal ?? (refused.length === MOST ? refused.at(-1) : undefined);
  if (kept === undefined) {
    const added = { ...refusal, count };
    refused.push(added);
    return added;
  }
  kept.count += count;
  kept.after = refusal.after;
  kept.place ??= refusal.place;
  return kept;
}

export function countOf(refused: readonly Refusal[], kind?: string): number {
  return refused.reduce((sum, each) => sum + (kind === undefined || each.kind === kind ? each.count : 0), 0);
}
