// collector.mjs [--quick] [--write]: what the collector's README states, as Markdown: an acknowledged megabyte against an
// OpenTelemetry Collector (where `npm run services` has installed one), and runs received, sealed, read and indexed.
// Takes some minutes; --quick half a one. --write puts it into collector/README.md.
// collector.mjs --growth [--write] [runs …]: what a catalog of 1,000 to 1,000,000 runs (or of so many) costs to make, to keep and
// to ask. Takes half an hour.
// collector.mjs --reads [--write]: how much reading large runs delays acknowledgements. Takes two minutes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { otelcolProgram } from "../services/otelcol.ts";
import { missingS3Server, startS3Server } from "../services/s3-server.ts";
import { growth, growthTable } from "./growth.mjs";
import { ingest } from "./ingest.mjs";
import { readDelay } from "./read-delay.mjs";
import { openRuns } from "./open-runs.mjs";
import { rebuild } from "./rebuild.mjs";
import { sealing } from "./sealing.mjs";

if (process.argv.includes("--growth")) {
  const given = process.argv.slice(2).map(Number).filter(Number.isInteger);
  const measured = [];
  for (const runs of given.length > 0 ? given : [1e3, 1e4, 1e5, 1e6]) {
    measured.push(await growth(runs));
    // a later one may not fit
    process.stdout.write(`${growthTable(measured.slice(-1))}\n\n`);
  }
  const load = `load average ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;
  const by = "one run of `npm run bench:collector -- --growth`";
  const table = `Node ${process.versions.node}, ${load}, ${by}:\n\n${growthTable(measured)}`;
  process.stdout.write(`${table}\n`);
  if (process.argv.includes("--write")) writeReadme("growth", table);
  process.exit(0);
}

if (process.argv.includes("--reads")) {
  const cells = ({ p50, p99, slowest }) => [p50, p99, slowest].map((ms) => ms.toFixed(1)).join(", ");
  const rows = (await readDelay()).map(
    ({ reads, quiet, reading, count }) =>
      `| ${reads} | ${count} | ${cells(quiet)} | ${cells(reading)} | ${quiet.stretch.toFixed(1)} | ${reading.stretch.toFixed(1)} |`,
  );
  const table = [
    `Node ${process.versions.node}, load average ${loadavg()[0].toFixed(1)} on ${cpus().length} processors, one run of \`npm run bench:collector -- --reads\`:`,
    "",
    "| what is read again and again | times | acknowledged meanwhile without, ms: p50, p99, slowest | with | longest work of the receiving thread without, ms of processor | with |",
    "|---|---:|---:|---:|---:|---:|",
    ...rows,
  ].join("\n");
  process.stdout.write(`${table}\n`);
  if (process.argv.includes("--write")) writeReadme("reads", table);
  process.exit(0);
}

const quick = process.argv.includes("--quick");
const otelcol = existsSync(otelcolProgram()) ? otelcolProgram() : null;
const load = `${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;

const rows = await ingest(quick ? { seconds: 0.5, pairs: 1, otelcol } : { seconds: 1.5, pairs: 5, otelcol });
const sealed = [];
const size = { megabytes: quick ? 8 : 200, reads: quick ? 10 : 300 };
for (const turns of [1, 3, 30, 250]) sealed.push({ store: "folder", ...(await sealing({ turns, ...size })) });
if (missingS3Server("minio") === null) {
  const s3 = await startS3Server("minio");
  sealed.push({ store: "MinIO", ...(await sealing({ turns: 30, ...size, s3 })) });
  await s3.stop();
}
const open = await openRuns(quick ? 2_000 : 100_000);
const made = await rebuild(quick ? 2_000 : 100_000);

const line = (cells) => `| ${cells.join(" | ")} |`;
const table = [
  `Node ${process.versions.node} on ${cpus()[0]?.model.trim() ?? "unknown"}, load average ${load}, one run of \`npm run bench:collector\`${quick ? " --quick (too short to mean anything)" : ""}.`,
  "Receiver and journal alone, servers in turn, each on one processor with the load on the other; ours answers after `fdatasync`:",
  "",
  line(["bodies", "server", "MB per CPU-second", "MB/s", "p50 ms", "p99 ms", "RSS MiB"]),
  "|---|---|---:|---:|---:|---:|---:|",
  ...rows.map(({ bodies, server, perCpu, rate, p50, p99, rss }) =>
    line([bodies, server, perCpu.toFixed(0), rate.toFixed(0), p50.toFixed(1), p99.toFixed(1), rss.toFixed(0)]),
  ),
  "",
  "The whole collector over a folder or a bucket, runs with a growing history, each one request; then runs by id; then `reenact catalog rebuild`:",
  "",
  line([
    "store",
    "turns",
    "runs",
    "received and sealed, MB per CPU-second",
    "MB/s",
    "a run, KB",
    "stored",
    "written ÷ received",
    "by id, p50 (p99) ms",
    "rebuilt, runs/s",
  ]),
  "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
  ...sealed.map(({ store, turns, runs, raw, stored, perCpu, rate, written, byId, rebuilt }) =>
    line([
      store,
      turns,
      runs,
      perCpu.toFixed(0),
      rate.toFixed(0),
      (raw / 1024).toFixed(0),
      `${((stored / raw) * 100).toFixed(1)} %`,
      written.toFixed(2),
      `${byId.p50.toFixed(1)} (${byId.p99.toFixed(1)})`,
      rebuilt.toFixed(0),
    ]),
  ),
  "",
  `Resident memory: ${open.before.toFixed(0)} MiB at start, ${open.rss.toFixed(0)} MiB with ${open.runs.toLocaleString("en")} runs open.`,
  "",
  `A catalog that was lost, ${made.runs.toLocaleString("en")} runs of one turn in a folder: the port was open after ${made.opened.toFixed(1)} s, all rows were there after ${made.seconds.toFixed(0)} s (${made.rate.toFixed(0)} runs/s, ${made.cpu.toFixed(0)} CPU-seconds); the slowest acknowledgement meanwhile took ${made.slowest.toFixed(0)} ms.`,
].join("\n");
process.stdout.write(`${table}\n`);

if (process.argv.includes("--write") && !quick) writeReadme("bench", table);

/** Puts the table between the two comments of this name. */
function writeReadme(name, table) {
  const readme = new URL("../../collector/README.md", import.meta.url);
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
  const text = readFileSync(readme, "utf8");
  const [before, after] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  writeFileSync(readme, `${text.slice(0, before)}${table}\n${text.slice(after)}`);
}
