import {
  ATTR,
  encodeResource,
  encodeScope,
  encodeTraces,
  type OtlpSpan,
  type ScannedSpan,
  scanTraces,
} from "@reenact/envelope";

/** A span as Phoenix's REST interface gives it back. */
export interface PhoenixSpan {
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly parent_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code: string;
  readonly status_message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly timestamp: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

const STATUS: Readonly<Record<string, 0 | 1 | 2>> = { UNSET: 0, OK: 1, ERROR: 2 };
const CLIENT: ReadonlySet<unknown> = new Set(["LLM", "EMBEDDING", "DB", "HTTP"]);
/** Lists come back as one attribute for each item. */
const LISTS: readonly string[] = [ATTR.flag, "tag.tags"];

/**
 * The span again, made of what Phoenix keeps: every attribute to the character, times to the microsecond. Resource, scope,
 * links and the OpenTelemetry kind are not kept there; the kind follows from ours.
 */
export function spanOfPhoenix(from: PhoenixSpan): ScannedSpan {
  const kind = from.attributes[ATTR.kind];
  const span: OtlpSpan = {
    traceId: from.context.trace_id,
    spanId: from.context.span_id,
    parentSpanId: from.parent_id,
    name: from.name,
    kind: CLIENT.has(kind) ? 3 : 1,
    startUnixNano: nanoOf(from.start_time),
    endUnixNano: nanoOf(from.end_time),
    attributes: { [ATTR.spanKind]: from.span_kind, ...withLists(from.attributes) },
    droppedAttributesCount: 0,
    events: from.events.map(({ name, timestamp, attributes }) => ({
      name,
      timeUnixNano: nanoOf(timestamp),
      attributes: { ...attributes },
    })),
    links: [],
    status: { code: STATUS[from.status_code] ?? 0, message: from.status_message },
    traceState: "",
    flags: 0,
  };
  const origin = { resource: encodeResource({}), scope: encodeScope("phoenix") };
  const [scanned] = scanTraces(encodeTraces(span, { ...origin, resourceSchemaUrl: "", scopeSchemaUrl: "" }));
  return scanned!;
}

/** `2026-11-22T08:00:00.123456+00:00` as nanoseconds since the epoch. */
function nanoOf(time: string): bigint {
  const [, seconds = "", fraction = "", zone = ""] = /^([^.]+?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/.exec(time) ?? [];
  const whole = Date.parse(`${seconds}${zone === "" ? "Z" : zone}`);
  return Number.isNaN(whole) ? 0n : BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(9, "0").slice(0, 9));
}

function withLists(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const list = LISTS.find((name) => key.startsWith(`${name}.`) && /^\d+$/.test(key.slice(name.length + 1)));
    if (list === undefined) out[key] = value;
    else ((out[list] ??= []) as unknown[]).push(value);
  }
  return out;
}
