import type { Dialect } from "../span/dialect.ts";
import type { RunContext } from "./context.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import { sharedPart } from "../patch/global-registry.ts";
import type { Sink } from "./sink.ts";
import type { Source } from "../source/source.ts";
import type { Vault } from "../redact/vault.ts";

/** What one process records with. Filled once by `@reenact/node`, by replay, or by attached instrumentations. */
export interface Recorder {
  scrubber: Scrubber | null;
  sink: Sink | null;
  /** where originals of redacted values are kept; null: nowhere */
  vault: Vault | null;
  dialects: Dialect[];
  /** the seam: live unless replay has set it */
  sourceFor: ((run: RunContext) => Source) | null;
  /** this process is a replay: values are encoded at once, since they are compared */
  isReplay: boolean;
  /** answers `input()`; without one the terminal is asked */
  onInput: ((name: string, question: string) => unknown) | null;
  /** facts for the root span that capture cannot know (process, git, standard output); merged into `reenact.root` */
  rootFacts: (run: RunContext) => Record<string, unknown>;
  /** called when a run's root has been written */
  onOver: (run: RunContext) => void;
  /** told of each function that the program gives to `agent()`, as the program has it then */
  onAgent: (name: string, fn: (...args: never[]) => unknown) => void;
  /** where the bytes of a file are: a replay has scratch copies */
  realPath: (path: string) => string;
  /** a journal is never longer than this many events */
  maxEvents: number;
}

export const recorder: Recorder = sharedPart("recorder", () => ({
  scrubber: null,
  sink: null,
  vault: null,
  dialects: [],
  sourceFor: null,
  isReplay: false,
  onInput: null,
  rootFacts: () => ({}),
  onOver: () => {},
  onAgent: () => {},
  realPath: (path) => path,
  maxEvents: 1_000_000,
}));
