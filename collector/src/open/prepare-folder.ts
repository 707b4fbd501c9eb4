import fs from "node:fs";
import { makeFolder } from "@reenact/envelope";
import { CollectorError } from "../collector-error.ts";

/** Makes the data folder where there is none. */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(fs, folder);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const next = "set `data` to a folder it may write";
    throw new CollectorError("BAD_DATA_FOLDER", `data folder ${folder}: ${why}`, next, { cause });
  }
}
