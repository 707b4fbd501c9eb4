import { constants, type Stats } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { ResolvedPath } from "./resolved-path.ts";
import type { RedirectedPath } from "./plan.ts";

/** Where the bytes of a path are, or a path at which the file system gives the error that belongs to it. */
export function realPath(overlay: Overlay, resolved: ResolvedPath): string {
  switch (resolved.state) {
    case "foreign":
      return resolved.logical + resolved.slash;
    case "present":
      return (resolved.entry.layer === "upper" ? overlay.upperOf(resolved.logical) : resolved.logical) + resolved.slash;
    case "absent":
    case "lost":
      return overlay.upperOf(resolved.logical) + resolved.slash;
    case "astray":
      return join(overlay.errorFixture("absent"), "under");
    case "blocked":
      return overlay.errorFixture("under");
    case "loop":
      // a call that removes the link itself would not fail
      return join(overlay.errorFixture("loop"), "under");
  }
}

/** As `realPath`; null if that is where the program itself would look. */
export function redirect(overlay: Overlay, resolved: ResolvedPath, text: string): RedirectedPath | null {
  // a relative path is no longer where the operating system would look for it
  const moved = overlay.workingFolder !== null && !isAbsolute(text);
  const real = realPath(overlay, resolved);
  if (moved) return { real };
  if (resolved.state === "foreign" && resolved.direct) return null;
  // with `..` the program's words may lead through a folder that only the scratch copy has
  return real === text || (!text.includes("..") && real === resolve(text)) ? null : { real };
}

/** A path that is read. */
export function reading(overlay: Overlay, text: string, follow: boolean): RedirectedPath | null {
  return overlay.pristine ? null : lookup(overlay, overlay.locate(text, follow), text);
}

/** As `redirect`, for a call that only reads: the original tree itself gives the error of a path that it never had. */
export function lookup(overlay: Overlay, resolved: ResolvedPath, text: string): RedirectedPath | null {
  const untouched =
    resolved.state !== "present" &&
    resolved.state !== "foreign" &&
    resolved.state !== "astray" &&
    // the file on the way may be one that only the scratch copy has
    resolved.state !== "blocked" &&
    !overlay.isHidden(resolved.logical);
  if (!untouched || text.includes("..")) return redirect(overlay, resolved, text);
  return resolved.logical + resolved.slash === text ? null : { real: resolved.logical + resolved.slash };
}

export interface Change {
  follow: boolean;
  /** may make the entry if it is not there */
  create: boolean;
  /** fails on an entry that is there */
  exclusive: boolean;
  /** changes bytes, which folders do not have; otherwise mode, owner or times */
  content: boolean;
}

/** A path at which a file is written or made, or attributes are set: the first access copies the original. */
export function changing(
  overlay: Overlay,
  text: string,
  { follow, create, exclusive, content }: Change,
): RedirectedPath | null {
  const resolved = overlay.locate(text, follow);
  if (resolved.state === "absent" && create) return making(overlay, resolved);
  if (resolved.state === "foreign" && overlay.isDevice(resolved.logical))
    return { real: overlay.errorFixture("scrap") };
  if (resolved.state !== "present") return redirect(overlay, resolved, text);
  const { logical, slash, entry } = resolved;
  if (exclusive) return { real: overlay.errorFixture(entry.stats.isDirectory() ? "empty" : "file") + slash };
  if (content && entry.stats.isDirectory()) return { real: overlay.errorFixture("full") + slash };
  // the reader of the pipe is not in the record; a socket takes no bytes by its name
  if (isPipe(entry.stats)) return { real: entry.stats.isSocket() ? logical : overlay.errorFixture("scrap") };
  if (content && entry.layer === "lower") disk.accessSync(logical, constants.W_OK);
  const real = overlay.copyUp(logical, entry) + slash;
  overlay.note(logical);
  return { real };
}

/** A path at which there is nothing yet, in a folder that is there. */
export function making(overlay: Overlay, { logical, slash }: ResolvedPath): RedirectedPath {
  overlay.claim(dirname(logical));
  overlay.note(logical);
  return { real: overlay.upperOf(logical) + slash };
}

/** Pipes, sockets and devices have no bytes of their own to copy. */
export function isPipe(stats: Stats): boolean {
  return !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink();
}
