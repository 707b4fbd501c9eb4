// server.mjs [runs]: memory of a process that has so many runs, and how long the first list of them takes. Default 100,000: 10 minutes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const runs = Number(process.argv[2] ?? 100_000);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const store = mkdtempSync(join(tmpdir(), "reenact-server-"));
const env = { ...process.env, REENACT_STORE: store };
const cli = here("../../packages/cli/bin/reenact.js");
const flags = [
  "--expose-gc",
  "--import",
  here("memory-provider.mjs"),
  "--import",
  import.meta.resolve("@reenact/node/register"),
];

try {
  const recorded = timed(() =>
    execFileSync(process.execPath, [...flags, here("server-agent.mjs"), String(runs)], { env, encoding: "utf8" }),
  );
  process.stdout.write(
    `${runs} runs recorded in ${seconds(recorded.ms)}\n\n| after runs | memory, MiB | heap, MiB |\n|---:|---:|---:|\n`,
  );
  for (const line of recorded.value.trim().split("\n")) {
    const { runs: done, rss, heap } = JSON.parse(line);
    process.stdout.write(`| ${done} | ${Math.round(rss)} | ${Math.round(heap)} |\n`);
  }
  const list = () =>
    execFileSync(process.execPath, [cli, "ls", "--store", store], { stdio: ["ignore", "pipe", "inherit"] });
  process.stdout.write(`\nfirst list: ${seconds(timed(list).ms)}\n`);
  const { ms } = timed(() => {
    while (readdirSync(join(store, "spool")).length > 0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  });
  process.stdout.write(
    `all sealed in the background ${seconds(ms)} later\nlist after that: ${seconds(timed(list).ms)}\n`,
  );
} finally {
  rmSync(store, { recursive: true, force: true });
}

function timed(work) {
  const from = performance.now();
  const value = work();
  return { value, ms: performance.now() - from };
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
