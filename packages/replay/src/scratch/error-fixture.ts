import { join } from "node:path";
import { disk } from "./disk.ts";

/**
 * Entries that stand in for what a call would meet, so that the file system itself gives the error that the program
 * expects and nothing of the tree is touched.
 * - `absent` never exists · `empty` an empty folder · `full` a folder with the folder `within` and the file `file`
 * - `scrap` a file that may be overwritten
 * - `file` an empty file · `under` a path below that file · `loop` a link to itself · `gone` a link to nothing
 */
export type ErrorFixture =
  | "absent"
  | "empty"
  | "full"
  | "full/within"
  | "full/file"
  | "full/new"
  | "file"
  | "under"
  | "loop"
  | "gone"
  | "scrap";

export function errorFixture(folder: string, kind: ErrorFixture): string {
  const base = join(folder, "error-fixtures");
  if (disk.lstatSync(base, { throwIfNoEntry: false }) === undefined) {
    disk.mkdirSync(join(base, "full", "within"), { recursive: true });
    disk.mkdirSync(join(base, "empty"));
    disk.writeFileSync(join(base, "file"), "");
    disk.writeFileSync(join(base, "full", "file"), "");
    disk.symlinkSync("loop", join(base, "loop"));
    disk.symlinkSync("absent", join(base, "gone"));
  }
  return kind === "under" ? join(base, "file", "under") : join(base, kind);
}
