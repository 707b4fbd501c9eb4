import type { Dialect } from "../span/dialect.ts";
import type { Run } from "./run.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { RunFacts, Sink } from "./sink.ts";
import type { Source } from "../source/source.ts";
import type { TypedText } from "../span/value-snapshot.ts";

export interface RunStart {
  /** `surrounding`: the process around its `agent()` calls, without an agentic step of its own */
  trigger: "process" | "function" | "surrounding";
  name: string;
  sequence: number;
  parent?: string | null;
  /** typed encoding of the argument list of an `agent()` call, or what it will be made from */
  input?: TypedText | null;
  /** its JSON, where a `toJSON` may give members other names: it is read, not recorded */
  inputJson?: string | null;
}

/** Parts that a run has for itself instead of the process's recorder: attached mode. */
export interface RunParts {
  sink?: Sink;
  scrubber?: Scrubber | null;
  dialects?: readonly Dialect[];
  source?: (run: Run) => Source;
}

export function factsOf({ id, traceId, rootSpanId, start, started }: Run): RunFacts {
  const { trigger, name, parent = null, sequence } = start;
  return { id, traceId, rootSpanId, trigger, name, parent, sequence, started };
}
