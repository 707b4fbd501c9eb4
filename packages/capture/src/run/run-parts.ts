import type { Scrubber } from "../redact/scrubber.ts";
import type { Source } from "../source/source.ts";
import type { Dialect } from "../span/dialect.ts";
import type { RunContext } from "./context.ts";
import type { Sink } from "./sink.ts";

/** Parts that a run has for itself instead of the process's recorder: attached mode. */
export interface RunParts {
  sink?: Sink;
  scrubber?: Scrubber | null;
  dialects?: readonly Dialect[];
  source?: (run: RunContext) => Source;
}
