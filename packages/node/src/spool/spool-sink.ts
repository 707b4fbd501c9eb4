import { isSystemError } from "@reenact/envelope";
import {
  type EndedSpan,
  epochNow,
  live,
  originals,
  type RunFacts,
  warnOnce,
  scrubPath,
  type Sink,
  type StepDraft,
  type DraftText,
} from "@reenact/capture/recorder";
import type { RedactingScrubber } from "@reenact/redaction";
import type { StoreLayout } from "../config/store-layout.ts";
import { mergeMetadata } from "./merge-metadata.ts";
import { draftParts } from "./draft-frame.ts";
import { encodeFrame, type FrameKind } from "./frame.ts";
import { type Generation, SpoolFiles } from "./spool-files.ts";
import { SpoolLimit } from "./spool-limit.ts";

export interface SpoolSinkOptions {
  layout: StoreLayout;
  instance: string;
  /** first frame of each file: JSON object */
  opening(): Record<string, unknown>;
  /** root facts of every run of this process that are known early; taken in a turn of its own, after the start of a run or a step */
  earlyFacts(): Record<string, unknown>;
  /** a number that changes when those facts have */
  earlyFactsVersion(): number;
  scrubber: RedactingScrubber;
  /** one line why nothing may be recorded, or null */
  problem(): string | null;
  /** OTLP TracesData with this one span */
  encode(span: EndedSpan): Uint8Array;
  maxMbPerMin: number | null;
  /** the first run has been written */
  begun?(): void;
  /** bytes from which on a file takes no new run; default 32 MiB */
  largeBytes?: number;
}

export interface SpoolSink extends Sink {
  /** the runs that were written, by their start: a process may have a hundred thousand */
  readonly written: { count: number; first: string | null; last: string | null };
  /** runs of which nothing was written, and payloads that were left out, because the spool was full */
  readonly left: { runs: number; payloads: number };
  /** The process ends in good order. */
  close(): void;
}

const HEARTBEAT_MS = 1000;

