import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";

/** Who this collector is to its store: an id that its data folder keeps, and words for people. */
export function storeIdentity(folder: string): { readonly id: string; readonly who: string } {
  const path = join(folder, "owner");
  const who = `the collector of ${resolve(folder)} on ${hostname()}, process ${process.pid}`;
  try {
    const id = readFileSync(path, "utf8").trim();
    if (/^[0-9a-f-]{36}$/.test(id)) return { id, who };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const id = randomUUID();
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeSync(file, `${id}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
  return { id, who };
}
