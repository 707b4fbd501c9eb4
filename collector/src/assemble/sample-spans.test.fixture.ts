import { ATTR, encodeResource, encodeScope, encodeSpan, type SpanOrigin, WireWriter } from "@reenact/envelope";

/** A span as it is sent: its bytes, and the ids by which tests know it. */
export interface SampleSpan {
  readonly bytes: Uint8Array;
  readonly spanId: string;
}

export interface SampleRun {
  readonly run: string;
  readonly trace: string;
  readonly root: SampleSpan;
  readonly steps: readonly SampleSpan[];
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
export const sampleId = (n: number): string => hex(n + 1, 32);
const EPOCH = 1_763_800_000_000_000_000n;

const NONE = { droppedAttributesCount: 0, events: [], links: [], traceState: "", flags: 0 };

/** A run of ours with so many steps; `n` makes its ids. `text` goes into each step. */
export function sampleRun(
  n: number,
  options: {
    steps?: number;
    text?: (step: number) => string;
    status?: string;
    trace?: string;
    above?: string | null;
  } = {},
): SampleRun {
  const { steps = 3, text = (step) => `step ${step} of ${n}`, status = "ok", above = null } = options;
  const run = sampleId(n);
  const trace = options.trace ?? run;
  const rootId = `${hex(n + 1, 8)}${hex(0, 8)}`;
  const start = EPOCH + BigInt(n) * 1_000_000n;
  const own = { [ATTR.schema]: 1, [ATTR.runId]: run };
  const root: SampleSpan = {
    spanId: rootId,
    bytes: encodeSpan({
      traceId: trace,
      spanId: rootId,
      parentSpanId: above,
      name: "agent",
      kind: 1,
      ...NONE,
      startUnixNano: start,
      endUnixNano: start + 1000000000n,
      attributes: {
        ...own,
        [ATTR.spanKind]: "AGENT",
        [ATTR.kind]: "AGENT",
        [ATTR.root]: JSON.stringify({
          v: 1,
          name: "agent",
          steps,
          lanes: {},
        }),
        [ATTR.runStatus]: status,
      },
      status: {
        code: status === "ok" ? 1 : 2,
        message: status === "ok" ? "" : "it broke",
      },
    }),
  };
  const list = Array.from({ length: steps }, (_, step): SampleSpan => {
    const spanId = `${hex(n + 1, 8)}${hex(step + 1, 8)}`;
    const record = JSON.stringify({
      v: 1,
      op: "tool:lookup",
      path: "agent/tool:lookup",
      n: step,
      attempt: 0,
      step,
      under: null,
      order: { start: 0 },
    });
    const bytes = encodeSpan({
      traceId: trace,
      spanId,
      parentSpanId: rootId,
      name: "lookup",
      kind: 1,
      ...NONE,
      startUnixNano: start + BigInt(step + 1) * 1000n,
      endUnixNano: start + BigInt(step + 2) * 1000n,
      attributes: {
        ...own,
        [ATTR.spanKind]: "TOOL",
        [ATTR.record]: record,
        [ATTR.recordLength]: record.length,
        [ATTR.inputValue]: text(step),
        [ATTR.kind]: "TOOL",
      },
      status: {
        code: 1,
        message: "",
      },
    });
    return { bytes, spanId };
  });
  return { run, trace, root, steps: list };
}

/** A span that another instrumentation made. */
export function foreignSpan(options: {
  trace: string;
  id: number;
  parent?: string | null;
  attributes?: Record<string, unknown>;
  name?: string;
  ended?: boolean;
}): SampleSpan {
  const spanId = hex(options.id, 16);
  const bytes = encodeSpan({
    traceId: options.trace,
    spanId,
    parentSpanId: options.parent ?? null,
    name: options.name ?? "other",
    kind: 2,
    startUnixNano: EPOCH + BigInt(options.id),
    endUnixNano: options.ended === false ? 0n : EPOCH + 2000000000n,
    ...NONE,
    attributes: options.attributes ?? {},
    status: {
      code: 0,
      message: "",
    },
  });
  return { bytes, spanId };
}

const ORIGIN: SpanOrigin = {
  resource: encodeResource({ "service.name": "shop" }),
  resourceSchemaUrl: "",
  scope: encodeScope("reenact", "1"),
  scopeSchemaUrl: "",
};

/** One ExportTraceServiceRequest. */
export function requestOf(spans: readonly SampleSpan[], origin: SpanOrigin = ORIGIN): Uint8Array {
  const scope = new WireWriter().bytes(1, origin.scope);
  for (const { bytes } of spans) scope.bytes(2, bytes);
  if (origin.scopeSchemaUrl !== "") scope.string(3, origin.scopeSchemaUrl);
  const resource = new WireWriter().bytes(1, origin.resource).message(2, scope);
  if (origin.resourceSchemaUrl !== "") resource.string(3, origin.resourceSchemaUrl);
  return new WireWriter().message(1, resource).finish();
}
