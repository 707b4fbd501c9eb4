import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ATTR, encodeResource, encodeScope, encodeSpan, joinTraces, plainSpan } from "@reenact/envelope";
import { send } from "./run-copies.mjs";
import { startCollector } from "./start-collector.mjs";
import { quantile } from "./statistics.mjs";

const MB = 1024 ** 2;
const EPOCH = 1_790_000_000_000_000_000n;
const origin = {
  resource: encodeResource({ "service.name": "bench" }),
  resourceSchemaUrl: "",
  scope: encodeScope("bench", "1"),
  scopeSchemaUrl: "",
};
const hex = (value) => value.toString(16).padStart(16, "0");

/** A span below the resource and scope of all. */
function placed(span) {
  const { traceId, spanId, startUnixNano } = span;
  return { ...origin, span: encodeSpan(span), traceId, spanId, startUnixNano };
}

/** Requests with a run of so many steps, each with so much text; `open`: its root does not come. */
function largeRun(steps, textBytes, open) {
  const run = randomBytes(16).toString("hex");
  const own = { [ATTR.schema]: 1, [ATTR.runId]: run };
  const base = { traceId: run, startUnixNano: EPOCH, endUnixNano: EPOCH + 1_000_000n };
  const spanOf = (n) => {
    const record = JSON.stringify({
      v: 1,
      op: "tool:t",
      path: "agent/tool:t",
      n,
      attempt: 0,
      step: n,
      under: null,
      order: { start: 0 },
    });
    const text = textBytes > 64 ? randomBytes(textBytes / 2).toString("hex") : `step ${n}`;
    return placed(
      plainSpan({
        ...base,
        spanId: hex(n + 2),
        parentSpanId: hex(1),
        name: "t",
        attributes: {
          ...own,
          [ATTR.spanKind]: "TOOL",
          [ATTR.kind]: "TOOL",
          [ATTR.record]: record,
          [ATTR.recordLength]: record.length,
          [ATTR.inputValue]: text,
        },
      }),
    );
  };
  const rootSpan = plainSpan({
    ...base,
    spanId: hex(1),
    name: "agent",
    attributes: {
      ...own,
      [ATTR.spanKind]: "AGENT",
      [ATTR.kind]: "AGENT",
      [ATTR.root]: JSON.stringify({ v: 1, name: "agent", steps, lanes: {} }),
      [ATTR.runStatus]: "ok",
    },
  });
  const spans = Array.from({ length: steps }, (_, n) => spanOf(n));
  if (!open) spans.push(placed(rootSpan));
  const perRequest = textBytes > 64 ? 4 : 5_000;
  const bodies = [];
  for (let at = 0; at < spans.length; at += perRequest) bodies.push(joinTraces(spans.slice(at, at + perRequest)).bytes);
  return { run, bodies };
}

/**
 * How long small requests take until they are acknowledged, by themselves and while runs of 60 MB and of 50,000 spans are read all
 * the time, in turns: `[{ reads, quiet, reading, count }]`. Of each `{ p50, p99, slowest, stretch }`, milliseconds, and how often it was read.
 * `stretch`: the processor time of the longest piece of work of the receiving thread, which other programs do not change.
 */
