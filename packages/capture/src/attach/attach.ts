import { AttachedSink, type ApiTracerProvider } from "./attached-sink.ts";
import { stepFrame, isLive } from "../run/context.ts";
import type { Dialect } from "../span/dialect.ts";
import { guarded, warnOnce } from "../fault/faults.ts";
import { PassSource } from "../source/pass-source.ts";
import { recogniseFetch } from "../transport/recognise-fetch.ts";
import { Run } from "../run/run.ts";
import { globalRegistry } from "../patch/global-registry.ts";
import { callFetch } from "../transport/fetch/fetch.ts";
import { type OutgoingRequest, readRequest } from "../transport/request.ts";

export type { ApiTracerProvider } from "./attached-sink.ts";

export interface AttachOptions {
  dialect: Dialect;
  /** true adds `reenact.record`; such a run still does not replay */
  record: boolean;
  tracerProvider(): ApiTracerProvider;
  /** a call is recorded: in the caller's context, before its span starts */
  onRecorded?(): void;
}

/** This copy of the package; there may be others in the process. */
const COPY = {};
const attached = new Map<Dialect, AttachOptions>();
const unfinished = new Set<Run>();
/** Ends runs whose stream can no longer be read. Holds the run, never the request: its signal leads to the stream. */
const abandoned = new FinalizationRegistry<Run>(giveUp);
let undoFetch: (() => void) | null = null;

/**
 * Spans of one provider's calls in a user's own OpenTelemetry set-up: no run, no journal, no turn of ours. Without
 * a redaction policy the spans carry no payload. Returns the undo; calls under way still get their spans ended.
 */
export function attachInstrumentation(options: AttachOptions): () => void {
  const holders = (globalRegistry().attached ??= new Map<string, object>());
  const { name } = options.dialect;
  if ((holders.get(name) ?? COPY) !== COPY) {
    warnOnce(
      "attach:copies",
      `two copies of @reenact/capture are loaded: the first one makes the spans of ${name}; run 'npm ls @reenact/capture'`,
    );
    return () => {};
  }
  holders.set(name, COPY);
  attached.set(options.dialect, options);
  undoFetch ??= wrapFetch();
  return () => {
    if (attached.get(options.dialect) !== options) return;
    attached.delete(options.dialect);
    holders.delete(name);
    if (attached.size > 0) return;
    undoFetch?.();
    undoFetch = null;
  };
}

/** A recorder in the same process records this call, or the call is our own work: one record is enough. */
export function attachStepsAside(): boolean {
  if (isLive()) return true;
  const recorded = stepFrame() !== null;
  if (recorded)
    warnOnce("attach:aside", "this process is recorded already: the attached instrumentations make no spans");
  return recorded;
}

/** The wrapper stays harmless where a client keeps it longer than it is installed. */
function wrapFetch(): () => void {
  const real = globalThis.fetch;
  const watched = function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const call = attached.size === 0 ? null : guarded("attach", null, () => take(input, init));
    if (call === null) return real(input, init);
    const { run, request } = call;
    const answer = callFetch(run.frame, request, real);
    answer.then(
      ({ body }) => body !== null && abandoned.register(body, run),
      () => {},
    );
    return answer;
  };
  for (const name of ["name", "length"] as const)
    Object.defineProperty(watched, name, { value: real[name], configurable: true });
  globalThis.fetch = watched;
  process.on("beforeExit", giveUpAll);
  return () => {
    process.off("beforeExit", giveUpAll);
    if (globalThis.fetch === watched) globalThis.fetch = real;
  };
}

function giveUp(run: Run): void {
  if (unfinished.delete(run)) guarded("attach", undefined, () => run.end({ status: "aborted" }));
}

/** Before listeners that came later, of which one may shut the user's provider down. */
function giveUpAll(): void {
  for (const run of unfinished) giveUp(run);
}

interface Call {
  readonly run: Run;
  readonly request: OutgoingRequest;
}

function take(input: RequestInfo | URL, init: RequestInit | undefined): Call | null {
  const options = find(input, init);
  if (options === null || attachStepsAside()) return null;
  const request = readRequest(input, init);
  if (request === null) return null;
  const run = runOf(options);
  options.onRecorded?.();
  return { run, request };
}

/** Whose call this is. */
function find(input: RequestInfo | URL, init: RequestInit | undefined): AttachOptions | null {
  for (const options of attached.values()) if (recogniseFetch([options.dialect], input, init) !== null) return options;
  return null;
}

/** One call is one run of its own here: nothing is shared, nothing waits. */
function runOf(options: AttachOptions): Run {
  const scrubber = globalRegistry().scrubber ?? null;
  if (scrubber === null)
    warnOnce(
      "attach:policy",
      "no redaction policy is loaded: spans carry no payload; add new RedactionProcessor() to spanProcessors",
    );
  else if (options.record)
    warnOnce(
      "attach:record",
      "the attached instrumentations record calls only, such runs do not replay; start node with --import @reenact/node/register for runs that do",
    );
  const sink = new AttachedSink(options, scrubber, () => unfinished.delete(run));
  const run = new Run(
    { trigger: "function", name: "attached", sequence: 0 },
    { sink, scrubber, dialects: [options.dialect], source: () => new PassSource() },
  );
  run.activate();
  unfinished.add(run);
  return run;
}
