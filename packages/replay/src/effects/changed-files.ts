import fs from "node:fs";
import { errorCode } from "@reenact/envelope";
import { live } from "@reenact/capture/recorder";
import { disk } from "../scratch/disk.ts";
import type { Tape } from "../tape/tape.ts";
import { listed } from "../verdict/listed.ts";

const MOST = 5;
const GONE = "";
/** opening one reads it, too */
const DATABASE = "database ";
/** what the system makes up while it is read */
const MADE_UP = /^\/(?:proc|sys|dev)\//;
const MOST_BYTES = 1e6;

/**
 * A line on files that the recorded run read and that are others by now; null if there are none. Their bytes are in no
 * record. `requestDiffers`: a value in a request is to blame already. `asRecorded`: files that the program found as the
 * recorded run did.
 */
export function changedFiles(
  { started, root: { leaks = [] } }: Tape,
  requestDiffers: boolean,
  asRecorded: ReadonlySet<string> = new Set(),
): string | null {
  if (started === undefined) return null;
  const written = new Map(leaks.flatMap(({ kind, target, at }) => (kind === "write" ? [[nameOf(target), at]] : [])));
  const found = leaks
    .filter(
      ({ kind, target }) =>
        (kind === "read" || target.startsWith(DATABASE)) && !MADE_UP.test(target) && !asRecorded.has(target),
    )
    .map(({ kind, target: named, at }) => {
      const target = nameOf(named);
      const how = changeOf(target, started);
      // what the run itself has made was not there when it began, and has its own bytes
      const own = at >= (written.get(target) ?? Infinity);
      const same = own && (how === GONE || (kind === "read" && !isAddedTo(target)));
      return { target, how: same ? null : how };
    })
    .filter(({ how }) => how !== null);
  const changed = found.filter(({ how }) => how !== GONE);
  if (changed.length === 0 && (found.length === 0 || requestDiffers)) return null;
  const named = (changed.length > 0 ? changed : found).map(({ target, how }) => target + how);
  const what =
    changed.length > 0
      ? "files that it reads are not as they were when the recorded run began"
      : // many a library looks for files that are not there, and the record does not say whether they were
        "files that it looks for are gone, or were never there";
  return `${what}: ${listed(named, MOST)}`;
}

const nameOf = (target: string): string => target.replace(DATABASE, "");

function changeOf(path: string, since: number): string | null {
  try {
    const { mtimeMs } = disk.statSync(path);
    return mtimeMs > since ? ` (written ${new Date(mtimeMs).toISOString().slice(0, 19)}Z)` : null;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? GONE : null;
  }
}

/** Whether the replay's own copy begins with the file as it lies on the disk: the recorded run, too, has added to it. */
function isAddedTo(path: string): boolean {
  try {
    const { size } = disk.statSync(path);
    if (size === 0 || size > MOST_BYTES) return false;
    const copy = fs.readFileSync(path);
    // Node opens it through the program's own door, which leads to the copy
    return copy.length > size && copy.subarray(0, size).equals(live(() => disk.readFileSync(path)));
  } catch {
    return false;
  }
}
