// local-list.mjs [runs=100000]: fills a local store with so many sealed runs, one file each, and prints how long the
// commands take that people type first: the median of five processes each, ms.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeEnvelope } from "@reenact/envelope/file";
import { growthRunId, growthSpans } from "./growth-runs.mjs";
import { median } from "./statistics.mjs";

const runs = Number(process.argv[2] ?? 100_000);
const cli = fileURLToPath(new URL("../bin/reenact.js", import.meta.resolve("reenact")));
/** One run a second, milliseconds since the epoch. */
const startOf = (n) => now - (runs - n) * 1000;
const now = Date.now();
const store = mkdtempSync(join(tmpdir(), "local-list-"));
try {
  const folder = join(store, "runs");
  mkdirSync(folder);
  for (let n = 0; n < runs; n++) {
    const { bytes, header } = writeEnvelope({ spans: growthSpans(n, startOf(n)), class: "short" });
    const path = join(folder, `${header.run}.reenact`);
    writeFileSync(path, bytes);
    // as a run of the time that its spans say: it is sealed a moment after its end
    const sealed = startOf(n) / 1000 + 2;
    utimesSync(path, sealed, sealed);
  }
  const commands = [
    ["--version"],
    ["ls"],
    ["ls", "--limit", "5", "--json"],
    ["ls", "--status", "failed"],
    ["show", "@last"],
    ["show", growthRunId(runs >> 1)],
    ["ls", "--user", "nobody"],
  ];
  for (const [name, ...rest] of commands) {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      const place = name === "--version" ? [] : ["--store", store];
      const { status, stderr } = spawnSync(process.execPath, [cli, name, ...rest, ...place], { encoding: "utf8" });
      if (status !== 0) throw new Error(`reenact ${name} ended with ${status}: ${stderr.slice(0, 1000)}`);
      return performance.now() - began;
    });
    process.stdout.write(`${median(times).toFixed(0).padStart(7)} ms  reenact ${[name, ...rest].join(" ")}\n`);
  }
} finally {
  rmSync(store, { recursive: true, force: true });
}
