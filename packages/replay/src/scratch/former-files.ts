import { permissionsOf } from "@reenact/capture/recorder";
import type { FileFact } from "@reenact/node";
import type { PlacesHere } from "./places-here.ts";
import type { FormerFile } from "./scratch.ts";
import { disk } from "./disk.ts";

/** What a recorded run found at a path before it wrote there. */
export type FormerFact = Pick<
  FileFact,
  "path" | "state" | "before" | "depends" | "appended" | "permissions" | "permissionsOnly"
>;

export interface FormerFiles {
  readonly files: readonly FormerFile[];
  /** recorded paths of these */
  readonly names: readonly string[];
  /** lines about what is not in the record, where another content lies here */
  readonly missing: readonly string[];
}

/** A file that was only added to begins with what it held before: so much of it is copied. */
const MOST_COPIED = 16 * 1024 * 1024;

/**
 * Files as they were when the recorded runs began, where they are others by now: the runs have rewritten, moved or
 * removed them. `originals`: contents as the vault has them, by recorded path. `wasRead`: the runs have read the path.
 */
export function formerFiles(
  facts: readonly FormerFact[],
  placesHere: PlacesHere,
  originals: Readonly<Record<string, string>>,
  wasRead: (place: string) => boolean,
): FormerFiles {
  const files: FormerFile[] = [];
  const names: string[] = [];
  const missing: string[] = [];
  const seen = new Set<string>();
  for (const fact of facts) {
    // the first run that wrote it has seen it as it was
    if (seen.has(fact.path)) continue;
    seen.add(fact.path);
    if (fact.before.state === "folder" && fact.state !== "folder")
      missing.push(`${fact.path}: a folder that the recorded run removed or moved; what lay in it is not put back`);
    if (fact.before.state !== "file") continue;
    const places = placesHere(fact.path);
    const bytes = contentOf(fact, originals);
    const other = places.flatMap((path) => formerAt(path, fact, bytes));
    if (other.length > 0) names.push(fact.path);
    files.push(...other);
    if (bytes === null && isMissed(fact, places, wasRead))
      missing.push(
        `${fact.path}: what it held before the recorded run wrote it (${fact.before.bytes ?? 0} bytes) is not in the record; the program finds it as it lies here`,
      );
  }
  return { files, names, missing };
}

/** What is to be shown at a place instead of the file that lies there; at most one. */
function formerAt(path: string, fact: FormerFact, bytes: Buffer | null): FormerFile[] {
  // other permissions that the run has left alone are this machine's own
  const changed = fact.permissions === fact.before.permissions ? undefined : fact.before.permissions;
  const permissions = changed === undefined ? {} : { permissions: changed };
  const arePermissionsHere = changed === undefined || hasPermissions(path, changed);
  if (bytes !== null) return holds(path, bytes) && arePermissionsHere ? [] : [{ path, bytes, ...permissions }];
  if (fact.appended === true) return beginning(path, fact).map((file) => ({ ...file, ...permissions }));
  if (arePermissionsHere || fact.permissionsOnly !== true) return [];
  const stats = disk.statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MOST_COPIED) return [];
  return [{ path, bytes: disk.readFileSync(path), ...permissions }];
}

function hasPermissions(path: string, permissions: number): boolean {
  const stats = disk.statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && permissionsOf(stats) === permissions;
}

function contentOf({ path, before }: FormerFact, originals: Readonly<Record<string, string>>): Buffer | null {
  const text = originals[path] ?? before.content;
  if (text !== undefined) return Buffer.from(text);
  return before.base64 === undefined ? null : Buffer.from(before.base64, "base64");
}

function holds(path: string, bytes: Buffer): boolean {
  const stats = disk.statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === bytes.length && disk.readFileSync(path).equals(bytes);
}

function beginning(path: string, { before: { bytes = 0 } }: FormerFact): FormerFile[] {
  const stats = disk.statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size <= bytes || bytes > MOST_COPIED || stats.size > 4 * MOST_COPIED) return [];
  return [{ path, bytes: disk.readFileSync(path).subarray(0, bytes) }];
}

/** Whether a content that the record lacks may matter: not where the program has only written over it. */
function isMissed(fact: FormerFact, places: readonly string[], wasRead: (place: string) => boolean): boolean {
  const { before, depends, appended, state } = fact;
  if (fact.permissionsOnly === true) return false;
  const canMatter = depends === true || state === "absent" || places.some(wasRead);
  if (!canMatter) return false;
  return !(appended === true && (before.bytes ?? 0) <= MOST_COPIED);
}
