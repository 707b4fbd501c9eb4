import { constants } from "node:fs";
import { dirname, sep } from "node:path";
import type { ErrorFixture } from "./error-fixture.ts";
import type { Overlay } from "./overlay.ts";
import type { PresentPath, ResolvedPath } from "./resolved-path.ts";
import type { RedirectedPath } from "./plan.ts";
import { redirect, changing, making, reading, realPath } from "./redirected-path.ts";

interface RedirectedPair {
  from: RedirectedPath | null;
  to: RedirectedPath | null;
}

/** `fs.rename`. Calls that must fail are made between error fixtures, so that nothing is copied for them. */
export function renaming(overlay: Overlay, from: string, to: string): RedirectedPair {
  const source = overlay.locate(from, false);
  const target = overlay.locate(to, false);
  if (source.state === "foreign") {
    if (target.state === "foreign") return { from: redirect(overlay, source, from), to: redirect(overlay, target, to) };
    const onto = target.state === "absent" ? making(overlay, target) : { real: realPath(overlay, target) };
    return { from: redirect(overlay, source, from), to: onto };
  }
  if (source.state !== "present") return renamingNothing(overlay, source, target);
  const folder = source.entry.stats.isDirectory();
  if (target.state === "foreign") return { from: copied(overlay, source, folder), to: redirect(overlay, target, to) };
  if (target.state !== "present" && target.state !== "absent")
    return { from: { real: overlay.errorFixture(folder ? "empty" : "file") }, to: { real: realPath(overlay, target) } };
  const failure = failing(overlay, source, target, folder);
  if (failure !== null) {
    const [a, b] = failure;
    return {
      from: { real: overlay.errorFixture(a) + source.slash },
      to: { real: overlay.errorFixture(b) + target.slash },
    };
  }
  return moving(overlay, source, target, folder);
}

/** What is wrong with the target may come first. */
function renamingNothing(
  overlay: Overlay,
  source: Exclude<ResolvedPath, { state: "present" | "foreign" }>,
  target: ResolvedPath,
): RedirectedPair {
  const onto =
    target.state === "present" || target.state === "absent"
      ? overlay.errorFixture(target.slash === "/." ? "full" : "full/new") + target.slash
      : realPath(overlay, target);
  const absent = (): string => overlay.errorFixture("absent") + source.slash;
  return { from: { real: source.state === "absent" ? absent() : realPath(overlay, source) }, to: { real: onto } };
}

/** Two fixtures between which Node fails as it would between these; null if it succeeds. */
function failing(
  overlay: Overlay,
  source: PresentPath,
  target: ResolvedPath,
  folder: boolean,
): [ErrorFixture, ErrorFixture] | null {
  const stand: ErrorFixture = folder ? "empty" : "file";
  if (source.slash === "/." || target.slash === "/.") return [stand, target.slash === "/." ? "full" : "absent"];
  if (target.logical === source.logical) return ["empty", "empty"];
  if (source.logical.startsWith(target.logical + sep)) return [folder ? "full/within" : "full/file", "full"];
  if (folder && target.logical.startsWith(source.logical + sep)) return ["full", "full/new"];
  if (target.state !== "present") return null;
  const onto = target.entry.stats.isDirectory();
  if (onto !== folder) return [stand, onto ? "empty" : "file"];
  return onto && overlay.children(target.logical).size > 0 ? ["empty", "full"] : null;
}

function moving(overlay: Overlay, source: PresentPath, target: ResolvedPath, folder: boolean): RedirectedPair {
  overlay.claim(dirname(source.logical));
  overlay.claim(dirname(target.logical));
  const moved = copied(overlay, source, folder);
  if (folder) overlay.expectModules();
  const before = overlay.isHidden(target.logical);
  if (target.state === "present" && folder) overlay.mirror(target.logical);
  overlay.hide(target.logical);
  overlay.note(target.logical);
  const failed = (): void => (before ? undefined : overlay.reveal(target.logical));
  return { from: moved, to: { real: overlay.upperOf(target.logical) + target.slash, failed } };
}

function copied(overlay: Overlay, resolved: PresentPath, whole: boolean): RedirectedPath {
  const { logical, slash, entry } = resolved;
  const upper = whole ? overlay.copyTree(logical, entry) : overlay.copyUp(logical, entry);
  overlay.note(logical);
  return { real: upper + slash };
}

/** `fs.link`. */
export function linking(overlay: Overlay, from: string, to: string): RedirectedPair {
  const source = overlay.locate(from, false);
  const target = overlay.locate(to, false);
  const onto = {
    real:
      target.state === "present"
        ? overlay.errorFixture(target.entry.stats.isDirectory() ? "empty" : "file") + target.slash
        : realPath(overlay, target),
  };
  if (source.state === "foreign")
    return { from: redirect(overlay, source, from), to: target.state === "absent" ? making(overlay, target) : onto };
  if (source.state !== "present")
    return { from: { real: realPath(overlay, source) }, to: { real: overlay.errorFixture("absent") } };
  if (source.entry.stats.isDirectory())
    return {
      from: { real: overlay.errorFixture("full") },
      to: target.state === "absent" ? { real: overlay.errorFixture("absent") } : onto,
    };
  if (target.state === "foreign")
    return { from: { real: realPath(overlay, source) }, to: redirect(overlay, target, to) };
  if (target.state !== "absent") return { from: { real: overlay.errorFixture("full/file") }, to: onto };
  // writing through one name must show through the other
  return { from: copied(overlay, source, false), to: making(overlay, target) };
}

/** `fs.symlink`: the target is only text. */
export function linkingByName(overlay: Overlay, to: string): RedirectedPath | null {
  return changing(overlay, to, { follow: false, create: true, exclusive: true, content: true });
}

/** `fs.copyFile`. */
export function copying(overlay: Overlay, from: string, to: string, mode: unknown): RedirectedPair {
  const source = overlay.locate(from, true);
  if (source.state !== "present" && source.state !== "foreign")
    return { from: { real: realPath(overlay, source) }, to: { real: overlay.errorFixture("absent") } };
  const exclusive = typeof mode === "number" && (mode & constants.COPYFILE_EXCL) !== 0;
  const target = changing(overlay, to, { follow: !exclusive, create: true, exclusive, content: true });
  // looked up again: the two may be one file, which has a copy by now
  return { from: reading(overlay, from, true), to: target };
}
