import {
  operationOfDraft,
  type RunFacts,
  type RunMetadata,
  metadataAttributes,
  spanOfDraft,
  type StepDraft,
  type StepFacts,
} from "@reenact/capture/recorder";
import { ATTR, decodeScope, decodeSpan, encodeTraces, type ScannedSpan, scanTraces } from "@reenact/envelope";
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

/** What is known of a run that did not live to write its root. */
export interface KnownRun {
  readonly metadata: RunMetadata;
  /** what it was asked, in its redacted typed encoding; null: it is not known */
  readonly input: string | null;
  /** of its journal, what no step carries; null: nothing */
  readonly journal: SpooledRun["journal"];
  /** root facts of every run of the process that were known early */
  readonly early: Record<string, unknown>;
  readonly steps: number;
  readonly death: Death;
}

/** The root of a run that did not live to write one. Without totals it says of itself that the run is incomplete. */
export function rootThatDied(facts: RunFacts, known: KnownRun): ScannedSpan {
  const { metadata, input, journal, early, steps, death } = known;
  const root = {
    v: 1,
    trigger: facts.trigger,
    name: facts.name,
    sequence: facts.sequence,
    ...early,
    steps,
    ...(metadata.flags !== undefined && { flags: metadata.flags }),
    ...(input !== null && { input }),
    ...(journal !== null && { journal: { lane: "0", ...journal } }),
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

/** Of a root that was written with the answer, what is there whatever the run did afterwards. */
const OF_THE_ANSWER = ["input", "output", "inputMarks", "outputMarks", "redacted"] as const;

/**
 * The root of a run that died behind its answer. Where nothing is known of it that came later it is the root that was written
 * with the answer, and says so (`answered`); else it has request and response of that one.
 *
 * @param made of `rootThatDied`
 * @param isLost the payload of a step is not there
 */
export function answeredRoot(
  { answered, begun, metadata }: SpooledRun,
  made: ScannedSpan,
  isLost: boolean,
): ScannedSpan {
  if (answered === null) return made;
  const [then, now] = [decodeSpan(answered.root.span), decodeSpan(made.span)];
  const facts = rootOf(then);
  const isWhole = answered.isWhole && !isLost && begun.size === facts["steps"];
  const root = isWhole
    ? { ...facts, ...(metadata.flags !== undefined && { flags: metadata.flags }), died: true, answered: true }
    : {
        ...rootOf(now),
        ...Object.fromEntries(OF_THE_ANSWER.flatMap((key) => (key in facts ? [[key, facts[key]]] : []))),
      };
  const span = isWhole ? then : now;
  const attributes = {
    ...span.attributes,
    ...Object.fromEntries(metadataAttributes(metadata)),
    [ATTR.root]: JSON.stringify(root),
  };
  const bytes = encodeTraces(
    { ...span, attributes },
    { resource: made.resource, resourceSchemaUrl: "", scope: made.scope, scopeSchemaUrl: "" },
  );
  return scanTraces(bytes)[0] ?? made;
}

function rootOf({ attributes }: ReturnType<typeof decodeSpan>): Record<string, unknown> {
  const text = attributes[ATTR.root];
  return typeof text === "string" ? (JSON.parse(text) as Record<string, unknown>) : {};
}
