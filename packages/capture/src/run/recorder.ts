import type { Dialect } from "../span/dialect.ts";
import type { RunContext } from "./context.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import { sharedPart } from "../patch/global-registry.ts";
import type { Sink } from "./sink.ts";
import type { Source } from "../source/source.ts";
import type { Vault } from "../redact/vault.ts";

/** The parts that one process records with. Set once by `@reenact/node`, by replay, or by attached instrumentations. */
export interface Recorder {
  scrubber: Scrubber | null;
  sink: Sink | null;
  /** keeps the originals of redacted values; null: they are not kept */
  vault: Vault | null;
  dialects: Dialect[];
  /** the source of a run; null: live. A replay sets it */
  sourceFor: ((run: RunContext) => Source) | null;
  /** this process is a replay: values are encoded at once, since they are compared */
  isReplay: boolean;
  /** a replay hands out the recorded jobs: what hands them out otherwise is stilled */
  deliversJobs: boolean;
  /** answers `input()`; without one the terminal is asked */
  onInput: ((name: string, question: string) => unknown) | null;
  /** nobody answers `input()` in this process: the run is suspended at it, and another process goes on with the answer */
  suspendsInput: boolean;
  /** facts for the root span that capture cannot know (process, git, standard output); merged into `reenact.root` */
  rootFacts: (run: RunContext) => Record<string, unknown>;
  /** in a replay: what a server answered outside of the recorded runs; undefined: no run tells. A replay sets it */
  outside: ((target: object, name: string, args: readonly unknown[]) => { readonly value: unknown } | undefined) | null;
  /** session of every run, unless the program names another one; null: none */
  session: string | null;
  /** called when a request becomes a run, before anything of it is written */
  onActive: (run: RunContext) => void;
  /** called when the answer of a run has gone out */
  onAnswered: (run: RunContext) => void;
  /** called when a run's root has been written, or never will be */
  onOver: (run: RunContext) => void;
  /** Sends what the runs that have ended have left, within a bounded time, and never rejects; null: nothing is sent, or there is nothing. */
  flush: (() => Promise<void> | null) | null;
  /** called with each function that the program gives to `agent()`, in the form that the program has then */
  onAgent: (name: string, fn: (...args: never[]) => unknown) => void;
  /** the path at which the bytes of a file are: a replay has scratch copies */
  realPath: (path: string) => string;
  /** the end of an answer waits no longer for the thread that reads it. Ms */
  patience: number;
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
  deliversJobs: false,
  onInput: null,
  suspendsInput: false,
  outside: null,
  session: null,
  rootFacts: () => ({}),
  onActive: () => {},
  onAnswered: () => {},
  onOver: () => {},
  flush: null,
  onAgent: () => {},
  realPath: (path) => path,
  patience: 25,
  maxEvents: 1_000_000,
}));
