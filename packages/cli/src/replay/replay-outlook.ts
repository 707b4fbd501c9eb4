import { readFileSync, statSync } from "node:fs";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import {
  continuesAfterRefusal,
  effectName,
  isNativeCode,
  isRefused,
  oneLine,
  unrecordedEffects,
  unrecordedTools,
  WRAP,
} from "@reenact/view";

/** Something of a run that is not in its record. Fields are only ever added. */
export interface Hindrance {
  kind: string;
  /** what it is and where in the program */
  what: string;
  /** false: a replay goes on, and what it does then is said in `what` */
  stops: boolean;
  /** a replay refuses a part of it and continues: it is identical only if the refusal changes nothing */
  refused?: true;
  /** what to do about it */
  next: string;
}

/** What a replay of a run needs that the record does not hold. */
export interface Outlook {
  hindrances: Hindrance[];
  /** options with which a replay goes past what stops it, a blank ahead */
  options: string;
  /** number of the recorded process */
  pid: number | null;
  /** the recorded program, below or beside where it ran, and its arguments */
  program: string[] | null;
}

/** Of a file beyond that nothing is said: the command would wait for it. */
const MOST_BYTES = 100_000_000;

/** `bytes`: the run itself, where no file has it. null: it cannot be read. */
export async function outlookOf({ path, bytes }: { path: string; bytes?: Uint8Array }): Promise<Outlook | null> {
  try {
    if ((bytes?.length ?? statSync(path).size) > MOST_BYTES) return null;
    return await outlook(readEnvelope(bytes ?? readFileSync(path), { damaged: "read-up-to" }));
  } catch {
    return null;
  }
}

async function outlook(run: Envelope): Promise<Outlook> {
  const leaks = unrecordedEffects(run).filter(({ scope }) => scope === -1);
  const { pid, entry, argv = [] } = (run.facts?.process ?? {}) as { pid?: number; entry?: string; argv?: string[] };
  const stops = await toolStopsOf(run);
  const hindrances: Hindrance[] = [
    ...stops,
    ...leaks.filter(isRefused).map((leak) => ({
      kind: leak.kind,
      what: effectName(leak),
      ...(continuesAfterRefusal(leak) ? { stops: false, refused: true as const } : { stops: true }),
      next: WRAP,
    })),
    ...leaks
      .filter(({ kind }) => kind === "stdin")
      .map((leak) => ({
        kind: leak.kind,
        what: `${effectName(leak)}: a replay reads its own`,
        stops: false,
        next: INPUT,
      })),
    ...leaks.filter(isNativeCode).map((leak) => ({
      kind: leak.kind,
      what: `${effectName(leak)}: a replay runs it again`,
      stops: false,
      next: WRAP,
    })),
  ];
  return {
    hindrances,
    options: stops.length > 0 ? " --allow-unrecorded-tools" : "",
    pid: pid ?? null,
    program: entry === undefined ? null : ["node", entry, ...argv],
  };
}

const INPUT = "give the replay the same input, or ask with input() of @reenact/node";

/** The replay package is loaded only where a run needs its judgement. */
async function toolStopsOf(run: Envelope): Promise<Hindrance[]> {
  if (run.foreign || unrecordedTools(run).calls === 0) return [];
  const { tapeOf, toolStops } = await import("@reenact/replay");
  return toolStops(tapeOf(run)).map(({ tools, effects }) => ({
    kind: "unrecorded-tool",
    what: `tool ${oneLine(tools.join(", "), 60)}, made without tool(): ${oneLine(effects.slice(0, 2).join(", "), 80)}`,
    stops: true,
    next: WRAP,
  }));
}
