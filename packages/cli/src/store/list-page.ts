import type { RunRow } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { localRows } from "./local-rows.ts";
import { openRemote } from "../remote/open-remote.ts";
import type { RemoteOptions } from "../remote/remote-options.ts";
import type { RemoteRuns, RunsPage, RunsQuery } from "../remote/remote-runs.ts";
import { standingServer } from "../remote/standing-server.ts";

/**
 * A page of the local store and the collector that stands beside it, as one list. A run that is in both is the one here.
 * `count`: of both, on the first page; while there are more, one that is in both may count twice.
 */
export async function listPage(
  options: RemoteOptions & { store: string },
  query: RunsQuery,
  told: Set<string>,
): Promise<RunsPage> {
  const cursor = query.after === undefined ? null : parseCursor(query.after);
  const up = standingServer(options.store);
  // what a collector has is compared with all runs here
  const enough = { count: query.limit + 1, isNeeded: (row: RunRow) => isBehind(row, cursor) };
  const { rows: here, all: allHere } = await localRows(options.store, query, told, up === null ? enough : undefined);
  const there = up === null ? null : await rowsThere(await openRemote(up, options), query, cursor, here);
  const behind = here.filter((row) => isBehind(row, cursor));
  const all = [...behind, ...(there?.rows ?? [])].toSorted((a, b) => byCursor(cursorOf(a), cursorOf(b)));
  const rows = all.slice(0, query.limit);
  const last = rows.at(-1);
  const more = all.length > rows.length && last !== undefined;
  const beside = there === null ? 0 : there.count;
  const count = !more ? all.length : beside === null || !allHere ? null : here.length + beside;
  return { rows, next: more ? cursorText(last) : null, count: cursor === null ? count : null };
}

const isBehind = (row: RunRow, cursor: PageCursor | null): boolean =>
  cursor === null || byCursor(cursor, cursorOf(row)) < 0;

/**
 * What a collector has behind a cursor and is not here, one more than a page holds. It is asked by time and not by its own
 * cursor, which knows nothing of the runs here.
 */
async function rowsThere(
  from: RemoteRuns,
  query: RunsQuery,
  cursor: PageCursor | null,
  here: readonly RunRow[],
): Promise<{ rows: RunRow[]; count: number | null }> {
  const ids = new Set(here.map(({ run }) => run));
  const wanted = query.limit + 1;
  const rows: RunRow[] = [];
  let after: string | undefined;
  let count: number | null = null;
  try {
    const own = query.filter === undefined || query.filter.trim() === "" ? "" : ` (${query.filter})`;
    const filter = cursor === null ? query.filter : `started<=${cursor.started}${own}`;
    do {
      const page = await from.list({ ...query, filter, limit: wanted, after });
      if (after === undefined) count = page.count;
      rows.push(...page.rows.filter((row) => !ids.has(row.run) && isBehind(row, cursor)));
      after = page.next ?? undefined;
    } while (after !== undefined && rows.length < wanted);
  } finally {
    from.close();
  }
  return { rows, count };
}

/** A run in a list, newest start first: what is behind it is the next page. */
interface PageCursor {
  /** milliseconds since the epoch */
  readonly started: number;
  readonly run: string;
}

/** As a collector orders its runs. */
function byCursor(one: PageCursor, other: PageCursor): number {
  if (one.started !== other.started) return other.started - one.started;
  return one.run === other.run ? 0 : one.run < other.run ? -1 : 1;
}

const cursorOf = ({ started, run }: Pick<RunRow, "started" | "run">): PageCursor => ({
  started: Date.parse(started),
  run,
});

/** For `--after`. */
const cursorText = (row: RunRow): string => `${Date.parse(row.started)}-${row.run}`;

function parseCursor(text: string): PageCursor {
  const [, started, run] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(text) ?? [];
  if (started === undefined || run === undefined)
    throw new CliError(
      "REEN-USAGE",
      `--after ${text} is no cursor in this list: a collector's own pages need its --server`,
      "leave --after away, or take `next` of the page before",
    );
  return { started: Number(started), run };
}
