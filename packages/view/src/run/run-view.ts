import type { Envelope } from "@reenact/envelope/file";
import { effectLines } from "../effects/effect-lines.ts";
import { type StepView, stepsOf } from "../step/step-view.ts";
import { requestLine } from "./request-line.ts";
import { type RunReplay, runReplay } from "./run-replay.ts";
import { durationMs } from "./run-row.ts";

/** A run for reading: its header and its steps. */
export interface RunView {
  readonly run: string;
  readonly name: string;
  /** what came, where the run is a request to a server (method, URL, status) or a job */
  readonly request: string | null;
  /** made by another instrumentation: it can be shown and not replayed */
  readonly foreign: boolean;
  /** the run that this one replays, and what came of it */
  readonly replayOf: string | null;
  readonly replay: RunReplay | null;
  readonly status: string;
  readonly error: string | null;
  /** null: it has not ended */
  readonly durationMs: number | null;
  /** slots: the attempts of one call count once */
  readonly slots: number;
  readonly models: readonly string[];
  /** number of replaced values by type */
  readonly redacted: Readonly<Record<string, number>>;
  readonly complete: boolean;
  readonly incompleteReasons: readonly string[];
  /** effects that no step records, and how a replay treats them: one line each */
  readonly unrecorded: readonly string[];
  readonly steps: readonly StepView[];
}

export function runView(run: Envelope): RunView {
  const { header, manifest: m } = run;
  return {
    run: header.run,
    name: m.name,
    request: requestLine(run),
    foreign: run.foreign,
    replayOf: m.replay?.of ?? null,
    replay: runReplay(m),
    status: header.status,
    error: m.error?.message ?? null,
    durationMs: durationMs(m),
    slots: m.slots,
    models: m.models,
    redacted: m.redaction.counts,
    complete: run.complete,
    incompleteReasons: run.incompleteReasons,
    unrecorded: effectLines(run),
    steps: stepsOf(run),
  };
}