export async function readDelay({ rounds = 3, seconds = 3, megabytes = 60, spans = 50_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bench-delay-"));
  const file = join(folder, "stretch");
  const preload = new URL("loop-turns.mjs", import.meta.url).href;
  const env = { BENCH_TURNS: file, NODE_OPTIONS: `--import=${preload}` };
  const settings = { pack: { age: "1s" }, assemble: { idle: "1h" } };
  const { child, http, stop } = await startCollector(settings, null, env);
  /** Of the receiving thread, since it was asked for last. */
  const stretch = async () => {
    rmSync(file, { force: true });
    child.kill("SIGUSR2");
    while (!existsSync(file)) await sleep(5);
    return Number(readFileSync(file, "utf8"));
  };
  try {
    const large = largeRun(megabytes, MB, false);
    const many = largeRun(spans, 0, false);
    const open = largeRun(spans, 0, true);
    for (const { bodies } of [large, many, open]) for (const body of bodies) await send(http, Buffer.from(body));
    await Promise.all([large, many].map(({ run }) => untilPacked(http, run)));
    const part = await largestPart(http, large.run);
    const reads = {
      [`envelope of ${megabytes} MB`]: `runs/${large.run}/envelope`,
      [`spans of ${megabytes} MB`]: `runs/${large.run}/spans`,
      [`a part of ${megabytes} MB`]: part,
      [`tree of ${spans} spans`]: `runs/${many.run}/tree?limit=20000`,
      [`spans of ${spans}`]: `runs/${many.run}/spans`,
      [`tree of ${spans} spans, open`]: `runs/${open.run}/tree?limit=20000`,
      "facets and lists": "facets?fields=status,name,session,trace",
    };
    const measured = [];
    for (const [name, path] of Object.entries(reads)) {
      const quiet = [];
      const reading = [];
      const stretches = { quiet: [], reading: [] };
      let count = 0;
      for (let round = 0; round < rounds; round++) {
        await stretch();
        quiet.push(...(await acknowledgements(http, seconds * 1000)));
        stretches.quiet.push(await stretch());
        const ending = new AbortController();
        const reader = readAgain(`${http}/api/v1/${path}`, ending.signal, () => count++);
        reading.push(...(await acknowledgements(http, seconds * 1000)));
        // one that is slow is read once to its end all the same
        // oxlint-disable-next-line no-unmodified-loop-condition -- the reader counts
        while (count === 0) reading.push(...(await acknowledgements(http, 500)));
        stretches.reading.push(await stretch());
        ending.abort();
        await reader;
      }
      measured.push({
        reads: name,
        quiet: { ...summary(quiet), stretch: Math.max(...stretches.quiet) },
        reading: { ...summary(reading), stretch: Math.max(...stretches.reading) },
        count,
      });
    }
    return measured;
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const summary = (times) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99), slowest: Math.max(...times) });

async function untilPacked(http, run) {
  for (const until = Date.now() + 300_000; Date.now() < until; await sleep(200)) {
    const answer = await fetch(`${http}/api/v1/runs/${run}`);
    if (answer.ok && (await answer.json()).run.bytes > 0) return;
  }
  throw new Error("a run was not packed in 5 minutes");
}

async function largestPart(http, run) {
  const { steps } = await (await fetch(`${http}/api/v1/runs/${run}/tree`)).json();
  const all = steps.flatMap(({ id, parts }) => parts.map((part) => ({ id, ...part })));
  const { id, digest } = all.toSorted((a, b) => b.bytes - a.bytes)[0];
  return `runs/${run}/steps/${id}/parts/${digest}`;
}

async function readAgain(url, signal, done) {
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { signal });
      for await (const _ of answer.body);
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      done();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Milliseconds of each of the requests that are sent one after another, about a hundred a second. */
async function acknowledgements(http, ms) {
  const agent = new Agent({ keepAlive: true });
  const run = randomBytes(16).toString("hex");
  const times = [];
  for (const until = performance.now() + ms; performance.now() < until; await sleep(5)) {
    const ids = { traceId: run, spanId: randomBytes(8).toString("hex"), parentSpanId: hex(7) };
    const body = joinTraces([placed(plainSpan({ ...ids, name: "t", startUnixNano: EPOCH }))]).bytes;
    const from = performance.now();
    await post(`${http}/v1/traces`, body, agent);
    times.push(performance.now() - from);
  }
  agent.destroy();
  return times;
}

function post(url, body, agent) {
  const headers = { "content-type": "application/x-protobuf", "content-length": body.length };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the collector answered ${answer.statusCode}`));
      answer.resume().on("end", resolve);
    });
    asked.on("error", reject).end(body);
  });
}
