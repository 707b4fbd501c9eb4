import { homedir, tmpdir } from "node:os";
import { isAbsolute, relative } from "node:path";
import type { Scrubber } from "@reenact/capture";
import { guarded, live, originals, type RunContext } from "@reenact/capture/recorder";
import { databasesFacts, type DatabasesFacts } from "./database-facts.ts";
import { type FileLimits, filesFacts, type FilesFacts, shownPath } from "./file-facts.ts";
import { type OutputFacts, tapOutput } from "../output/output-tap.ts";
import { uncaughtText } from "../output/uncaught-text.ts";

/** What a run left behind outside its steps; null: not known. */
export interface RunEffects {
  stdout: OutputFacts | null;
  stderr: OutputFacts | null;
  files: FilesFacts | null;
  databases: DatabasesFacts | null;
}

export const NO_EFFECTS: RunEffects = { stdout: null, stderr: null, files: null, databases: null };

export interface EffectOptions {
  /** names of recorded tokens for those of now, in digests */
  translateToken?: (token: string) => string;
  /** characters of each output of which the lines are kept; default: see `StreamDigest` */
  keepOutput?: number;
  /** limits other than the usual ones for reading what was written */
  fileLimits?: Partial<FileLimits>;
}

/** Bytes of standard error, which may be a log, above which nothing of it is compared. */
const MOST_STDERR = 4 * 1024 * 1024;
/** For the run of the process, at whose end an answer cannot be awaited. */
const OF_PROCESS: FileLimits = {
  fileBytes: 1024 * 1024,
  formerBytes: 256 * 1024,
  allBytes: 4 * 1024 * 1024,
  withinMs: 1000,
  keep: 0,
};
/** For an `agent()` call, whose caller waits. */
const OF_CALL: FileLimits = {
  fileBytes: 256 * 1024,
  formerBytes: 64 * 1024,
  allBytes: 1024 * 1024,
  withinMs: 50,
  keep: 0,
};

export interface EffectWatch {
  /** The process ends; `error`: the uncaught error, if there is one. */
  end(error: unknown): void;
  of(run: RunContext): RunEffects;
  undo(): void;
}

/** Listens to the outputs of the process, which belong to its own run, and looks at what each run wrote. */
export function watchEffects(
  options: EffectOptions & { scrubber: Scrubber; store: string; processRun(): RunContext | null },
): EffectWatch {
  const { scrubber, processRun, keepOutput, translateToken } = options;
  const of = { scrubber, processRun, ...(keepOutput !== undefined && { keep: keepOutput }) };
  const stdout = tapOutput({ ...of, stream: "stdout" });
  const stderr = tapOutput({ ...of, stream: "stderr", most: MOST_STDERR });
  let outputs: Pick<RunEffects, "stdout" | "stderr"> = NO_EFFECTS;
  const left = new WeakMap<RunContext, Pick<RunEffects, "files" | "databases">>();
  const folders = [
    [process.cwd(), ""],
    [tmpdir(), "<tmp>/"],
    [homedir(), "~/"],
  ] as const;

  function leftBy(run: RunContext): Pick<RunEffects, "files" | "databases"> {
    const known = left.get(run);
    if (known !== undefined) return known;
    const limits = { ...(run === processRun() ? OF_PROCESS : OF_CALL), ...options.fileLimits };
    const ignore = (path: string): boolean => isWithin(options.store, path);
    const now = originals.performanceNow;
    const until = now() + limits.withinMs;
    const view = { scrubber, folders, limits, ignore, translate: translateToken, isLate: () => now() >= until };
    const facts = live(() => ({
      files: guarded("files", null, () => filesFacts(run, view)),
      databases: guarded("databases", null, () =>
        databasesFacts(run, { ...view, shownPath: (path) => shownPath(path, view) }),
      ),
    }));
    left.set(run, facts);
    return facts;
  }

  return {
    end(error) {
      // Node prints it past this stream, with a stack that is another one in a replay
      if (error !== undefined) stderr.add(`Uncaught ${uncaughtText(error)}\n`);
      outputs = { stdout: stdout.end(translateToken), stderr: stderr.end(translateToken) };
    },
    of: (run) => ({ ...(run === processRun() ? outputs : NO_EFFECTS), ...leftBy(run) }),
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

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}
