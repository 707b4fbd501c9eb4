import { syncBuiltinESMExports } from "node:module";
import { redirectDatabases } from "./databases.ts";
import { redirectFiles } from "./files.ts";
import { realPath } from "./redirected-path.ts";
import { redirectModules } from "./modules.ts";
import { Overlay, type OverlayOptions } from "./overlay.ts";
import { redirectWorkingFolder } from "./working-folder.ts";

export interface ScratchOptions extends OverlayOptions {
  /** paths that the program does not see */
  hidden?: readonly string[];
  /** files that the program finds with these bytes */
  former?: readonly FormerFile[];
  /** whether the running code is the program's */
  applies(): boolean;
}

export interface FormerFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** permission bits, if not those that lie here */
  readonly permissions?: number;
}

export interface Scratch {
  undo(): void;
  /** where the bytes are that the program sees at a path; links are not followed */
  realPath(path: string): string;
  /** files that the program wrote, made or removed, and where each copy is; a removed one has none */
  copies(): { original: string; copy: string }[];
}

/**
 * From now on what the program writes, makes or removes in files and in SQLite databases is done to a copy in
 * `folder`, and it reads its own changes there; the originals are only ever read.
 */
export function installScratch(options: ScratchOptions): Scratch {
  const overlay = new Overlay(options);
  for (const path of options.hidden ?? []) overlay.hide(overlay.locate(path, false).logical);
  for (const { path, bytes, permissions } of options.former ?? []) {
    const resolved = overlay.locate(path, true);
    if (resolved.state !== "foreign") overlay.putBack(resolved.logical, bytes, permissions);
  }
  let installed = true;
  const applies = (): boolean => installed && options.applies();
  const undo = [
    redirectFiles(overlay, applies),
    redirectDatabases(overlay, applies),
    redirectModules(overlay, applies),
    redirectWorkingFolder(overlay, applies),
  ];
  syncBuiltinESMExports();
  return {
    copies: () => overlay.copies(),
    realPath: (path) => (overlay.pristine ? path : realPath(overlay, overlay.locate(path, false))),
    undo() {
      if (!installed) return;
      installed = false;
      for (const step of undo.reverse()) step();
      syncBuiltinESMExports();
    },
  };
}
