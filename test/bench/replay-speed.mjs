import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.mjs";
import { recordTurns } from "./recorded-run.mjs";

const SHORT = 100;
const bin = fileURLToPath(new URL("../bin/reenact.js", import.meta.resolve("reenact")));

/** Steps per second of a replay, apart from its start: a long run against a short one. Fails unless all are identical. */
export function replaySpeed({ steps, times }) {
  const long = recordTurns(steps, "alone");
  const short = recordTurns(SHORT, "alone");
  try {
    const pairs = Array.from({ length: times }, () => replayed(long) - replayed(short));
    return (steps - SHORT) / (median(pairs) / 1000);
  } finally {
    long.forget();
    short.forget();
  }
}

/** Milliseconds. */
function replayed({ store, program }) {
  const report = join(store, "report.json");
  const args = [
    bin,
    "replay",
    "@last",
    "--store",
    store,
    "--quiet",
    "--json-file",
    report,
    "--",
    process.execPath,
    ...program,
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the replay ended with ${status}: ${stderr}`);
  return JSON.parse(readFileSync(report, "utf8")).durationMs;
}
