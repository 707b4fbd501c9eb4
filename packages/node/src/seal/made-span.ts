import {
  operationOfDraft,
  type RunFacts,
  type RunMetadata,
  metadataAttributes,
  spanOfDraft,
  type StepDraft,
  type StepFacts,
} from "@reenact/capture/recorder";
import { ATTR, decodeScope, type ScannedSpan } from "@reenact/envelope";
import { dialects } from "../own-code/lazy-packages.ts";
import type { Origin } from "../span/encode-ended-span.ts";
import type { SpooledRun } from "./spooled-run.ts";
import { replayAttributes } from "../spool/held-roots.ts";
import { scannedSpan } from "./step-span.ts";

/** Scope of the spans that sealing makes for what a process did not live to write. */
const SCOPE = "@reenact/node/seal";

/** A made span gives way to the real one of the same id, should that come later. */
export function isMade(span: ScannedSpan): boolean {
  return decodeScope(span.scope).name === SCOPE;
}

export interface Death {
  /** last sign of life, epoch ms */
  at: number;
  origin: Origin;
}

/** A step that began and has no span: "process died", or "ended, payload lost" where its value was with the agent. */
export function stepThatDied(run: SpooledRun, facts: StepFacts, death: Death): ScannedSpan {
  const settled = run.settled.get(facts.step);
  const message = settled === undefined ? "process died" : "ended, payload lost";
  const draft = run.requests.get(facts.spanId) ?? draftOf(run, facts);
  const order = { start: facts.order.start, ...(settled === undefined ? {} : { settle: settled.position }) };
  const record = { ...draft.record, ...callOf(run, draft), order, lossy: [message] };
  const known = { ...draft, ended: settled?.at ?? death.at, record };
  const span = spanOfDraft(known, operationOfDraft(known, dialects));
  return scannedSpan({ ...span, ok: false, message }, { resource: death.origin.resource, scope: { name: SCOPE } });
}

/** The call of a step with what it had yielded. Only steps of asynchronous generators write that. */
function callOf(run: SpooledRun, { record: { call, step } }: StepDraft): Pick<StepDraft["record"], "call"> {
  const yields = run.yields.get(step);
  return call === undefined || yields === undefined ? {} : { call: { ...call, yields, generator: "async" } };
}

function draftOf(run: SpooledRun, facts: StepFacts): StepDraft {
  const { op, path, n, attempt, step, under, order } = facts;
  return {
    run: run.run,
    traceId: run.facts?.traceId ?? run.run,
    spanId: facts.spanId,
    parentSpanId: facts.parentSpanId,
    kind: facts.kind,
    name: facts.name,
    recognised: false,
    started: facts.started,
    ended: facts.started,
    link: null,
    record: { v: 1, op, path, n, attempt, step, under, order },
    error: null,
    request: null,
    answer: null,
    input: null,
    output: null,
  };
}

/** The root of a run that did not live to write one. Without totals it says of itself that the run is incomplete. */
export function rootThatDied(
  facts: RunFacts,
  metadata: RunMetadata,
  early: Record<string, unknown>,
  steps: number,
  death: Death,
): ScannedSpan {
  const root = {
    v: 1,
    trigger: facts.trigger,
    name: facts.name,
    sequence: facts.sequence,
    ...early,
    steps,
    ...(metadata.flags !== undefined && { flags: metadata.flags }),
    died: true,
  };
  return scannedSpan(
    {
      run: facts.id,
      traceId: facts.traceId,
      spanId: facts.rootSpanId,
      parentSpanId: null,
      name: facts.name,
      client: false,
      started: facts.started,
      ended: death.at,
      ok: false,
      message: "process died",
      attributes: [
        [ATTR.schema, 1],
        [ATTR.runId, facts.id],
        [ATTR.spanKind, "AGENT"],
        [ATTR.kind, "AGENT"],
        [ATTR.runStatus, "aborted"],
        [ATTR.root, JSON.stringify(root)],
        ...replayAttributes(root),
        ["agent.name", facts.name],
        ...(facts.parent === null ? [] : [[ATTR.runParent, facts.parent] as const]),
        ...metadataAttributes(metadata),
      ],
      events: [],
      link: null,
    },
    { resource: death.origin.resource, scope: { name: SCOPE } },
  );
}
