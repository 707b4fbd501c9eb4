import { statSync } from "node:fs";
import { recordTurns } from "./recorded-run.mjs";

/** What a run of `turns` turns with a growing history takes on disk: `{ raw, stored }` in bytes. */
export function storedBytes(turns) {
  const run = recordTurns(turns, "growing");
  try {
    return { raw: run.traffic, stored: statSync(run.file).size };
  } finally {
    run.forget();
  }
}
