import type fs from "node:fs";
import { errorCode } from "../value/error-code.ts";

type Files = Pick<typeof fs, "writeFileSync" | "linkSync" | "copyFileSync" | "chmodSync" | "rmSync" | "constants">;

/**
 * Makes a file with a key that only this user may read, where there is none. It is written under another name and linked,
 * so that a process that comes second reads the key of the first one, and never a part of it. `suffix`: parts the other
 * names of concurrent processes. Returns whether the file is the one made here.
 */
export function makeKeyFile(files: Files, file: string, key: Uint8Array, suffix: string): boolean {
  const fresh = `${file}.${process.pid}.${suffix}`;
  files.writeFileSync(fresh, `${Buffer.from(key).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  try {
    files.linkSync(fresh, file);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    // a file system without links
    files.copyFileSync(fresh, file, files.constants.COPYFILE_EXCL);
    files.chmodSync(file, 0o600);
    return true;
  } finally {
    files.rmSync(fresh, { force: true });
  }
}
