import type { Envelope } from "@reenact/envelope/file";

/** Parts of a journal that the recorder did not keep, since they were more than its bounds. */
export interface LostInputs {
  /** the journal has no beginning: nothing can be replayed */
  readonly beginsLate: boolean;
  /** the journal ends before the run: it has the starts of these steps only; null: it does not */
  readonly startsKept: ReadonlySet<number> | null;
}

/** null: nothing was left out. */
export function lostInputs(envelope: Envelope): LostInputs | null {
  const lines = envelope.facts?.lossy ?? [];
  const endsEarly = lines.some((line) => line.startsWith("journal: "));
  const beginsLate = lines.some((line) => line.startsWith("prelude: ")) || firstEvent(envelope) > 0;
  if (!beginsLate && !endsEarly) return null;
  const events = envelope.journals.get("0")?.events ?? [];
  const started = events.flatMap((event) => (event.k === "s" ? [event.id] : []));
  return { beginsLate, startsKept: endsEarly ? new Set(started) : null };
}

interface Holder {
  readonly lost?: LostInputs | null;
}

/** Whether a step began behind the end of such a journal: what it asks may come of values that are not recorded. */
export function isBehindJournal({ lost }: Holder, step: number): boolean {
  const kept = lost?.startsKept ?? null;
  return kept !== null && !kept.has(step);
}

/** Whether a replay has come to the end of such a journal. */
export function isJournalOver({ lost }: Holder, gate: { left(): readonly { readonly k: string }[] }): boolean {
  return (lost?.startsKept ?? null) !== null && gate.left().every(({ k }) => k === "s");
}

/** Position of the first event that is there; a killed process has left no root. */
function firstEvent({ steps, facts }: Envelope): number {
  const ofRoot = facts?.journal ?? [];
  const segments = [...steps.map(({ record }) => record.journal), ...(Array.isArray(ofRoot) ? ofRoot : [ofRoot])];
  const from = segments.flatMap((segment) => (segment?.lane === "0" ? [segment.from] : []));
  return from.length === 0 ? 0 : Math.min(...from);
}
