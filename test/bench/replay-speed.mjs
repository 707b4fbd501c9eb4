import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.mjs";
import { recordTurns } from "./recorded-run.mjs";

const SHORT = 100;
const provider = new URL("memory-provider.mjs", import.meta.url).href;
const bin = fileURLToPath(new URL("../bin/reenact.js", import.meta.resolve("reenact")));

/**
 * Steps per second apart from the start, a long run against a short one: of a replay, and `alone` of the same program
 * with its answers made in the process, which no replay can beat. Fails unless all replays are identical.
 */
export function replaySpeed({ steps, times }) {
  const long = recordTurns(steps, "alone");
  const short = recordTurns(SHORT, "alone");
  try {
    const rate = (took) => {
      const pairs = Array.from({ length: times }, () => took(long) - took(short));
      return (steps - SHORT) / (median(pairs) / 1000);
    };
    return { replay: rate(replayed), alone: rate(alone) };
  } finally {
    long.forget();
    short.forget();
  }
}

/** Milliseconds. */
function alone({ program }) {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--import", provider, ...program], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
  return performance.now() - from;
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
