import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { FileBody } from "../store/object-store.ts";
import { SPOOLED } from "./pack-intents.ts";

/** Takes what is too large for memory, piece by piece. */
export interface SpillFile {
  write(piece: Uint8Array): void;
  /** Nothing more comes; the file is the caller's. */
  end(): FileBody;
  remove(): void;
}

/** Creates a file in the folder of unfinished packs, which is emptied at each start. It need not be durable. */
export function createSpillFile(folder: string): SpillFile {
  const path = join(folder, randomUUID() + SPOOLED);
  const file = openSync(path, "wx", 0o600);
  let length = 0;
  return {
    write(piece) {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at, piece.length - at);
      length += piece.length;
    },
    end() {
      closeSync(file);
      return { path, length };
    },
    remove() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
