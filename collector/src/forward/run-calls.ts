/** What a viewer is told of one model call of a run. */
export interface SeenCall {
  /** of its start, nanoseconds since the epoch */
  readonly start: bigint;
  readonly question: string | null;
  readonly answer: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** millionths of a US dollar; null: not known */
  readonly cost: number | null;
}

/** What is known of the model calls of a run, whatever requests they came in. */
export interface RunCalls {
  /** steps that came, model calls or not, each once */
  readonly steps: number;
  readonly calls: number;
  /** of the call that began first; null: it asked nothing */
  readonly question: string | null;
  /** every call that came asked that */
  readonly isOneQuestion: boolean;
  /** of the last call that has one */
  readonly answer: string | null;
  readonly models: readonly string[];
  readonly providers: readonly string[];
  /** millionths of a US dollar; null: that of a call is not known */
  readonly cost: number | null;
}

/** Spans of runs as they pass to one destination. Those of runs that were not seen for longest are forgotten first. */
export interface CallTable {
  /** `isStep`: the run counts it among its steps. A span that comes again changes nothing. */
  add(run: string, spanId: string, isStep: boolean, call: SeenCall | null): void;
  /** null: nothing of it came, or it was forgotten */
  of(run: string): RunCalls | null;
}

/** of ids and texts of all runs together, as UTF-16 */
const MOST_BYTES = 32 * 1024 * 1024;
const RUN_BYTES = 1000;
const SPAN_BYTES = 100;

interface Entry extends RunCalls {
  spans: Set<string>;
  steps: number;
  calls: number;
  first: bigint;
  question: string | null;
  isOneQuestion: boolean;
  last: bigint;
  answer: string | null;
  models: string[];
  providers: string[];
  cost: number | null;
}

export function createCallTable(mostBytes = MOST_BYTES): CallTable {
  /** the one that was not seen for longest first */
  const runs = new Map<string, Entry>();
  let bytes = 0;

  const sizeOf = ({ spans, question, answer }: Entry) =>
    RUN_BYTES + SPAN_BYTES * spans.size + 2 * ((question?.length ?? 0) + (answer?.length ?? 0));

  return {
    add(run, spanId, isStep, call) {
      const entry = runs.get(run) ?? newEntry();
      if (runs.delete(run)) bytes -= sizeOf(entry);
      runs.set(run, entry);
      if (!entry.spans.has(spanId)) {
        entry.spans.add(spanId);
        if (isStep) entry.steps++;
        if (call !== null) addCall(entry, call);
      }
      bytes += sizeOf(entry);
      for (const [oldest, each] of runs) {
        if (bytes <= mostBytes) break;
        runs.delete(oldest);
        bytes -= sizeOf(each);
      }
    },
    of: (run) => runs.get(run) ?? null,
  };
}

function newEntry(): Entry {
  const texts = { question: null, isOneQuestion: true, answer: null };
  return { spans: new Set(), steps: 0, calls: 0, first: 0n, ...texts, last: 0n, models: [], providers: [], cost: 0 };
}

function addCall(entry: Entry, { start, question, answer, model, provider, cost }: SeenCall): void {
  if (entry.calls > 0 && question !== entry.question) entry.isOneQuestion = false;
  if (entry.calls === 0 || start < entry.first) Object.assign(entry, { first: start, question });
  if (answer !== null && (entry.answer === null || start >= entry.last)) Object.assign(entry, { last: start, answer });
  entry.calls++;
  if (model !== null && !entry.models.includes(model)) entry.models.push(model);
  if (provider !== null && !entry.providers.includes(provider)) entry.providers.push(provider);
  entry.cost = entry.cost === null || cost === null ? null : entry.cost + cost;
}
