import { setActiveSpanLookup } from "@reenact/capture/recorder";

interface SpanContext {
  traceId: string;
  spanId: string;
}
interface Api {
  context?: { active(): { getValue(key: symbol): unknown } };
}

/** Where `@opentelemetry/api` 1.x keeps what is registered, and the key under which a context holds its span. */
const API = Symbol.for("opentelemetry.js.api.1");
const SPAN = Symbol.for("OpenTelemetry Context Key SPAN");
const NO_TRACE = /^0*$/;

/** Links a step to the agent's own active span, where the agent has set OpenTelemetry up; loads nothing for it. */
export function watchActiveSpan(): () => void {
  setActiveSpanLookup(() => {
    const api = (globalThis as { [API]?: Api })[API];
    if (api?.context === undefined) return null;
    const span = api.context.active().getValue(SPAN) as { spanContext?(): SpanContext } | undefined;
    const context = span?.spanContext?.();
    if (context === undefined || NO_TRACE.test(context.traceId)) return null;
    return { traceId: context.traceId, spanId: context.spanId };
  });
  return () => setActiveSpanLookup(() => null);
}
