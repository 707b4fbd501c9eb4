import type { ChunkCut, ExchangeEnd, HeaderPairs, RecordedError } from "@reenact/envelope";
import { activeSpan } from "./active-span-lookup.ts";
import type { Frame } from "../run/context.ts";
import type { Operation, StepKind } from "./dialect.ts";
import type { Run } from "../run/run.ts";
import type { Address, Answer, Content } from "../source/source.ts";
import { randomHex } from "../run/ids.ts";
import { epochNow } from "../patch/originals.ts";
import type { Attempt } from "./retries.ts";
import type { TypedText } from "./value-snapshot.ts";

export interface ExchangeDraft {
  readonly via: "fetch" | "http";
  readonly method: string;
  readonly url: string;
  /** of a `fetch` that does not follow redirects */
  readonly redirect?: string;
  /** other options of a `fetch` that are not the default, by name */
  readonly options?: Readonly<Record<string, string>>;
  requestHeaders: HeaderPairs;
  /** null: no body; undefined: not known yet (a form being read, a stream being sent) */
  requestBody: string | Uint8Array | null | undefined;
  /** the body, or a form's outline, was there when the call was made: the operation was recognised with it */
  readonly bodyKnown: boolean;
  response: {
    status: number;
    reason: string;
    headers: HeaderPairs;
    url: string;
    redirected: boolean;
    type: string;
    hasBody: boolean;
  } | null;
  readonly chunks: Uint8Array[];
  readonly cuts: ChunkCut[];
  end: ExchangeEnd | null;
  error: RecordedError | null;
}

export interface CallDraft {
  /** typed encoding, or what it will be made from */
  args: TypedText;
  result: TypedText | null;
  error: string | null;
  sync: boolean;
  same: number | null;
  yields: string[] | null;
  /** "sync" | "async" for generators */
  generator: "sync" | "async" | null;
  /** plain JSON of arguments and result where they have one, for `input.value` and `output.value`; of what was copied it is made later */
  input: string | null;
  output: string | null;
  /** JSON of errors, yields and what a generator returns, whose `toJSON` may give members other names: it is read, not recorded */
  renamed?: { error?: string; result?: string; yields?: Map<number, string> };
}

/** One recorded boundary crossing. Opened synchronously when the call is made; ended exactly once. */
export interface Step {
  readonly run: Run;
  readonly frame: Frame;
  /** number in its run, by creation; the seam renumbers a replayed step to its recorded number */
  index: number;
  readonly kind: StepKind;
  readonly name: string;
  readonly op: string;
  readonly path: string;
  readonly n: number;
  readonly attempt: number;
  readonly under: number | null;
  readonly asked: boolean | null;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly started: number;
  startPosition: number;
  settlePosition: number | null;
  ended: number | null;
  answer: Answer;
  readonly operation: Operation | null;
  exchange: ExchangeDraft | null;
  call: CallDraft | null;
  error: RecordedError | null;
  readonly lossy: string[];
  /** digest of a tool's source text */
  readonly source: string | null;
  link: { traceId: string; spanId: string } | null;
  state: "open" | "settled" | "ended";
}

export interface StepStart {
  kind: Step["kind"];
  name: string;
  op: string;
  path: string;
  operation?: Operation | null;
  /** an attempt after the first: the slot it belongs to */
  retryOf?: Attempt | null;
  agentic: boolean;
  asked?: boolean | null;
  /** digest of a tool's source text */
  source?: string | null;
  /** null: the bytes of the request are still being read */
  content: Content | null;
  /** of a request whose bytes are still being read */
  address?: Address;
}

/** Opens a step: counts, numbers, asks the seam, journals the start. */
export function openStep(frame: Frame, start: StepStart): Step {
  const run = frame.run as Run;
  if (start.agentic) run.wake();
  run.source.gate.touch();
  const first = start.retryOf ?? null;
  const step: Step = {
    run,
    frame,
    index: run.nextStep(),
    kind: start.kind,
    name: start.name,
    op: start.op,
    path: start.path,
    n: first?.n ?? run.occurrences.next(start.path, start.op),
    attempt: first === null ? 0 : first.attempt + 1,
    under: frame.scope === -1 ? null : frame.scope,
    asked: start.asked ?? null,
    spanId: randomHex(8),
    parentSpanId: frame.span,
    started: epochNow(),
    startPosition: 0,
    settlePosition: null,
    ended: null,
    answer: { from: "live" },
    operation: start.operation ?? null,
    exchange: null,
    call: null,
    error: null,
    lossy: [],
    source: start.source ?? null,
    link: activeSpan(),
    state: "open",
  };
  step.answer = run.source.begin(step, start.content, start.address);
  step.startPosition = run.journal.append({ k: "s", id: step.index, scope: frame.scope });
  run.opened(step, start.agentic);
  return step;
}

/** The step's value is with the agent, at the last position of the journal. */
export function settle(step: Step): void {
  if (step.state !== "open") throw new Error(`a step that is ${step.state} cannot settle`);
  step.state = "settled";
  step.ended = epochNow();
  step.settlePosition = step.run.journal.position - 1;
  step.run.settled(step);
}
