import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runCopies, send } from "./run-copies.mjs";
import { startCollector } from "./start-collector.mjs";

const AT_ONCE = 200;

/** Memory of a collector, MiB, before and with so many runs open that have one step each: `{ runs, before, rss }`. */
export async function openRuns(runs) {
  const template = runCopies(1, { open: true });
  const { child, http, stop } = await startCollector({ assemble: { idle: "1h" } });
  try {
    const before = rssMiB(child.pid);
    for (let sent = 0; sent < runs; sent += AT_ONCE) {
      const copies = Array.from({ length: Math.min(AT_ONCE, runs - sent) }, () => template.another().requests);
      // messages of one kind, one behind another, are one message
      await send(http, Buffer.concat(copies.flat()));
    }
    for (const until = Date.now() + 120_000; ; await sleep(200)) {
      const text = await (await fetch(`${http}/metrics`)).text();
      if (Number(/^reenact_open_runs (\S+)/m.exec(text)?.[1]) === runs) break;
      if (Date.now() > until) throw new Error("the runs were not open in 2 minutes");
    }
    // so that what is garbage goes
    await sleep(5000);
    return { runs, before, rss: rssMiB(child.pid) };
  } finally {
    stop();
  }
}

const rssMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