/** Capture's sink over one spool file. Any fault stops the recording, never the agent. */
export function spoolSink(options: SpoolSinkOptions): SpoolSink {
  const { layout, scrubber } = options;
  const runs: SpoolSink["written"] = { count: 0, first: null, last: null };
  const left = { runs: 0, payloads: 0 };
  let early: string | null = null;
  let earlyAsked = -1;
  /** bytes, by this process */
  let written = 0;
  let limit: SpoolLimit | null = null;
  let heartbeat: ReturnType<typeof setInterval> | null = null;
  let off = false;

  const files = new SpoolFiles(
    layout,
    options.instance,
    (runs, metadata) => [
      encodeFrame("open", JSON.stringify(options.opening())),
      ...[...runs].map((facts) => encodeFrame("started", startedText(facts))),
      ...[...metadata].map(([run, each]) => encodeFrame("metadata", JSON.stringify({ run, ...each }))),
      ...(early === null ? [] : [encodeFrame("facts", early)]),
    ],
    options.largeBytes,
  );

  const scrubbed = (text: string): string => scrubber.scrub(text).text;
  const json = (value: unknown): string => scrubber.scrub(JSON.stringify(value), { mime: "application/json" }).text;
  const startedText = (facts: RunFacts): string => JSON.stringify({ ...facts, name: scrubbed(facts.name) });

  function stop(why: string): void {
    off = true;
    files.break();
    stopHeartbeat();
    warnOnce("spool", `recording disabled: ${why}; the agent keeps running`);
  }

  /** All of our own work: never counted as the agent's. What the disk refuses ends the recording; capture guards the rest. */
  function own(work: () => void): void {
    if (off) return;
    live(() => {
      try {
        work();
      } catch (error) {
        if (!isSystemError(error)) throw error;
        stop((error as Error).message);
      }
    });
  }

  function write({ file }: Generation, kind: FrameKind, ...parts: (string | Uint8Array)[]): void {
    const before = file.written;
    file.write(kind, ...parts);
    written += file.written - before;
    limit?.count(file.written - before);
  }

  function writePayload(generation: Generation, kind: FrameKind, parts: (string | Uint8Array)[]): boolean {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (limit?.refusesPayload(written, length) !== true) {
      write(generation, kind, ...parts);
      return true;
    }
    left.payloads++;
    warnOnce(
      "spool-payload",
      `the spool in ${layout.spool} is full: payloads are left out; any reenact command empties it`,
    );
    return false;
  }

  function sameRequest({ requests }: Generation, draft: StepDraft<DraftText>): boolean {
    const there = requests.get(draft.spanId);
    requests.delete(draft.spanId);
    const { request } = draft;
    if (there === undefined || there === null || request === null) return false;
    return request.text !== null
      ? request.text === there.text
      : request.bytes !== null && request.bytes === there.bytes;
  }

  function begin(): boolean {
    const problem = options.problem();
    if (problem !== null) {
      stop(problem);
      return false;
    }
    files.ready();
    limit ??= new SpoolLimit(layout, options.maxMbPerMin);
    return true;
  }

  function startHeartbeat(): void {
    const beat = (): void => own(() => files.busy().forEach((each) => write(each, "heartbeat", f64(epochNow()))));
    heartbeat ??= originals.setInterval(beat, HEARTBEAT_MS).unref();
  }

  function stopHeartbeat(): void {
    if (heartbeat !== null) originals.clearInterval(heartbeat);
    heartbeat = null;
  }

  function takeEarlyFacts(): void {
    const version = options.earlyFactsVersion();
    if (earlyAsked === version) return;
    earlyAsked = version;
    const immediate = originals.setImmediate(() =>
      own(() => {
        early = attempt(() => json(options.earlyFacts()));
        if (early !== null) for (const each of files.busy()) write(each, "facts", early);
      }),
    );
    immediate.unref();
  }

  return {
    written: runs,
    left,
    started: (facts) =>
      own(() => {
        if (!begin()) return;
        const refused = (limit as SpoolLimit).refusesRun(written);
        if (refused !== null) {
          left.runs++;
          warnOnce("spool-run", `a run is not recorded: ${refused}; any reenact command empties the spool`);
          return;
        }
        runs.count++;
        runs.first ??= facts.id;
        runs.last = facts.id;
        write(files.started(facts), "started", startedText(facts));
        if (runs.count === 1) options.begun?.();
        startHeartbeat();
        takeEarlyFacts();
      }),
    begin(step) {
      const generation = files.of(step.run);
      if (generation === undefined) return;
      own(() => {
        const { name, op, path } = step;
        write(
          generation,
          "begin",
          JSON.stringify({ ...step, name: scrubbed(name), op: scrubbed(op), path: scrubPath(scrubber, path) }),
        );
        takeEarlyFacts();
      });
    },
    settle(run, step, position, at) {
      const generation = files.of(run);
      if (generation !== undefined) own(() => write(generation, "settle", JSON.stringify([run, step, position, at])));
    },
    request(draft) {
      const generation = files.of(draft.run);
      if (generation === undefined) return;
      own(() => {
        if (writePayload(generation, "request", draftParts(draft, false)))
          generation.requests.set(draft.spanId, draft.request);
      });
    },
    yielded(run, step, at, value) {
      const generation = files.of(run);
      if (generation === undefined) return;
      own(() => void writePayload(generation, "yield", [JSON.stringify([run, step, at, value])]));
    },
    step(draft) {
      const generation = files.of(draft.run);
      if (generation === undefined) return false;
      let kept = false;
      own(() => {
        generation.file.renew();
        kept = writePayload(generation, "step", draftParts(draft, sameRequest(generation, draft)));
      });
      return kept;
    },
    metadata(run, metadata) {
      const generation = files.of(run);
      if (generation === undefined) return;
      own(() => {
        write(generation, "metadata", JSON.stringify({ run, ...metadata }));
        generation.metadata.set(run, mergeMetadata(generation.metadata.get(run) ?? {}, metadata));
      });
    },
    input(run, input) {
      const generation = files.of(run);
      if (generation !== undefined) own(() => void writePayload(generation, "input", [`${run}\n`, input]));
    },
    span(span) {
      const generation = files.of(span.run);
      if (generation === undefined) return;
      own(() => void writePayload(generation, "span", [`${span.run}\n`, options.encode(span)]));
    },
    answered(span, isWhole) {
      const generation = files.of(span.run);
      if (generation === undefined) return false;
      let kept = false;
      own(() => {
        kept = writePayload(generation, "answered", [`${span.run} ${isWhole ? 1 : 0}\n`, options.encode(span)]);
      });
      return kept;
    },
    over(run) {
      const generation = files.of(run);
      if (generation === undefined) return;
      own(() => {
        write(generation, "over", run);
        files.over(run);
      });
      if (files.busy().size === 0) stopHeartbeat();
    },
    close() {
      stopHeartbeat();
      own(() => files.close());
      if (left.runs > 0) warnOnce("spool-left", `${left.runs} runs were not recorded: the spool was full`);
    },
  };
}

/** These facts only help to read the run of a process that died. */
function attempt(work: () => string): string | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function f64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
