import { isUint8Array } from "node:util/types";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import { pathText } from "./plan.ts";
import { aside, changing, standing } from "./spot.ts";

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
  const href =
    typeof given === "object" && given !== null && !isUint8Array(given) && "href" in given ? String(given.href) : null;
  const name = href ?? (isUint8Array(given) ? pathText(given) : given);
  if (typeof name !== "string" || name === "" || name === ":memory:") return given;
  const parts = uri || href !== null ? URI.exec(name) : null;
  if (parts === null) return copyOf(overlay, name, readOnly) ?? given;
  const [, path = "", query = ""] = parts;
  const parameters = new URLSearchParams(query);
  const decoded = decodeURIComponent(path);
  if (decoded === "" || decoded === ":memory:" || parameters.get("mode") === "memory") return given;
  const copy = copyOf(overlay, decoded, readOnly || parameters.get("mode") === "ro" || parameters.has("immutable"));
  return copy === null ? given : `file:${encodeURI(copy).replaceAll("?", "%3F").replaceAll("#", "%23")}${query}`;
}

/** Null: the original itself is opened. */
function copyOf(overlay: Overlay, path: string, readOnly: boolean): string | null {
  const place = overlay.locate(path, true);
  if (place.state === "foreign") return aside(overlay, place, path)?.real ?? null;
  const lower = place.state === "present" && place.entry.layer === "lower";
  if (readOnly && !lower) return standing(overlay, place);
  if (readOnly && !readingWrites(place.logical)) return null;
  const spot = changing(overlay, path, { follow: true, create: true, exclusive: false, content: false });
  if (lower) {
    for (const suffix of BESIDE) {
      const beside = overlay.look(place.logical + suffix);
      if (beside?.layer === "lower" && beside.stats.isFile()) overlay.copyUp(place.logical + suffix, beside);
    }
  }
  return spot?.real ?? null;
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
