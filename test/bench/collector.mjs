// collector.mjs [--quick] [--write]: what the collector's README states, as Markdown: an acknowledged megabyte against an
// OpenTelemetry Collector (where `npm run services` has installed one), and runs received, sealed, read and indexed.
// Takes some minutes; --quick half a one. --write puts it into collector/README.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { otelcolProgram } from "../services/otelcol.ts";
import { ingest } from "./ingest.mjs";
import { sealing } from "./sealing.mjs";

const quick = process.argv.includes("--quick");
const otelcol = existsSync(otelcolProgram()) ? otelcolProgram() : null;
const load = `${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;

const rows = await ingest(quick ? { seconds: 0.5, pairs: 1, otelcol } : { seconds: 1.5, pairs: 5, otelcol });
const sealed = [];
for (const turns of [3, 30, 250])
  sealed.push(await sealing({ turns, megabytes: quick ? 8 : 200, reads: quick ? 10 : 300 }));

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
  "The whole collector over a folder, runs with a growing history, each one request; then runs by id; then `reenact catalog rebuild`:",
  "",
  line([
    "turns",
    "runs",
    "received and sealed, MB per CPU-second",
    "MB/s",
    "a run, KB",
    "stored",
    "by id, p50 (p99) ms",
    "rebuilt, runs/s",
  ]),
  "|---:|---:|---:|---:|---:|---:|---:|---:|",
  ...sealed.map(({ turns, runs, raw, stored, perCpu, rate, byId, rebuilt }) =>
    line([
      turns,
      runs,
      perCpu.toFixed(0),
      rate.toFixed(0),
      (raw / 1024).toFixed(0),
      `${((stored / raw) * 100).toFixed(1)} %`,
      `${byId.p50.toFixed(1)} (${byId.p99.toFixed(1)})`,
      rebuilt.toFixed(0),
    ]),
  ),
].join("\n");
process.stdout.write(`${table}\n`);

if (process.argv.includes("--write") && !quick) {
  const readme = new URL("../../collector/README.md", import.meta.url);
  const put = (_, begin, end) => begin + table + end;
  writeFileSync(
    readme,
    readFileSync(readme, "utf8").replace(/(<!-- bench:begin -->\n)[^]*?(\n<!-- bench:end -->)/, put),
  );
}
