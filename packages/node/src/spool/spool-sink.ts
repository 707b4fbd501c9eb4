import {
  epochNow,
  live,
  originals,
  type RunFacts,
  sayOnce,
  scrubPath,
  type Sink,
  type StepDraft,
} from "@reenact/capture";
import type { RedactingScrubber } from "@reenact/redaction";
import type { Provider } from "../provider/provider.ts";
import type { StoreLayout } from "../store-layout.ts";
import { draftParts } from "./draft-frame.ts";
import { encodeFrame, type FrameKind } from "./frame.ts";
import { SpoolFile } from "./spool-file.ts";
import { SpoolLimit } from "./spool-limit.ts";

export interface SpoolSinkOptions {
  layout: StoreLayout;
  instance: string;
  /** first frame of each file: JSON object */
  opening(): Record<string, unknown>;
  /** root facts of every run of this process that are known early; taken in a turn of its own, behind a birth or a begin */
  earlyFacts(): Record<string, unknown>;
  /** a number that changes when those facts have */
  earlyFactsVersion(): number;
  scrubber: RedactingScrubber;
  /** one line why nothing may be recorded, or null */
  problem(): string | null;
  /** called once, with what writes an encoded span */
  provider(write: (run: string, bytes: Uint8Array) => void): Provider;
  maxMbPerMin: number | null;
}

export interface SpoolSink extends Sink {
  /** ids of the runs that were written, in order of birth */
  readonly runs: readonly string[];
  /** runs of which nothing was written, and payloads that were left out, because the spool was full */
  readonly left: { runs: number; payloads: number };
  /** The process ends in good order. */
  close(): void;
}

const HEARTBEAT_MS = 1000;

/** Capture's sink over one spool file. Any fault stops the recording, never the agent. */
export function spoolSink(options: SpoolSinkOptions): SpoolSink {
  const { layout, scrubber } = options;
  const open = new Map<string, RunFacts>();
  const runs: string[] = [];
  const left = { runs: 0, payloads: 0 };
  let early: string | null = null;
  let earlyAsked = -1;
  let limit: SpoolLimit | null = null;
  let provider: Provider | null = null;
  let heartbeat: ReturnType<typeof setInterval> | null = null;
  let off = false;

  /** requests that are in the file: of which steps, and what */
  const requests = new Map<string, StepDraft["request"]>();

  const file = new SpoolFile(layout, options.instance, () => {
    requests.clear();
    return [
      encodeFrame("open", JSON.stringify(options.opening())),
      ...[...open.values()].map((facts) => encodeFrame("born", bornText(facts))),
      ...(early === null ? [] : [encodeFrame("facts", early)]),
    ];
  });

  const scrubbed = (text: string): string => scrubber.scrub(text).text;
  const json = (value: unknown): string => scrubber.scrub(JSON.stringify(value), { mime: "application/json" }).text;
  const bornText = (facts: RunFacts): string => JSON.stringify({ ...facts, name: scrubbed(facts.name) });

  function stop(why: string): void {
    off = true;
    file.break();
    stopHeartbeat();
    sayOnce("spool", `nothing is recorded: ${why}; the agent goes on`);
  }

  /** All of our own work: never counted as the agent's. What the disk refuses ends the recording; capture guards the rest. */
  function own(work: () => void): void {
    if (off) return;
    live(() => {
      try {
        work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
        stop((error as Error).message);
      }
    });
  }

  function write(kind: FrameKind, ...parts: (string | Uint8Array)[]): void {
    const before = file.written;
    file.write(kind, ...parts);
    limit?.count(file.written - before);
  }

  function writePayload(kind: FrameKind, parts: (string | Uint8Array)[]): boolean {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (limit?.refusesPayload(file.written, length) !== true) {
      write(kind, ...parts);
      return true;
    }
    left.payloads++;
    sayOnce(
      "spool-payload",
      `the spool in ${layout.spool} is full: payloads are left out; any reenact command empties it`,
    );
    return false;
  }

  function sameRequest(draft: StepDraft): boolean {
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
    if (file.state === "unopened") file.open();
    limit ??= new SpoolLimit(layout, options.maxMbPerMin);
    return true;
  }

  function startHeartbeat(): void {
    heartbeat ??= originals.setInterval(() => own(() => write("heartbeat", f64(epochNow()))), HEARTBEAT_MS).unref();
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
        if (early !== null && file.state === "open") write("facts", early);
      }),
    );
    immediate.unref();
  }

  return {
    runs,
    left,
    born: (facts) =>
      own(() => {
        if (!begin()) return;
        const refused = (limit as SpoolLimit).refusesRun(file.written);
        if (refused !== null) {
          left.runs++;
          sayOnce("spool-run", `a run is not recorded: ${refused}; any reenact command empties the spool`);
          return;
        }
        open.set(facts.id, facts);
        runs.push(facts.id);
        write("born", bornText(facts));
        startHeartbeat();
        takeEarlyFacts();
      }),
    begin(step) {
      if (!open.has(step.run)) return;
      own(() => {
        const { name, op, path } = step;
        write(
          "begin",
          JSON.stringify({ ...step, name: scrubbed(name), op: scrubbed(op), path: scrubPath(scrubber, path) }),
        );
        takeEarlyFacts();
      });
    },
    settle(run, step, position, at) {
      if (open.has(run)) own(() => write("settle", JSON.stringify([run, step, position, at])));
    },
    request(draft) {
      if (!open.has(draft.run)) return;
      own(() => {
        if (writePayload("request", draftParts(draft, false))) requests.set(draft.spanId, draft.request);
      });
    },
    step(draft) {
      if (!open.has(draft.run)) return false;
      let kept = false;
      own(() => {
        file.renew();
        kept = writePayload("step", draftParts(draft, sameRequest(draft)));
      });
      return kept;
    },
    span(span) {
      if (!open.has(span.run)) return;
      own(() => {
        provider ??= options.provider((run, bytes) => void writePayload("span", [`${run}\n`, bytes]));
        provider.end(span);
      });
    },
    over(run) {
      if (!open.has(run)) return;
      own(() => write("over", run));
      open.delete(run);
      if (open.size === 0) stopHeartbeat();
    },
    close() {
      stopHeartbeat();
      own(() => file.close());
      if (left.runs > 0) sayOnce("spool-left", `${left.runs} runs were not recorded: the spool was full`);
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
