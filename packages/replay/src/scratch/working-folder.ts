import { isAbsolute, resolve } from "node:path";
import { named } from "../guard/named.ts";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";

/**
 * Lets the program change into a folder that only the scratch copy has: the process is in the copy then, `process.cwd()` is the
 * program's folder, and each relative path is looked up from there.
 */
export function redirectWorkingFolder(overlay: Overlay, applies: () => boolean): () => void {
  const { chdir, cwd } = process;
  process.chdir = named(chdir, (folder) => {
    const inCopy = applies() && typeof folder === "string" ? onlyInCopy(overlay, folder) : null;
    const { workingFolder: left } = overlay;
    const target = left === null || typeof folder !== "string" || isAbsolute(folder) ? folder : resolve(left, folder);
    Reflect.apply(chdir, process, [inCopy === null ? target : overlay.upperOf(inCopy)]);
    overlay.workingFolder = inCopy;
  });
  process.cwd = named(cwd, () => overlay.workingFolder ?? Reflect.apply(cwd, process, []));
  return () => {
    process.chdir = chdir;
    process.cwd = cwd;
  };
}

/** The path that the program knows of a folder that it has made; null: none, or the disk has it too. */
function onlyInCopy(overlay: Overlay, folder: string): string | null {
  if (overlay.pristine) return null;
  const found = overlay.locate(folder, true);
  if (found.state !== "present" || found.entry.layer !== "upper" || !found.entry.stats.isDirectory()) return null;
  const there = disk.statSync(found.logical, { throwIfNoEntry: false });
  return there?.isDirectory() === true ? null : found.logical;
}
