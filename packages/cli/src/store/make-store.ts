import fs, { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, makeFolder } from "@reenact/envelope";

/** Makes a folder of a store; what is new is kept out of git. Throws as `node:fs` does. */
export function makeStore(store: string, folder: string): void {
  makeFolder(fs, join(store, folder));
  try {
    writeFileSync(join(store, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
