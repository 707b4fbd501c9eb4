import { ATTR } from "../schema/attributes.ts";
import { scanJson } from "../otlp/json.ts";
import { type ScannedSpan, scanTraces } from "../otlp/scan-traces.ts";
import { decodeSpan } from "../otlp/span.ts";

/** The spans of one run of a file, as `writeEnvelope` takes them. */
export interface OtlpRun {
  readonly spans: readonly ScannedSpan[];
  /** absent: the spans name it themselves */
  readonly run?: string;
}

/** Whether a file begins as an envelope does. */
export function isEnvelope(bytes: Uint8Array): boolean {
  if (bytes.length <= 12) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(0, true) === 0x184d2a50 && view.getUint32(8, false) === 0x524e4354;
}

/**
 * The runs of an OTLP file, protobuf or JSON. In a file without a run of ours each trace is one, which can be shown and not replayed; spans
 * without a run in a file that has some are left out. Empty: it holds no span. Throws `BAD_OTLP`, and `SyntaxError` for what begins as JSON
 * and is none.
 */
export function otlpRuns(bytes: Uint8Array): OtlpRun[] {
  const all = isJson(bytes) ? scanJson(JSON.parse(new TextDecoder().decode(bytes))) : scanTraces(bytes);
  const byRun = Map.groupBy(all, runIdOf);
  byRun.delete("");
  if (byRun.size > 0) return [...byRun.values()].map((spans) => ({ spans }));
  return [...Map.groupBy(all, ({ traceId }) => traceId)].map(([run, spans]) => ({ spans, run }));
}

const isJson = (bytes: Uint8Array): boolean => /^\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 64)));

/** Empty for a span of another instrumentation. */
function runIdOf({ span }: ScannedSpan): string {
  const id = decodeSpan(span).attributes[ATTR.runId];
  return typeof id === "string" ? id : "";
}
