import { dirname } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { PresentPlace } from "./place.ts";
import type { Spot } from "./plan.ts";
import { aside } from "./spot.ts";

/** `fs.unlink`. */
export function unlinking(overlay: Overlay, text: string): Spot | null {
  const place = overlay.locate(text, false);
  if (place.state !== "present") return aside(overlay, place, text);
  if (place.slash === "/.") return { real: `${overlay.effigy("empty")}/.` };
  return place.entry.stats.isDirectory()
    ? { real: overlay.effigy("full") + place.slash }
    : removingFile(overlay, place);
}

/** `fs.rmdir`. */
export function removingFolder(overlay: Overlay, text: string): Spot | null {
  const place = overlay.locate(text, false);
  if (place.state !== "present") return aside(overlay, place, text);
  if (place.slash === "/.") return { real: `${overlay.effigy("empty")}/.` };
  if (!place.entry.stats.isDirectory()) return { real: overlay.effigy("file") };
  return overlay.children(place.logical).size > 0
    ? { real: overlay.effigy("full") + place.slash }
    : removingTree(overlay, place);
}

/** `fs.rm`. */
export function removing(overlay: Overlay, text: string, recursive: boolean): Spot | null {
  const place = overlay.locate(text, false);
  if (place.state !== "present") return aside(overlay, place, text);
  if (place.slash === "/.") return { real: `${overlay.effigy("empty")}/.` };
  if (!place.entry.stats.isDirectory()) return removingFile(overlay, place);
  return recursive ? removingTree(overlay, place) : { real: overlay.effigy("full") + place.slash };
}

function removingFile(overlay: Overlay, { logical, slash, entry }: PresentPlace): Spot {
  overlay.claim(dirname(logical));
  overlay.note(logical);
  const upper = overlay.upperOf(logical);
  if (entry.layer === "upper") return { real: upper + slash };
  // no bytes are copied only to be removed
  disk.writeFileSync(upper, "");
  overlay.hide(logical);
  return {
    real: upper + slash,
    failed() {
      disk.rmSync(upper, { force: true });
      overlay.reveal(logical);
    },
  };
}

function removingTree(overlay: Overlay, { logical, slash }: PresentPlace): Spot {
  overlay.claim(dirname(logical));
  overlay.note(logical);
  const upper = overlay.mirror(logical);
  const before = overlay.isHidden(logical);
  overlay.hide(logical);
  return { real: upper + slash, failed: () => (before ? undefined : overlay.reveal(logical)) };
}
