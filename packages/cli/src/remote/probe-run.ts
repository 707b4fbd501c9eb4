import { randomBytes } from "node:crypto";
import {
  ATTR,
  encodeResource,
  encodeScope,
  encodeTraces,
  type OtlpSpan,
  plainSpan,
  type ScannedSpan,
  scanTraces,
} from "@reenact/envelope";
import { version } from "../process/version.ts";

/** Name of the service that its runs are of: lists leave them out. */
export const PROBE = "reenact-probe";
const CHILDREN = 9;
const PAYLOAD = 768;

/** A small run of random content, whole and sealed at once where it arrives: no agent made it, and nothing replays it. */
export function probeRun(now: number): { id: string; traces: Uint8Array; spans: ScannedSpan[] } {
  const id = randomBytes(16).toString("hex");
  const start = BigInt(now) * 1_000_000n;
  const rootId = randomBytes(8).toString("hex");
  const spanOf = (change: Partial<OtlpSpan>): OtlpSpan =>
    plainSpan({
      traceId: id,
      spanId: rootId,
      name: "reenact probe",
      startUnixNano: start,
      endUnixNano: start + 1_000_000n,
      status: { code: 1, message: "" },
      ...change,
    });
  const common = { [ATTR.schema]: 1, [ATTR.runId]: id };
  const facts = {
    v: 1,
    name: "reenact probe",
    trigger: "background",
    steps: 0,
    lanes: {},
    recorder: { name: "reenact probe", version },
  };
  const root = {
    ...common,
    [ATTR.spanKind]: "AGENT",
    [ATTR.kind]: "AGENT",
    [ATTR.runStatus]: "ok",
    [ATTR.root]: JSON.stringify(facts),
  };
  const children = Array.from({ length: CHILDREN }, (_, at) =>
    spanOf({
      spanId: randomBytes(8).toString("hex"),
      parentSpanId: rootId,
      name: `probe ${at + 1}`,
      attributes: { ...common, [ATTR.spanKind]: "CHAIN", payload: randomBytes(PAYLOAD).toString("base64") },
    }),
  );
  const origin = {
    resource: encodeResource({ "service.name": PROBE, "service.version": version }),
    scope: encodeScope(PROBE, version),
    resourceSchemaUrl: "",
    scopeSchemaUrl: "",
  };
  const traces = Buffer.concat([...children, spanOf({ attributes: root })].map((span) => encodeTraces(span, origin)));
  return { id, traces, spans: scanTraces(traces) };
}
