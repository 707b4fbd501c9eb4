import { readFileSync } from "node:fs";
import { readEnvelope } from "@reenact/envelope/file";
import { oneLine, type RunRow, runRow } from "@reenact/view";
import { messageOf } from "../errors/cli-error.ts";
import { installed } from "../process/installed.ts";
import type { RunsQuery } from "../remote/remote-runs.ts";
import { isListed, listRuns, newestRuns, type RunFile, runPaths } from "./run-files.ts";
import { isUnderWay } from "./under-way.ts";

type Fits = (run: RunFile) => boolean;

/** Stores of at most so many runs are read whole: then it is known how many there are. */
const FEW = 1000;
/** Damaged files that have a line of their own; the others are a number. */
const MOST_TOLD = 5;

export interface LocalRows {
  /** newest start first */
  readonly rows: RunRow[];
  /** whether these are all; else there are more than were wanted */
  readonly all: boolean;
}

interface Enough {
  readonly count: number;
  readonly isNeeded: (row: RunRow) => boolean;
}

/**
 * The runs of the local store that `query` selects. With `enough` reading stops after `count` rows for which `isNeeded` is true. `told`:
 * paths of damaged files that were reported before; new ones are added.
 */
export async function localRows(
  store: string,
  query: RunsQuery,
  told: Set<string>,
  enough?: Enough,
): Promise<LocalRows> {
  let untold = 0;
  const tell = (path: string, error: unknown) => {
    if (told.has(path)) return;
    told.add(path);
    if (told.size > MOST_TOLD) return void untold++;
    process.stderr.write(
      `reenact: ${oneLine(`cannot read ${path}: ${messageOf(error)}. Next: reenact doctor`, 400)}\n`,
    );
  };
  try {
    return await readRows(store, query, tell, enough);
  } finally {
    if (untold > 0)
      process.stderr.write(`reenact: ${untold} more files of the store cannot be read. Next: reenact doctor\n`);
  }
}

async function readRows(
  store: string,
  query: RunsQuery,
  tell: (path: string, error: unknown) => void,
  enough: Enough | undefined,
): Promise<LocalRows> {
  const expression = query.filter === undefined ? null : await expressionOf(query.filter);
  const isWanted = (run: RunFile): boolean => {
    try {
      return fits(run, query) && (expression === null || expression(run));
    } catch (error) {
      tell(run.path, error);
      return false;
    }
  };
  const paths = runPaths(store);
  const most = enough === undefined || paths.length <= FEW ? Infinity : enough.count;
  const rows: RunRow[] = [];
  let needed = 0;
  for (const run of newestRuns(paths, tell)) {
    if (!isWanted(run)) continue;
    const row = runRow(run);
    rows.push(row);
    if (enough?.isNeeded(row) !== false && ++needed >= most) return { rows, all: false };
  }
  return { rows, all: true };
}

/** How many there are, whatever they are. */
export const localCount = (store: string): number =>
  listRuns(store).runs.filter(({ manifest }) => isListed(manifest)).length;

/** A filter means here what it means in a collector, whose package reads it. */
async function expressionOf(filter: string): Promise<Fits> {
  const { fitsEnvelope, parseFilter } = await installed(
    () => import("@reenact/collector"),
    "filter expressions are read by the collector's package, which is not installed",
    "npm install @reenact/collector, or use --status, --user, --session and --at",
  );
  const parsed = parseFilter(filter);
  return ({ path, header, manifest }) => {
    const spans = () => readEnvelope(readFileSync(path)).spans;
    return fitsEnvelope(parsed, manifest, { class: header.class, spans });
  };
}

function fits({ header, manifest }: RunFile, { statuses, user, session, between, replays }: RunsQuery): boolean {
  return (
    (replays || isListed(manifest)) &&
    (statuses?.includes(header.status) ?? true) &&
    (user === undefined || manifest.user === user) &&
    (session === undefined || manifest.session === session) &&
    (between === undefined || isUnderWay(manifest, between))
  );
}
