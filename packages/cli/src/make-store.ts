import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a folder of a store; what is new is kept out of git. Throws as `node:fs` does. */
export function makeStore(store: string, folder: string): void {
  mkdirSync(join(store, folder), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(store, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
