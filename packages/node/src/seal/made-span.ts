import type { RunFacts, StepFacts } from "@reenact/capture";
import { ATTR, decodeScope, encodeScope, encodeSpan, type OtlpSpan, type ScannedSpan } from "@reenact/envelope";
import { hrTime } from "../provider/recorded-span.ts";
import type { SpooledRun } from "./spooled-run.ts";

/** Scope of the spans that sealing makes for what a process did not live to write. */
const SCOPE = "@reenact/node/seal";
const scopeBytes = encodeScope(SCOPE);

/** A made span gives way to the real one of the same id, should that come later. */
export function isMade(span: ScannedSpan): boolean {
  return decodeScope(span.scope).name === SCOPE;
}

export interface Death {
  /** last sign of life, epoch ms */
  at: number;
  /** encoded Resource */
  resource: Uint8Array;
}

/** A step that began and has no span: "process died", or "ended, payload lost" where its value was with the agent. */
export function stepThatDied(run: SpooledRun, facts: StepFacts, death: Death): ScannedSpan {
  const settled = run.settled.get(facts.step);
  const message = settled === undefined ? "process died" : "ended, payload lost";
  const partial = parsed(run.requests.get(facts.step)) ?? {
    v: 1,
    op: facts.op,
    path: facts.path,
    n: facts.n,
    attempt: facts.attempt,
    step: facts.step,
    under: facts.under,
  };
  const order = { start: facts.order.start, ...(settled === undefined ? {} : { settle: settled.position }) };
  const input = takeInput(partial);
  const record = JSON.stringify({ ...partial, order, lossy: [message] });
  return made(
    {
      traceId: run.facts?.traceId ?? run.run,
      spanId: facts.spanId,
      parentSpanId: facts.parentSpanId,
      name: facts.name,
      kind: ["LLM", "EMBEDDING", "DB", "HTTP"].includes(facts.kind) ? 3 : 1,
      ...times(facts.started, settled?.at ?? death.at),
      attributes: {
        [ATTR.schema]: 1,
        [ATTR.runId]: run.run,
        [ATTR.spanKind]: ["INPUT", "DB", "HTTP", "STEP"].includes(facts.kind) ? "CHAIN" : facts.kind,
        [ATTR.record]: record,
        [ATTR.recordLength]: record.length,
        ...(input === null ? {} : { [ATTR.inputValue]: input.text, [ATTR.inputMime]: input.mime }),
        [ATTR.kind]: facts.kind,
      },
      status: { code: 2, message },
    },
    death.resource,
  );
}

/** The root of a run that did not live to write one. Without totals it says of itself that the run is incomplete. */
export function rootThatDied(
  facts: RunFacts,
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
    died: true,
  };
  return made(
    {
      traceId: facts.traceId,
      spanId: facts.rootSpanId,
      parentSpanId: null,
      name: facts.name,
      kind: 1,
      ...times(facts.started, death.at),
      attributes: {
        [ATTR.schema]: 1,
        [ATTR.runId]: facts.id,
        [ATTR.spanKind]: "AGENT",
        [ATTR.kind]: "AGENT",
        [ATTR.runStatus]: "aborted",
        [ATTR.root]: JSON.stringify(root),
        "agent.name": facts.name,
        ...(facts.parent === null ? {} : { [ATTR.runParent]: facts.parent }),
      },
      status: { code: 2, message: "process died" },
    },
    death.resource,
  );
}

type Made = Omit<OtlpSpan, "droppedAttributesCount" | "events" | "links" | "traceState" | "flags">;

function made(span: Made, resource: Uint8Array): ScannedSpan {
  const { traceId, spanId, startUnixNano } = span;
  const bytes = encodeSpan({ ...span, droppedAttributesCount: 0, events: [], links: [], traceState: "", flags: 0x101 });
  return {
    resource,
    resourceSchemaUrl: "",
    scope: scopeBytes,
    scopeSchemaUrl: "",
    span: bytes,
    traceId,
    spanId,
    startUnixNano,
  };
}

function times(started: number, ended: number): { startUnixNano: bigint; endUnixNano: bigint } {
  return { startUnixNano: nanos(started), endUnixNano: nanos(Math.max(started, ended)) };
}

function nanos(ms: number): bigint {
  const [seconds, rest] = hrTime(ms);
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}

interface Partial {
  exchange?: { request?: { headers?: [string, string][]; body?: { text?: string; $?: string } } };
}

function parsed(text: string | undefined): Record<string, unknown> | null {
  try {
    return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
  } catch {
    return null;
  }
}

/** Moves the request's text to where every other span has it. */
function takeInput(partial: Record<string, unknown>): { text: string; mime: string } | null {
  const request = (partial as Partial).exchange?.request;
  const text = request?.body?.text;
  if (request === undefined || text === undefined) return null;
  request.body = { $: ATTR.inputValue };
  const mime = request.headers
    ?.find(([name]) => name.toLowerCase() === "content-type")?.[1]
    .split(";")[0]
    ?.trim();
  return { text, mime: mime === undefined || mime === "" ? "text/plain" : mime };
}
