import { epochNow } from "../patch/originals.ts";
import type { RunContext, RunFrame } from "../run/context.ts";
import { randomHex } from "../run/ids.ts";
import type { Address, Content } from "../source/answer.ts";
import { activeSpan } from "./active-span-lookup.ts";
import type { Operation, StepKind } from "./dialect.ts";
import type { Attempt } from "./retries.ts";
import type { Step } from "./step.ts";

/** A step together with the run and the frame in which it was opened. */
export interface OpenStep extends Step {
  readonly run: RunContext;
  readonly frame: RunFrame;
}

export interface StepStart {
  kind: StepKind;
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
  /** as in `Step` */
  idleMs?: () => number;
  /** as in `Step` */
  unsendable?: string;
  /** null: the bytes of the request are still being read */
  content: Content | null;
  /** of a request whose bytes are still being read */
  address?: Address;
}

/** Opens a step: counts and numbers it, asks the source of the run, journals the start. */
export function openStep(frame: RunFrame, start: StepStart): OpenStep {
  const { run } = frame;
  if (start.agentic) run.wake();
  run.source.gate.touch();
  const first = start.retryOf ?? null;
  const step: OpenStep = {
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
    ...(start.idleMs !== undefined && { idleMs: start.idleMs }),
    ...(start.unsendable !== undefined && { unsendable: start.unsendable }),
    link: activeSpan(),
    state: "open",
  };
  step.answer = run.source.begin(step, start.content, start.address);
  step.startPosition = run.journal.append({ k: "s", id: step.index, scope: frame.scope });
  run.opened(step, start.agentic);
  return step;
}

/** The result was delivered, at the last position of the journal. */
export function settle(step: OpenStep): void {
  if (step.state !== "open") throw new Error(`a step that is ${step.state} cannot settle`);
  step.state = "settled";
  step.ended = epochNow();
  step.settlePosition = step.run.journal.position - 1;
  step.run.settled(step);
}
