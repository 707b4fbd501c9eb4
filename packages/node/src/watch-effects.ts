import type { Run, Scrubber } from "@reenact/capture";
import { type OutputFacts, tapOutput } from "./output-tap.ts";

/** What a run left behind outside its steps; null: not known. */
export interface RunEffects {
  stdout: OutputFacts | null;
  stderr: OutputFacts | null;
}

export const NO_EFFECTS: RunEffects = { stdout: null, stderr: null };

export interface EffectOptions {
  /** names of recorded tokens for those of now, in digests */
  translateToken?: (token: string) => string;
  /** characters of each output of which the lines are kept; default: see `StreamDigest` */
  keepOutput?: number;
}

export interface EffectWatch {
  /** The process ends; `error`: what nobody caught, if anything. */
  end(error: unknown): void;
  of(run: Run): RunEffects;
  undo(): void;
}

/** Listens to the outputs of the process, which belong to its own run. */
export function watchEffects(options: EffectOptions & { scrubber: Scrubber; processRun(): Run | null }): EffectWatch {
  const { scrubber, processRun, keepOutput, translateToken } = options;
  const of = { scrubber, processRun, ...(keepOutput !== undefined && { keep: keepOutput }) };
  const stdout = tapOutput({ ...of, stream: "stdout" });
  const stderr = tapOutput({ ...of, stream: "stderr" });
  let outputs = NO_EFFECTS;
  return {
    end(error) {
      // Node prints it itself, with a stack that is another one in a replay
      if (error !== undefined) stderr.add(`Uncaught ${nameOf(error)}\n`);
      outputs = { stdout: stdout.end(translateToken), stderr: stderr.end(translateToken) };
    },
    of: (run) => (run === processRun() ? outputs : NO_EFFECTS),
    undo() {
      stderr.undo();
      stdout.undo();
    },
  };
}

/** Those that are known, for the root facts. */
export function knownEffects(effects: RunEffects): Partial<RunEffects> {
  return Object.fromEntries(Object.entries(effects).filter(([, facts]) => facts !== null));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
