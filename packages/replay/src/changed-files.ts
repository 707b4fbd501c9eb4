import { disk } from "./scratch/disk.ts";
import type { Tape } from "./tape.ts";

const MOST = 5;
const GONE = "gone, or never there";
/** whoever opens one reads it, too */
const DATABASE = "database ";

/** A line on files that the recorded run read and that are others by now; null if there are none. Their bytes are in no record. */
export function changedFiles({ started, root: { leaks = [] } }: Tape): string | null {
  if (started === undefined) return null;
  const written = new Map(leaks.filter(({ kind }) => kind === "write").map(({ target, at }) => [target, at]));
  const changed = leaks
    .filter(
      ({ kind, target, at }) =>
        target.startsWith(DATABASE) || (kind === "read" && at < (written.get(target) ?? Infinity)),
    )
    .map(({ target }) => target.replace(DATABASE, ""))
    .map((target) => ({ target, how: changeOf(target, started) }))
    .filter(({ how }) => how !== null)
    // many a library looks for files that are not there
    .sort((a, b) => Number(a.how === GONE) - Number(b.how === GONE));
  if (changed.length === 0) return null;
  const named = changed.slice(0, MOST).map(({ target, how }) => `${target} (${how})`);
  const more = changed.length > MOST ? ` and ${changed.length - MOST} more` : "";
  return `files that it reads are not as they were when the recorded run began: ${named.join(", ")}${more}`;
}

function changeOf(path: string, since: number): string | null {
  try {
    const { mtimeMs } = disk.statSync(path);
    return mtimeMs > since ? `written ${new Date(mtimeMs).toISOString().slice(0, 19)}Z` : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? GONE : null;
  }
}
