// Redaction against peers, interleaved in one run: `node test/bench/redaction-peers.mjs [--quick]`, also part of
// `npm run bench`. Time is the thread's own, on texts that nobody has seen before, except where the row says so.
import { Worker } from "node:worker_threads";
import { pathToFileURL } from "node:url";
import { prose } from "./prose.mjs";
import { PLANTED, SHAPES } from "./redaction-shapes.mjs";
import { TOOLS } from "./redaction-tools.mjs";
import { mean, median, quantile } from "./statistics.mjs";
import { threadTime } from "./thread-time.mjs";

const BYTES = 50 * 1024;
const SPAN = 7 * 1024;
/** Longest that one tool may take in all, in microseconds, before and while it is measured. */
const WARM = 400_000;
const LONG = 3_000_000;
/** Longest that a tool may take for two texts of a shape, in milliseconds of the clock. */
const PATIENCE = 8000;

const json = (bytes, seed) =>
  JSON.stringify({ messages: [1, 2].map((n) => ({ role: "user", content: prose(bytes / 2, seed * 2 + n) })) });

async function took(run, text) {
  const before = threadTime();
  await run(text);
  return threadTime() - before;
}

/** Microseconds of each tool, asked in turn; `textOf(round)` is new each time. A tool that takes long is asked less. */
async function measured(textOf, form, rounds, tools = TOOLS) {
  const times = tools.map(() => []);
  const spent = tools.map(() => 0);
  for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
    if (round === 0) spent.fill(0);
    const text = textOf(round);
    for (const [i, tool] of tools.entries()) {
      if (spent[i] > (round < 0 ? WARM : LONG) && (round < 0 || times[i].length > 4)) continue;
      const time = await took(tool[form], text);
      spent[i] += time;
      if (round >= 0) times[i].push(time);
    }
  }
  return times;
}

const us = (value) => value.toFixed(value < 100 ? 1 : 0);

async function speeds(rounds) {
  // Before the others have run: what they leave in the processor's caches and in the heap is then not in the time.
  const [alone] = await measured((i) => json(SPAN, 20_000 + i), "json", rounds * 2, TOOLS.slice(0, 1));
  const plain = await measured((i) => prose(BYTES, 30_000 + i), "text", rounds);
  const inJson = await measured((i) => json(BYTES, 60_000 + i), "json", rounds);
  const span = await measured((i) => json(SPAN, 90_000 + i), "json", rounds * 2);
  const history = json(BYTES, 7);
  const repeated = await measured(() => history, "json", rounds);
  const rate = (times) => (BYTES / median(times)).toFixed(1);
  return [
    "| | MB/s plain | MB/s JSON | µs per 7 KB span, mean | p99 | µs for 50 KB seen before |",
    "|---|---:|---:|---:|---:|---:|",
    ...TOOLS.map(
      ({ name }, i) =>
        `| ${name} | ${rate(plain[i])} | ${rate(inJson[i])} | ${us(mean(span[i]))} | ${us(quantile(span[i], 0.99))} | ${us(median(repeated[i]))} |`,
    ),
    `| ${TOOLS[0].name}, before the others have run | | | ${us(mean(alone))} | ${us(quantile(alone, 0.99))} | |`,
  ];
}

/** What each tool finds of one value of each kind. */
async function findings() {
  const found = [];
  for (const { name, text } of TOOLS) {
    const missed = [];
    for (const [kind, value, put] of PLANTED) {
      const left = String(await text(put(value)));
      const isThere = left.includes(value) || left === put(value);
      if (isThere) missed.push(kind);
    }
    found.push(`| ${name} | ${PLANTED.length - missed.length} of ${PLANTED.length} | ${missed.join(", ") || "–"} |`);
  }
  return ["| one value of each kind, in text | found | missed |", "|---|---:|---|", ...found];
}

/** Nanoseconds per byte; null: it was not done in time. */
function inThread(tool, shape, bytes) {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./redaction-one.mjs", import.meta.url), { workerData: { tool, shape, bytes } });
    const end = (value) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(value);
    };
    const timer = setTimeout(end, PATIENCE, null);
    worker.once("message", end);
    worker.once("error", () => end(null));
  });
}

async function shapes(quick) {
  const ours = TOOLS[0].text;
  const least = async (make, bytes, times) => {
    const all = [];
    // the first two are for the engine
    for (let seed = -2; seed < times; seed++) {
      const text = make(bytes, seed + 9);
      const time = await took(ours, text);
      if (seed >= 0) all.push((1000 * time) / text.length);
    }
    return Math.min(...all);
  };
  const normal = await least((bytes, seed) => prose(bytes, 123_456 + seed), 64 * 1024, 15);
  const peers = quick ? [] : TOOLS.slice(1);
  const lines = [
    `| ns per byte; normal text: ${normal.toFixed(1)} | 64 KB | 1 MB | ÷ normal |${peers.map(({ name }) => ` ${name}, 64 KB |`).join("")}`,
    `|---|---:|---:|---:|${peers.map(() => "---:|").join("")}`,
  ];
  for (const [at, [name, make]] of SHAPES.entries()) {
    const small = await least(make, 64 * 1024, quick ? 2 : 9);
    const large = await least(make, 1024 * 1024, quick ? 1 : 3);
    const cells = [];
    for (const i of peers.keys()) cells.push(await inThread(i + 1, at, 64 * 1024));
    const others = cells.map(
      (value) => ` ${value === null ? `more than ${(PATIENCE / 1000).toFixed(0)} s` : value.toFixed(0)} |`,
    );
    lines.push(
      `| ${name} | ${small.toFixed(1)} | ${large.toFixed(1)} | ${(Math.max(small, large) / normal).toFixed(1)} |${others.join("")}`,
    );
  }
  return lines;
}

/** Markdown of three tables: speed, what is found, texts made to run away. */
export async function redactionPeers({ quick }) {
  const parts = [await speeds(quick ? 3 : 300), await findings(), await shapes(quick)];
  return parts.map((lines) => lines.join("\n")).join("\n\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.stdout.write(`${await redactionPeers({ quick: process.argv.includes("--quick") })}\n`);
