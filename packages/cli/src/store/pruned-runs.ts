import { isReplay, type RunFile } from "./run-files.ts";

export interface PruneRule {
  /** milliseconds since a run began */
  readonly olderThan?: number;
  /** so many of the newest runs that are no replays stay */
  readonly keepLast?: number;
  /** nothing but replays is deleted */
  readonly replays?: boolean;
  /** also what failed, was flagged or is kept */
  readonly all?: boolean;
}

/**
 * The runs of a store that a rule deletes. Of a process with several runs all stay where one stays, since a replay needs them
 * together.
 *
 * @param runs newest first
 * @param now milliseconds since the epoch
 */
export function prunedRuns(runs: readonly RunFile[], rule: PruneRule, now: number): RunFile[] {
  const newest = new Set(runs.filter((run) => !isReplay(run.manifest)).slice(0, rule.keepLast ?? 0));
  const stays = (run: RunFile): boolean =>
    newest.has(run) ||
    (rule.replays === true && !isReplay(run.manifest)) ||
    (rule.all !== true && isKept(run)) ||
    (rule.olderThan !== undefined && now - startedMs(run) <= rule.olderThan);
  const kept = new Set(runs.filter(stays).flatMap(({ manifest }) => manifest.instance ?? []));
  return runs.filter((run) => !stays(run) && !kept.has(run.manifest.instance ?? ""));
}

/** A replay that failed has only done again what was recorded: its record stays. */
function isKept(run: RunFile): boolean {
  const { header, manifest } = run;
  if (manifest.flags.length > 0) return true;
  return !isReplay(run.manifest) && (header.class === "keep" || header.status !== "ok");
}

const startedMs = ({ manifest }: RunFile): number => Number(BigInt(manifest.started) / 1_000_000n);
