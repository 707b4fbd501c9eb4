import { isUint8Array } from "node:util/types";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import { pathText } from "./plan.ts";
import { redirect, changing, realPath } from "./redirected-path.ts";

/** What SQLite keeps beside a database file. */
const BESIDE = ["-wal", "-shm", "-journal"];
/** `file:` with an optional authority, path, query, fragment. */
const URI = /^file:(?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/i;

/**
 * The scratch copy of a database file, as it is to be opened instead; made at the first access that may write.
 *
 * @param uri whether the driver reads names that begin with `file:` as SQLite's URIs
 */
export function databaseFile(overlay: Overlay, given: unknown, readOnly: boolean, uri: boolean): unknown {
  const href = hrefOf(given);
  const name = href ?? (isUint8Array(given) ? pathText(given) : given);
  if (typeof name !== "string" || name === "" || name === ":memory:") return given;
  const parts = uri || href !== null ? URI.exec(name) : null;
  if (parts === null) return copyOf(overlay, name, readOnly) ?? given;
  return copyOfUri(overlay, parts, readOnly) ?? given;
}

/** Null for anything but a URL. */
function hrefOf(given: unknown): string | null {
  if (typeof given !== "object" || given === null || isUint8Array(given)) return null;
  return "href" in given ? String(given.href) : null;
}

/** Null: the original itself is opened. */
function copyOfUri(overlay: Overlay, [, path = "", query = ""]: RegExpExecArray, readOnly: boolean): string | null {
  const parameters = new URLSearchParams(query);
  const decoded = decodeURIComponent(path);
  if (decoded === "" || decoded === ":memory:" || parameters.get("mode") === "memory") return null;
  const copy = copyOf(overlay, decoded, readOnly || parameters.get("mode") === "ro" || parameters.has("immutable"));
  return copy && `file:${encodeURI(copy).replaceAll("?", "%3F").replaceAll("#", "%23")}${query}`;
}

/** Null: the original itself is opened. */
function copyOf(overlay: Overlay, path: string, readOnly: boolean): string | null {
  const resolved = overlay.locate(path, true);
  if (resolved.state === "foreign") return redirect(overlay, resolved, path)?.real ?? null;
  const lower = resolved.state === "present" && resolved.entry.layer === "lower";
  if (readOnly && !lower) return realPath(overlay, resolved);
  if (readOnly && !readingWrites(resolved.logical)) return null;
  const redirected = changing(overlay, path, { follow: true, create: true, exclusive: false, content: false });
  if (lower) copyFilesBeside(overlay, resolved.logical);
  return redirected?.real ?? null;
}

function copyFilesBeside(overlay: Overlay, logical: string): void {
  for (const suffix of BESIDE) {
    const beside = overlay.look(logical + suffix);
    if (beside?.layer === "lower" && beside.stats.isFile()) overlay.copyUp(logical + suffix, beside);
  }
}

/** With a write-ahead log even a reader makes files beside the database. */
function readingWrites(file: string): boolean {
  let descriptor: number;
  try {
    descriptor = disk.openSync(file, "r");
  } catch {
    return false;
  }
  try {
    const header = Buffer.alloc(20);
    return disk.readSync(descriptor, header, 0, 20, 0) === 20 && header[18] === 2;
  } finally {
    disk.closeSync(descriptor);
  }
}
