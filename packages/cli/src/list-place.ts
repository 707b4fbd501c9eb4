import { CliError } from "./cli-error.ts";
import type { RunRow } from "./run-row.ts";

/** A run in a list, newest start first: what is behind it is the next page. */
export interface ListPlace {
  /** milliseconds since the epoch */
  readonly started: number;
  readonly run: string;
}

/** As a collector orders its runs. */
export function byPlace(one: ListPlace, other: ListPlace): number {
  if (one.started !== other.started) return other.started - one.started;
  return one.run === other.run ? 0 : one.run < other.run ? -1 : 1;
}

export const placeOfRow = ({ started, run }: Pick<RunRow, "started" | "run">): ListPlace => ({
  started: Date.parse(started),
  run,
});

/** For `--after`. */
export const placeText = (row: RunRow): string => `${Date.parse(row.started)}-${row.run}`;

export function readPlace(text: string): ListPlace {
  const [, started, run] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(text) ?? [];
  if (started === undefined || run === undefined)
    throw new CliError(
      "REEN-USAGE",
      `--after ${text} is no place in this list: a collector's own pages need its --server`,
      "leave --after away, or take `next` of the page before",
    );
  return { started: Number(started), run };
}
