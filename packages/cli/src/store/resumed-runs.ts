import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@reenact/envelope";
import { CliError } from "../errors/cli-error.ts";
import { makeStore } from "./make-store.ts";

const FOLDER = "resumed";

/**
 * Marks a run as resumed, before anything is done for it: of two commands at the same time one is the first, and one that is
 * killed leaves its mark. Returns whether this call has marked it; false: it was marked before.
 */
export function markResumed(store: string, run: string): boolean {
  try {
    makeStore(store, FOLDER);
    writeFileSync(join(store, FOLDER, run), "", { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw CliError.store(store, "cannot write to", error);
  }
}

/** Nothing was done behind its question. */
export function unmarkResumed(store: string, run: string): void {
  rmSync(join(store, FOLDER, run), { force: true });
}
