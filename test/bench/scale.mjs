// scale.mjs [--quick] [<runs a day>]: sends recorded runs of a few sizes to a collector on this machine, as fast as it takes them, prints what it
// counted, and what 1,000,000 runs a day (or so many) of each size need by `scale-model.ts`. Ends with 1 if what the first half of the runs
// predicts of the second is wrong by more than a fifth: then the machine was busy, and the numbers mean nothing.
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { runCopies, send } from "./run-copies.mjs";
import { ASSUMED, sizesOf } from "./scale-model.ts";
import { startCollector } from "./start-collector.mjs";

const quick = process.argv.includes("--quick");
const MOST_WRONG = 0.2;
const asked = process.argv.slice(2).find((each) => each !== "--quick");
const runsPerDay = asked === undefined ? ASSUMED.runsPerDay : Number(asked);
if (!(runsPerDay > 0)) throw new Error(`scale.mjs [--quick] [<runs a day>]: ${asked} is no number above 0`);

const results = [];
for (const turns of [3, 30]) results.push(await measure(turns, quick ? 4e6 : 50e6));
print(results);
if (results.some(({ wrong }) => Math.max(...Object.values(wrong)) > MOST_WRONG)) {
  console.error("the first half predicts the second badly: run it again on a machine that does nothing else");
  process.exitCode = 1;
}

/** `{ turns, runs, spans, wrong: { cpu, stored }, run }`: `run` as `MeasuredRun`, `wrong` as shares. */
async function measure(turns, bytes) {
  const template = runCopies(turns);
  const runs = Math.max(8, Math.ceil(bytes / template.length));
  const { child, http, config, stop } = await startCollector({ pack: { age: "1s" } });
  try {
    // what V8 has not compiled yet costs as much as the work
    const marks = [];
    for (let part = 1; part <= 3; part++) {
      await sendRuns(http, template, runs);
      marks.push({ ...(await untilSealed(http, runs * part)), cpu: cpuSeconds(child.pid) });
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    const { data } = JSON.parse(readFileSync(config, "utf8"));
    const catalogBytes = statSync(join(data, "catalog.sqlite")).size / (3 * runs);
    const [warm, half, end] = marks;
    const error = (of) => Math.abs((end[of] - half[of]) / (half[of] - warm[of]) - 1);
    return {
      turns,
      runs: 2 * runs,
      spans: end.spans - warm.spans,
      wrong: { cpu: error("cpu"), stored: error("stored") },
      run: {
        wireBytes: template.length,
        storedBytes: (end.stored - warm.stored) / (2 * runs),
        catalogBytes,
        cpuSeconds: (end.cpu - warm.cpu) / (2 * runs),
      },
    };
  } finally {
    stop();
  }
}

async function sendRuns(http, template, count) {
  let left = count;
  const sender = async () => {
    while (left-- > 0) for (const body of template.another().requests) await send(http, body);
  };
  await Promise.all(Array.from({ length: 4 }, sender));
}

/** What the collector has counted, once so many runs are in packs. */
async function untilSealed(http, runs) {
  for (const until = Date.now() + 300_000; Date.now() < until; await sleep(50)) {
    const text = await (await fetch(`${http}/metrics`)).text();
    const of = (name) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? 0);
    if (of("reenact_sealed_runs_total") >= runs && of("reenact_sealing_runs") === 0)
      return { stored: of("reenact_stored_bytes_total"), spans: of("reenact_received_spans_total") };
  }
  throw new Error("the runs were not sealed in 5 minutes");
}

function print(all) {
  const row = (name, cell) => console.log(`| ${name} | ${all.map(cell).join(" | ")} |`);
  const kb = (bytes) => `${(bytes / 1e3).toFixed(1)} kB`;
  const gb = (bytes) => `${(bytes / 1e9).toLocaleString("en", { maximumSignificantDigits: 3 })} GB`;
  const percent = (share) => `${(share * 100).toFixed(0)} %`;
  const sizes = all.map(({ run }) => sizesOf(run, { ...ASSUMED, runsPerDay }));
  const { peak, use, partitions, replicas, topicHours, sampleShare, keepShare, keepDays } = ASSUMED;
  console.log(`Node ${process.versions.node}, load average ${loadavg()[0].toFixed(1)} on ${cpus().length} processors,`);
  console.log(
    `one collector over a folder that does everything${quick ? " (--quick: too short to mean anything)" : ""}. Counted:\n`,
  );
  row("calls of a model in a run", ({ turns }) => turns);
  console.log(`|---|${all.map(() => "---:|").join("")}`);
  row("runs", ({ runs }) => runs);
  row("spans", ({ spans }) => spans);
  row("a run on the wire", ({ run }) => kb(run.wireBytes));
  row("a run in the store", ({ run }) => kb(run.storedBytes));
  row("a run in the catalog (SQLite)", ({ run }) => kb(run.catalogBytes));
  row("MB per CPU-second, receive to store", ({ run }) => (run.wireBytes / 1e6 / run.cpuSeconds).toFixed(1));
  row("second half against first: processor, store", ({ wrong }) => `${percent(wrong.cpu)}, ${percent(wrong.stored)}`);
  console.log(
    `\nComputed for ${runsPerDay.toLocaleString("en")} runs a day; ${peak} times the average rate at the busiest time, ${percent(use)} of a processor used then;`,
  );
  console.log(
    `${partitions} partitions, ${replicas} replicas of ${topicHours} h; ${percent(sampleShare)} in sample, ${percent(keepShare)} kept, for ${keepDays} days so far; other times as by default.`,
  );
  console.log(
    "Not in it: processor time of the Kafka client, of brokers and database, of reading, and of destinations.\n",
  );
  const computed = (name, cell) => console.log(`| ${name} | ${sizes.map(cell).join(" | ")} |`);
  computed("runs a second", ({ runsPerSecond }) => runsPerSecond.toFixed(1));
  console.log(`|---|${all.map(() => "---:|").join("")}`);
  computed("MB a second", ({ bytesPerSecond }) => (bytesPerSecond / 1e6).toFixed(1));
  computed("processors", ({ processors }) => processors.toFixed(1));
  computed("disks of the brokers, before compression", ({ topicBytes }) => gb(topicBytes));
  computed("runs that are kept", ({ keptRuns }) => Math.round(keptRuns).toLocaleString("en"));
  computed("store", ({ storeBytes }) => gb(storeBytes));
  computed("catalog", ({ catalogBytes }) => gb(catalogBytes));
  computed("packs written a day, at most", ({ packsPerDay }) => packsPerDay.toLocaleString("en"));
}
