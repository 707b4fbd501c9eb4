import { dirname } from "node:path";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import type { PresentPath } from "./resolved-path.ts";
import type { RedirectedPath } from "./plan.ts";
import { redirect } from "./redirected-path.ts";

/** `fs.unlink`. */
export function unlinking(overlay: Overlay, text: string): RedirectedPath | null {
  const resolved = overlay.locate(text, false);
  if (resolved.state !== "present") return redirect(overlay, resolved, text);
  if (resolved.slash === "/.") return { real: `${overlay.errorFixture("empty")}/.` };
  return resolved.entry.stats.isDirectory()
    ? { real: overlay.errorFixture("full") + resolved.slash }
    : removingFile(overlay, resolved);
}

/** `fs.rmdir`. */
export function removingFolder(overlay: Overlay, text: string): RedirectedPath | null {
  const resolved = overlay.locate(text, false);
  if (resolved.state !== "present") return redirect(overlay, resolved, text);
  if (resolved.slash === "/.") return { real: `${overlay.errorFixture("empty")}/.` };
  if (!resolved.entry.stats.isDirectory()) return { real: overlay.errorFixture("file") };
  return overlay.children(resolved.logical).size > 0
    ? { real: overlay.errorFixture("full") + resolved.slash }
    : removingTree(overlay, resolved);
}

/** `fs.rm`. */
export function removing(overlay: Overlay, text: string, recursive: boolean): RedirectedPath | null {
  const resolved = overlay.locate(text, false);
  if (resolved.state !== "present") return redirect(overlay, resolved, text);
  if (resolved.slash === "/.") return { real: `${overlay.errorFixture("empty")}/.` };
  if (!resolved.entry.stats.isDirectory()) return removingFile(overlay, resolved);
  return recursive ? removingTree(overlay, resolved) : { real: overlay.errorFixture("full") + resolved.slash };
}

function removingFile(overlay: Overlay, { logical, slash, entry }: PresentPath): RedirectedPath {
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

function removingTree(overlay: Overlay, { logical, slash }: PresentPath): RedirectedPath {
  overlay.claim(dirname(logical));
  overlay.note(logical);
  const upper = overlay.mirror(logical);
  const before = overlay.isHidden(logical);
  overlay.hide(logical);
  return { real: upper + slash, failed: () => (before ? undefined : overlay.reveal(logical)) };
}
