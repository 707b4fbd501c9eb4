import { constants, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { Place } from "./place.ts";
import type { Spot } from "./plan.ts";

/** Where the bytes of a place are, or a path at which the file system gives the error that belongs to it. */
export function standing(overlay: Overlay, place: Place): string {
  switch (place.state) {
    case "foreign":
      return place.logical + place.slash;
    case "present":
      return (place.entry.layer === "upper" ? overlay.upperOf(place.logical) : place.logical) + place.slash;
    case "absent":
    case "lost":
      return overlay.upperOf(place.logical) + place.slash;
    case "astray":
      return join(overlay.effigy("absent"), "under");
    case "blocked":
      return overlay.effigy("under");
    case "loop":
      // the link itself is no loop to who removes it
      return join(overlay.effigy("loop"), "under");
  }
}

/** As `standing`; null if that is where the program itself would look. */
export function aside(overlay: Overlay, place: Place, text: string): Spot | null {
  if (place.state === "foreign" && place.direct) return null;
  const real = standing(overlay, place);
  // with `..` the program's words may lead through a folder that only the scratch copy has
  return real === text || (!text.includes("..") && real === resolve(text)) ? null : { real };
}

/** A path that is read. */
export function reading(overlay: Overlay, text: string, follow: boolean): Spot | null {
  return overlay.pristine ? null : seen(overlay, overlay.locate(text, follow), text);
}

/** As `aside`, for a call that can do no harm: the original itself says what is wrong with a path that it never had. */
export function seen(overlay: Overlay, place: Place, text: string): Spot | null {
  const untouched =
    place.state !== "present" &&
    place.state !== "foreign" &&
    place.state !== "astray" &&
    // the file on the way may be one that only the scratch copy has
    place.state !== "blocked" &&
    !overlay.isHidden(place.logical);
  if (!untouched || text.includes("..")) return aside(overlay, place, text);
  return place.logical + place.slash === text ? null : { real: place.logical + place.slash };
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
export function changing(overlay: Overlay, text: string, { follow, create, exclusive, content }: Change): Spot | null {
  const place = overlay.locate(text, follow);
  if (place.state === "absent" && create) return making(overlay, place);
  if (place.state === "foreign" && overlay.isDevice(place.logical)) return { real: overlay.effigy("scrap") };
  if (place.state !== "present") return aside(overlay, place, text);
  const { logical, slash, entry } = place;
  if (exclusive) return { real: overlay.effigy(entry.stats.isDirectory() ? "empty" : "file") + slash };
  if (content && entry.stats.isDirectory()) return { real: overlay.effigy("full") + slash };
  // who reads from the pipe is not in the record; a socket takes no bytes by its name
  if (isPipe(entry.stats)) return { real: entry.stats.isSocket() ? logical : overlay.effigy("scrap") };
  if (content && entry.layer === "lower") disk.accessSync(logical, constants.W_OK);
  const real = overlay.copyUp(logical, entry) + slash;
  overlay.note(logical);
  return { real };
}

/** A path at which there is nothing yet, in a folder that is there. */
export function making(overlay: Overlay, { logical, slash }: Place): Spot {
  overlay.claim(dirname(logical));
  overlay.note(logical);
  return { real: overlay.upperOf(logical) + slash };
}

/** Pipes, sockets and devices have no bytes of their own to copy. */
export function isPipe(stats: Stats): boolean {
  return !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink();
}
