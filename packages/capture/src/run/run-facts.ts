import type { RunContext } from "./context.ts";
import type { RunFacts } from "./sink.ts";

export function factsOf({ id, traceId, rootSpanId, start, started }: RunContext): RunFacts {
  const { trigger, name, parent = null, sequence } = start;
  return { id, traceId, rootSpanId, trigger, name, parent, sequence, started };
}
