import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { runCopies, send } from "./run-copies.mjs";
import { startCollector } from "./start-collector.mjs";
import { median, quantile } from "./statistics.mjs";

const cli = fileURLToPath(new URL("../bin/reenact.js", import.meta.resolve("reenact")));

/**
 * The whole collector over a folder, or over `s3`, a server of `services/s3-server.ts`: recorded runs of so many turns,
 * each sent as one request, received, sealed and packed (large ones as several requests); then single runs read by id;
 * then its catalog made again from the packs. As many runs come before those that are measured: a collector runs for weeks,
 * and what V8 has not compiled yet costs as much as the work. `{ turns, runs, raw, stored, perCpu, rate, written, byId: { p50, p99 },
 * rebuilt }`: bytes of a run on the wire and in a pack, MB per CPU-second, MB/s, bytes given to disks by the collector
 * for each received, ms, runs/s.
 */
export async function sealing({ turns, megabytes, reads, s3 = null }) {
  const template = runCopies(turns);
  const runs = Math.max(8, Math.ceil((megabytes * 1e6) / template.length));
  const { child, http, config, stop } = await startCollector({ pack: { age: "1s" } }, s3);
  try {
    const ids = [];
    const sendRuns = async (count) => {
      const upTo = ids.length + count;
      const sender = async () => {
        while (ids.length < upTo) {
          const { id, requests } = template.another();
          ids.push(id);
          for (const body of requests) await send(http, body);
        }
      };
      await Promise.all(Array.from({ length: 4 }, sender));
      return untilSealed(http, ids.length);
    };
    await sendRuns(runs);
    const [before, writtenBefore] = [cpuSeconds(child.pid), bytesWritten(child.pid)];
    const began = performance.now();
    const warm = ids.length;
    const sealed = await sendRuns(runs);
    const seconds = (performance.now() - began) / 1000;
    const cpu = cpuSeconds(child.pid) - before;
    const written = bytesWritten(child.pid) - writtenBefore;
    const bytes = (ids.length - warm) * template.length;
    const times = [];
    for (let n = 0; n < reads; n++)
      times.push(await timeOf(`${http}/api/v1/runs/${ids[(n * 7919) % ids.length]}/envelope`));
    child.kill("SIGTERM");
    await once(child, "exit");
    return {
      turns,
      runs: ids.length - warm,
      raw: template.length,
      stored: sealed / ids.length,
      perCpu: bytes / 1e6 / cpu,
      rate: bytes / 1e6 / seconds,
      written: written / bytes,
      byId: { p50: median(times), p99: quantile(times, 0.99) },
      rebuilt: ids.length / (await rebuildSeconds(config)),
    };
  } finally {
    stop();
  }
}

/** Bytes that a process has given to disks. */
function bytesWritten(pid) {
  return Number(/write_bytes: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))[1]);
}

/** Bytes of all packs, once all runs are in them. */
async function untilSealed(http, runs) {
  for (const until = Date.now() + 300_000; Date.now() < until; await sleep(50)) {
    const text = await (await fetch(`${http}/metrics`)).text();
    const of = (name) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? 0);
    if (of("reenact_sealed_runs_total") >= runs && of("reenact_sealing_runs") === 0)
      return of("reenact_stored_bytes_total");
  }
  throw new Error("the runs were not sealed in 5 minutes");
}

async function timeOf(url) {
  const from = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - from;
}

async function rebuildSeconds(config) {
  const from = performance.now();
  const child = spawn(process.execPath, [cli, "catalog", "rebuild", "--config", config], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`catalog rebuild ended with ${code}`);
  return (performance.now() - from) / 1000;
}
