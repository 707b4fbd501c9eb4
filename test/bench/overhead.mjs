// Time per call and per chunk: one process per recorder, asked in turn, so that whatever else the machine does meets all of them
// alike. `node test/bench/overhead.mjs [rounds] [calls] [recorder,…]` prints the table.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers } from "./peers/install.mjs";
import { NAMES, overheadTable } from "./overhead-table.mjs";
import { startSink } from "./sink.mjs";
import { median } from "./statistics.mjs";

const RECORDERS = Object.keys(NAMES);
const LONG = 1000;
const SHORT = 10;
const JOBS = {
  history: { kind: "history", chunks: 0 },
  fresh: { kind: "fresh", chunks: 0 },
  usual: { kind: "usual", chunks: 0 },
  short: { kind: "stream", chunks: SHORT },
  long: { kind: "stream", chunks: LONG },
};

/**
 * `{ <job>: { <recorder>: { returned, thread, process } } }` in microseconds that a call takes more than without a recorder, paired by
 * round, median of the rounds; of `nothing` what it takes. `chunk` per chunk. `memory` in bytes at the end.
 */
export async function overhead(options) {
  installPeers();
  try {
    return await measured(options);
  } catch (error) {
    // V8 itself ends a process now and then that starts worker threads on busy processors: see test/run.mjs
    if (error.signal !== "SIGTRAP") throw error;
    process.stderr.write(`bench: ${error.message}, by a check of V8; it is measured once more\n`);
    return measured(options);
  }
}

async function measured({ rounds, calls, names = RECORDERS }) {
  const store = mkdtempSync(join(tmpdir(), "reenact-bench-"));
  const sink = startSink();
  for (const name of names) await sink.open(name);
  const agents = Object.fromEntries(names.map((name) => [name, startAgent(name, join(store, name), sink.url(name))]));
  const seen = Object.fromEntries(Object.keys(JOBS).map((job) => [job, []]));
  try {
    for (const agent of Object.values(agents)) await agent.ready;
    for (let round = -1; round < rounds; round++) {
      for (const [job, what] of Object.entries(JOBS)) {
        const count = job === "long" ? Math.max(1, Math.ceil(calls / 4)) : calls;
        const took = {};
        // another order in every round: nobody is always the one after a heavy neighbour
        for (const name of rotated(names, round)) {
          const asked = round === -1 ? 3 * count : count;
          const done = await agents[name].ask({ ...what, calls: asked });
          took[name] = Object.fromEntries(Object.entries(done).map(([key, us]) => [key, us / asked]));
          took[name].memory = done.memory;
        }
        // the first round only warms
        if (round >= 0) seen[job].push(took);
      }
    }
    for (const name of names)
      if (!["nothing", "reenact"].includes(name) && sink.bytes(name) < calls * rounds * 1000)
        throw new Error(`${name} has sent ${sink.bytes(name)} bytes: it records nothing, or not to the sink`);
    return addedOf(seen, names);
  } finally {
    for (const { child } of Object.values(agents)) child.kill("SIGKILL");
    sink.close();
    rmSync(store, { recursive: true, force: true });
  }
}

function addedOf(seen, names) {
  const out = {};
  const of = (job, name, key) =>
    seen[job].map((took) => took[name][key] - (name === "nothing" ? 0 : took.nothing[key]));
  const keys = ["returned", "thread", "process"];
  for (const job of Object.keys(seen))
    out[job] = Object.fromEntries(
      names.map((name) => [name, Object.fromEntries(keys.map((key) => [key, median(of(job, name, key))]))]),
    );
  out.chunk = Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(keys.map((key) => [key, (out.long[name][key] - out.short[name][key]) / (LONG - SHORT)])),
    ]),
  );
  out.memory = Object.fromEntries(names.map((name) => [name, seen.long.at(-1)[name].memory]));
  return out;
}

function startAgent(name, store, sink) {
  const here = (file) => new URL(file, import.meta.url).href;
  const preload = name.startsWith("reenact") ? ["--import", import.meta.resolve("@reenact/node/register")] : [];
  const child = fork(new URL("agent.mjs", import.meta.url), [name], {
    execArgv: ["--import", here("memory-provider.mjs"), ...preload],
    env: {
      ...process.env,
      REENACT_STORE: store,
      ...(name === "reenact-sent" && { REENACT_FORWARD: sink }),
      BENCH_LATENCY: "20",
      BENCH_SINK: sink,
      LANGSMITH_TRACING: "true",
      LANGSMITH_ENDPOINT: sink,
      LANGSMITH_API_KEY: "bench",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const answer = () =>
    new Promise((resolve, reject) => {
      const gone = (code, signal) =>
        reject(Object.assign(new Error(`the agent under ${name} ended with ${code ?? signal}`), { signal }));
      child.once("exit", gone);
      child.once("message", (message) => {
        child.off("exit", gone);
        resolve(message);
      });
    });
  return {
    child,
    ready: answer(),
    ask(job) {
      const done = answer();
      child.send(job);
      return done;
    },
  };
}

function rotated(list, by) {
  const at = ((by % list.length) + list.length) % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [rounds = 4, calls = 10, only] = process.argv.slice(2);
  const names = only === undefined ? RECORDERS : ["nothing", ...only.split(",")];
  process.stdout.write(`${overheadTable(await overhead({ rounds: Number(rounds), calls: Number(calls), names }))}\n`);
}
