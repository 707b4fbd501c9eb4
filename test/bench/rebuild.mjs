import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fillStore, packedRunSpans } from "../pack-store.ts";
import { joinTraces } from "@reenact/envelope";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { startCollector } from "./start-collector.mjs";

/**
 * A collector whose catalog is lost, over a folder with so many runs of one turn, a multiple of 1,000. `{ runs, opened, seconds, rate, cpu,
 * slowest }`: seconds until its port is open, and until all rows are there; rows per second; processor seconds; the
 * slowest acknowledgement of a request meanwhile, ms.
 */
export async function rebuild(runs) {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "bench-rebuild-"));
  fillStore(join(folder, "store"), { packs: Math.ceil(runs / 1000), runs: 1000 });
  const from = performance.now();
  const settings = { data: join(folder, "data"), store: join(folder, "store"), log: "error" };
  const { child, http, stop } = await startCollector(settings);
  try {
    const opened = (performance.now() - from) / 1000;
    const headers = { "content-type": "application/x-protobuf" };
    let slowest = 0;
    for (let n = 0; !(await fetch(`${http}/readyz`)).ok; n++) {
      const body = Buffer.from(joinTraces(packedRunSpans(runs * 2 + n)).bytes);
      const sent = performance.now();
      const answer = await fetch(`${http}/v1/traces`, { method: "POST", headers, body });
      if (!answer.ok) throw new Error(`refused while the catalog is made: ${answer.status}`);
      slowest = Math.max(slowest, performance.now() - sent);
      await sleep(50);
    }
    const seconds = (performance.now() - from) / 1000;
    const cpu = cpuSeconds(child.pid);
    return { runs, opened, seconds, rate: runs / seconds, cpu, slowest };
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
