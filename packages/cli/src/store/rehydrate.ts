import { CliError } from "../errors/cli-error.ts";
import { importFile } from "./import-file.ts";
import { openRunImporter } from "./run-importer.ts";
import type { RemoteRun, RemoteRuns } from "../remote/remote-runs.ts";

export interface Rehydrated {
  /** the one that was asked for */
  readonly run: string;
  /** all that came: those that belong to it, oldest first, and it */
  readonly runs: readonly string[];
  /** runs that belong to it and are not there any more */
  readonly skipped: readonly { readonly run: string; readonly why: string }[];
  /** how many belong to it beyond the limit */
  readonly left: number;
}

/** So many runs beside the one that was asked for come at most, those that started nearest to it: a server has one process. */
const MOST_RELATED = 100;

/** What may be missing of the runs beside the one that was asked for. */
const GONE: readonly string[] = ["REEN-NO-RUN", "REEN-EXPIRED", "REEN-PACK-MISSING"];

/**
 * Brings a run into the local store, and (unless `only`) the earlier ones of its session and the others of its process.
 * Every digest is checked before any of them is there.
 */
export async function rehydrate(
  store: string,
  from: RemoteRuns,
  run: RemoteRun,
  options: { only?: boolean } = {},
): Promise<Rehydrated> {
  const importer = openRunImporter(store);
  const skipped: { run: string; why: string }[] = [];
  try {
    const related = options.only === true ? [] : await from.related(run);
    const away = ({ started }: RemoteRun): number => Math.abs(started - run.started);
    const near = new Set(related.toSorted((a, b) => away(a) - away(b)).slice(0, MOST_RELATED));
    for (const each of related) {
      if (!near.has(each)) continue;
      try {
        importer.add(await from.envelope(each), from.place, each.run);
      } catch (error) {
        if (!(error instanceof CliError) || !GONE.includes(error.code)) throw error;
        skipped.push({ run: each.run, why: error.message });
      }
    }
    importer.add(await from.envelope(run), from.place, run.run);
    return { run: run.run, runs: importer.commit(), skipped, left: related.length - near.size };
  } finally {
    importer.drop();
  }
}

/** The same from a file; the run is the last in it. */
export function rehydrateFile(store: string, file: string): Rehydrated {
  const importer = openRunImporter(store);
  try {
    const runs = importFile(importer, file);
    importer.commit();
    return { run: runs.at(-1)!, runs, skipped: [], left: 0 };
  } finally {
    importer.drop();
  }
}
