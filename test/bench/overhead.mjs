// Time per call and per chunk on the agent's thread: one process per recorder, asked in turn, so that whatever else the
// machine does meets all of them alike.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mean, median, p90 } from "./statistics.mjs";

const RECORDERS = ["nothing", "reenact", "openinference", "langsmith"];
const LONG = 1000;
const SHORT = 10;
const JOBS = {
  history: { kind: "history", chunks: 0 },
  fresh: { kind: "fresh", chunks: 0 },
  short: { kind: "stream", chunks: SHORT },
  long: { kind: "stream", chunks: LONG },
};

/** `{ <job>: { <recorder>: { median, p90, cpu } } }` in µs per call, `chunk` in µs per chunk. */
export async function overhead({ rounds, calls }) {
  const store = mkdtempSync(join(tmpdir(), "reenact-bench-"));
  const sink = await startSink();
  const agents = Object.fromEntries(RECORDERS.map((name) => [name, startAgent(name, store, sink.url)]));
  try {
    const seen = Object.fromEntries(
      Object.keys(JOBS).map((job) => [
        job,
        Object.fromEntries(RECORDERS.map((name) => [name, { samples: [], cpu: [] }])),
      ]),
    );
    for (const agent of Object.values(agents)) await agent.ready;
    for (let round = -1; round < rounds; round++) {
      for (const [job, what] of [...Object.entries(JOBS), ["rest", { kind: "fresh", chunks: 0 }]]) {
        if (job === "rest" && round + 1 < rounds) continue;
        const count = job === "long" ? Math.max(1, Math.ceil(calls / 4)) : calls;
        // another order in every round: nobody is always the one after a heavy neighbour
        for (const name of rotated(RECORDERS, round)) {
          const done = await agents[name].ask({
            ...what,
            calls: job === "rest" ? 0 : round === -1 ? 3 * count : count,
          });
          agents[name].last?.(done.late);
          if (round === -1 || job === "rest") continue; // only warm, only to hear what was late
          seen[job][name].samples.push(...done.samples);
          agents[name].last = (late) => seen[job][name].cpu.push((done.cpu + late) / count);
        }
      }
    }
    const out = Object.fromEntries(
      Object.entries(seen).map(([job, by]) => [
        job,
        Object.fromEntries(
          Object.entries(by).map(([name, { samples, cpu }]) => [
            name,
            { median: median(samples), p90: p90(samples), cpu: mean(cpu) },
          ]),
        ),
      ]),
    );
    out.chunk = Object.fromEntries(
      RECORDERS.map((name) => [
        name,
        { median: perChunk(out, name, "median"), p90: perChunk(out, name, "p90"), cpu: perChunk(out, name, "cpu") },
      ]),
    );
    return out;
  } finally {
    for (const { child } of Object.values(agents)) child.kill("SIGKILL");
    sink.close();
    rmSync(store, { recursive: true, force: true });
  }
}

function perChunk(out, name, key) {
  return (out.long[name][key] - out.short[name][key]) / (LONG - SHORT);
}

function startAgent(name, store, sink) {
  const here = (file) => new URL(file, import.meta.url).href;
  const preload = name === "reenact" ? ["--import", import.meta.resolve("@reenact/node/register")] : [];
  const child = fork(new URL("agent.mjs", import.meta.url), [name], {
    execArgv: ["--import", here("memory-provider.mjs"), ...preload],
    env: {
      ...process.env,
      REENACT_STORE: store,
      BENCH_SINK: sink,
      LANGSMITH_TRACING: "true",
      LANGSMITH_ENDPOINT: sink,
      LANGSMITH_API_KEY: "bench",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const answer = () =>
    new Promise((resolve, reject) => {
      const gone = (code) => reject(new Error(`the agent under ${name} ended with ${code}`));
      child.once("exit", gone);
      child.once("message", (message) => {
        child.off("exit", gone);
        resolve(message);
      });
    });
  return {
    child,
    /** takes what the process did behind its last job */
    last: null,
    ready: answer(),
    ask(job) {
      const done = answer();
      child.send(job);
      return done;
    },
  };
}

/** What LangSmith's own server says of itself, so that its client batches as it does there. */
const LANGSMITH_INFO = {
  version: "0.12.0",
  batch_ingest_config: {
    use_multipart_endpoint: true,
    scale_up_qsize_trigger: 1000,
    scale_up_nthreads_limit: 16,
    scale_down_nempty_trigger: 4,
    size_limit: 100,
    size_limit_bytes: 20_971_520,
  },
};

/** Takes what the exporters send, and throws it away. */
async function startSink() {
  const server = createServer((request, response) => {
    const body = request.url === "/info" ? JSON.stringify(LANGSMITH_INFO) : "{}";
    request.resume().once("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function rotated(list, by) {
  const at = ((by % list.length) + list.length) % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
