import { hash } from "node:crypto";
import { EnvelopeError } from "../envelope-error.ts";
import { type JournalEvent, type JournalSegment, journalSkeleton } from "../journal/journal-event.ts";
import { parseJournal } from "../journal/parse-journal.ts";

/** The journal of a lane, put together from the segments that spans carried. */
export interface LaneJournal {
  /** from position 0, up to the first gap */
  readonly events: readonly JournalEvent[];
  /** equal to the totals on the root */
  readonly complete: boolean;
  readonly problem: string | null;
}

type Totals = Record<string, { events: number; sha256: string }>;

/** One journal per lane. Without totals a lane is never complete, and its problem is null unless there is a gap. */
export function assembleLanes(segments: readonly JournalSegment[], totals?: Totals): Map<string, LaneJournal> {
  const lanes = Map.groupBy(segments, (each) => each.lane);
  const names = new Set([...Object.keys(totals ?? {}), ...lanes.keys()]);
  const known = (name: string) => (totals && Object.hasOwn(totals, name) ? totals[name]! : null);
  return new Map(
    [...names]
      .toSorted()
      .map((name) => [name, assemble(name, lanes.get(name) ?? [], known(name), totals !== undefined)]),
  );
}

function assemble(
  lane: string,
  segments: readonly JournalSegment[],
  total: Totals[string] | null,
  told: boolean,
): LaneJournal {
  const events: JournalEvent[] = [];
  const texts: string[] = [];
  const broken = (problem: string): LaneJournal => ({ events, complete: false, problem });
  const seen = new Set<string>();
  for (const { from, events: text } of segments.toSorted((a, b) => a.from - b.from)) {
    const key = `${from} ${text}`;
    if (text === "" || seen.has(key)) continue;
    seen.add(key);
    if (from > events.length) return broken(`lane ${lane}: journal events ${events.length} to ${from - 1} are missing`);
    if (from < events.length) return broken(`lane ${lane}: two journal segments hold event ${from}`);
    try {
      for (const event of parseJournal(text, from)) events.push(event);
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error;
      return broken(`lane ${lane}: ${error.message}`);
    }
    texts.push(text);
  }
  if (!total)
    return told ? broken(`lane ${lane}: the root does not know this lane`) : { events, complete: false, problem: null };
  if (total.events !== events.length) return broken(`lane ${lane}: ${events.length} of ${total.events} journal events`);
  const digest = hash("sha256", texts.map((text) => `${journalSkeleton(text)}\n`).join(""));
  if (digest !== total.sha256) return broken(`lane ${lane}: the journal was changed`);
  return { events, complete: true, problem: null };
}
