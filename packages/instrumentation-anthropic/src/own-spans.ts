import { trace, type Tracer, type TracerProvider } from "@opentelemetry/api";
import { attachStepsAside, type OwnSpans } from "@reenact/capture/attach";
import { DeferredSpan } from "./deferred-span.ts";

/** Scope of the tracer that the SDK takes; the clients of other platforms add a suffix. */
const SCOPE = "com.anthropic.sdk.typescript";

/** Names of the SDK's spans of calls that this package reads. Tool runners and other resources keep theirs. */
const CALLS = /^anthropic\.messages\.(?:create|count_tokens|batches\.\w+)$/;

const muted = new WeakMap<object, { users: number; undo(): void }>();

/** The SDK's spans from the API's global provider; a provider that a client is given is not touched. */
export const ownSpans: OwnSpans = {
  mute(provider) {
    if (!isGlobalKind(provider)) return () => {};
    const known = muted.get(provider) ?? replaceGetTracer(provider);
    known.users++;
    return () => {
      known.users--;
      if (known.users > 0) return;
      muted.delete(provider);
      known.undo();
    };
  },
  recorded() {
    const span = trace.getActiveSpan();
    if (span instanceof DeferredSpan) span.drop();
  },
};

/** The API's own stand-in for whatever provider is registered; each copy of the API has one. */
function isGlobalKind(provider: object): provider is TracerProvider {
  return provider === trace.getTracerProvider() || "getDelegate" in provider;
}

function replaceGetTracer(provider: TracerProvider): { users: number; undo(): void } {
  const before = Object.getOwnPropertyDescriptor(provider, "getTracer");
  const real = provider.getTracer;
  const state = { users: 0, undo };
  const getTracer: TracerProvider["getTracer"] = function (name, version, options) {
    const tracer = real.call(provider, name, version, options);
    return name === SCOPE ? holding(tracer, () => state.users > 0) : tracer;
  };
  function undo(): void {
    if (provider.getTracer !== getTracer) return;
    if (before === undefined) delete (provider as Partial<TracerProvider>).getTracer;
    else Object.defineProperty(provider, "getTracer", before);
  }
  Object.defineProperty(provider, "getTracer", { value: getTracer, configurable: true, writable: true });
  muted.set(provider, state);
  return state;
}

/** Clients keep their tracer, so it asks at every span whether there is still a reason. */
function holding(tracer: Tracer, active: () => boolean): Tracer {
  return {
    startSpan(name, options, parent) {
      if (!active() || !CALLS.test(name) || attachStepsAside()) return tracer.startSpan(name, options, parent);
      return new DeferredSpan(tracer, name, options, parent);
    },
    startActiveSpan: tracer.startActiveSpan.bind(tracer) as Tracer["startActiveSpan"],
  };
}
