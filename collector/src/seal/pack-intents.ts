import { mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { open, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { piecesOf } from "../store/object-body.ts";
import type { FileBody, ObjectBody } from "../store/object-store.ts";

/**
 * Which packs may lie in the store and not yet in the catalog: a small file each, written before the pack is, removed
 * once its runs are in the catalog.
 */
export interface PackIntents {
  /** Brings a pack that is too large to copy in memory to a file, until `done`. */
  spool(key: string, parts: readonly ObjectBody[]): Promise<FileBody>;
  note(key: string): Promise<void>;
  done(key: string): Promise<void>;
  /** keys that a collector before this one noted and did not finish */
  left(): readonly string[];
}

export const SPOOLED = ".spooled";
const nameOf = (key: string) => key.replaceAll("/", "+");

export function openPackIntents(folder: string): PackIntents {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  for (const name of names) if (name.endsWith(SPOOLED)) unlinkSync(join(folder, name));
  const left = names.filter((name) => !name.endsWith(SPOOLED)).map((name) => name.replaceAll("+", "/"));
  return {
    async spool(key, parts) {
      const path = join(folder, nameOf(key) + SPOOLED);
      const file = await open(path, "w", 0o600);
      try {
        for (const part of parts) for await (const piece of piecesOf(part)) await file.writeFile(piece);
      } finally {
        await file.close();
      }
      return { path, length: parts.reduce((sum, part) => sum + part.length, 0) };
    },
    async note(key) {
      const file = await open(join(folder, nameOf(key)), "w");
      await file.sync();
      await file.close();
      const parent = await open(folder, "r");
      await parent.sync();
      await parent.close();
    },
    async done(key) {
      await rm(join(folder, nameOf(key) + SPOOLED), { force: true });
      await unlink(join(folder, nameOf(key)));
    },
    left: () => left,
  };
}
