// processes.mjs [--quick]: sends recorded runs to one embedded collector and to 1, 2 and 4 processes over Kafka, PostgreSQL and S3
// (test/services/install.ts), in turn, and prints megabytes received for each second of processor, of receiving and of assembling and
// sealing, what a megabyte costs beside the embedded collector, and resident memory with and without open runs. Ends with 1 if a
// megabyte costs more than 1.6 times that.
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { startDistributed } from "../services/distributed-servers.ts";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { runCopies, send } from "./run-copies.mjs";
import { startCollector } from "./start-collector.mjs";

const quick = process.argv.includes("--quick");
const MOST_TIMES = 1.6;
const ROUNDS = quick ? 1 : 3;
const BYTES = quick ? 4e6 : 40e6;
const OPEN_RUNS = quick ? 500 : 20_000;
const REST = ["query", "forward", "retain"];
/** roles of each process */
const SET_UPS = {
  "1 process": [["receive", "assemble", ...REST]],
  "2 processes": [["receive"], ["assemble", ...REST]],
  "4 processes": [["receive"], ["receive"], ["assemble", ...REST], ["assemble"]],
};

const servers = await startDistributed();
try {
  for (const turns of [3, 30]) await compare(turns);
} finally {
  await servers.stop();
}

async function compare(turns) {
  const template = runCopies(turns);
  const open = runCopies(turns, { open: true });
  const totals = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["embedded", ...Object.keys(SET_UPS)]) {
      const found = await measure(name, `${turns}-${round}`, {
        template,
        open: round === 0 && turns === 3 ? open : null,
      });
      const total = totals.get(name) ?? {
        megabytes: 0,
        receive: 0,
        assemble: 0,
        all: 0,
        idle: found.idle,
        behindOpen: null,
      };
      for (const key of ["megabytes", "receive", "assemble", "all"]) total[key] += found[key];
      total.behindOpen ??= found.behindOpen;
      totals.set(name, total);
    }
  }
  print(turns, template.length, totals);
}

/** `megabytes` received, seconds of processor of `receive`, `assemble` and `all`, resident MiB `idle` and `behindOpen` runs. */
async function measure(name, id, { template, open }) {
  const processes = name === "embedded" ? [await embedded()] : await distributed(name, id);
  const receivers = processes.filter(({ roles }) => roles.includes("receive"));
  try {
    const runs = Math.max(4, Math.ceil(BYTES / template.length));
    // what V8 has not compiled yet costs as much as the work
    await sendRuns(receivers, template, runs);
    await untilSealed(processes, runs);
    const before = processes.map(({ pid }) => cpuSeconds(pid));
    const idle = sum(processes.map(({ pid }) => residentMb(pid)));
    await sendRuns(receivers, template, runs);
    await untilSealed(processes, 2 * runs);
    const used = processes.map(({ pid, roles }, n) => ({ roles, seconds: cpuSeconds(pid) - before[n] }));
    const of = (role) => sum(used.filter(({ roles }) => roles.includes(role)).map(({ seconds }) => seconds));
    let behindOpen = null;
    if (open !== null) {
      await sendRuns(receivers, open, OPEN_RUNS);
      await untilMetric(processes, "reenact_open_runs", OPEN_RUNS);
      behindOpen = sum(processes.map(({ pid }) => residentMb(pid)));
    }
    const megabytes = (runs * template.length) / 1e6;
    return {
      megabytes,
      receive: of("receive"),
      assemble: of("assemble"),
      all: sum(used.map(({ seconds }) => seconds)),
      idle,
      behindOpen,
    };
  } finally {
    for (const { stop } of processes) await stop();
  }
}

async function embedded() {
  const { child, http, stop } = await startCollector({ pack: { age: "1s" }, assemble: { settle: 300 } });
  return { pid: child.pid, http, roles: ["receive", "assemble"], stop };
}

async function distributed(name, id) {
  const settings = {
    ...servers.apart(`bench_${name[0]}_${id.replace("-", "_")}`),
    pack: { age: "1s" },
    assemble: { settle: 300 },
  };
  const started = SET_UPS[name].map(async (roles, n) => {
    const started = await servers.processes.start(`bench-${name[0]}-${id}-${n}`, roles, settings);
    await started.ready();
    return { pid: started.pid(), http: started.http, roles, stop: () => started.stop() };
  });
  return Promise.all(started);
}

async function sendRuns(receivers, template, count) {
  let left = count;
  const sender = async (_, n) => {
    while (left-- > 0)
      for (const body of template.another().requests) await send(receivers[n % receivers.length].http, body);
  };
  await Promise.all(Array.from({ length: 4 }, sender));
}

const metric = async ({ http }, name) => {
  const text = await (await fetch(`${http}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? 0);
};
async function untilMetric(processes, name, least) {
  for (const until = Date.now() + 600_000; Date.now() < until; await sleep(100)) {
    if (sum(await Promise.all(processes.map((each) => metric(each, name)))) >= least) return;
  }
  throw new Error(`${name} was not ${least} in 10 minutes`);
}
const untilSealed = (processes, runs) => untilMetric(processes, "reenact_sealed_runs_total", runs);

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const residentMb = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

function print(turns, bytes, totals) {
  console.log(
    `\nNode ${process.versions.node}, load average ${loadavg()[0].toFixed(1)} on ${cpus().length} processors; runs of ${turns} calls, ${(bytes / 1e3).toFixed(0)} kB, ${totals.get("embedded").megabytes.toFixed(0)} MB each:\n`,
  );
  console.log(
    "| MB per CPU-second | receive | assemble and seal | all | processor for a MB beside embedded | resident MiB, all processes | with open runs |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|");
  const perMb = ({ all, megabytes }) => all / megabytes;
  for (const [name, total] of totals) {
    const { megabytes, receive, assemble, all, idle, behindOpen } = total;
    const isApart = name !== "embedded" && !name.startsWith("1");
    const times = perMb(total) / perMb(totals.get("embedded"));
    const cells = [
      isApart ? (megabytes / receive).toFixed(0) : "",
      isApart ? (megabytes / assemble).toFixed(0) : "",
      (megabytes / all).toFixed(1),
      times.toFixed(2),
      idle.toFixed(0),
      behindOpen === null ? "" : `${behindOpen.toFixed(0)} (${OPEN_RUNS.toLocaleString("en")})`,
    ];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
    if (times > MOST_TIMES && !quick) process.exitCode = 1;
  }
}
