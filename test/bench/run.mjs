// run.mjs [--quick] [--write]: every number that the README states, as a Markdown table, and redaction beside its peers.
// Takes about a quarter of an hour;
// --quick a minute, to see that it works. --write puts the table into the README.
import { readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { oneCall } from "./one-call.mjs";
import { whatIsTooSlow } from "./floor.mjs";
import { overhead } from "./overhead.mjs";
import { redactionPeers } from "./redaction-peers.mjs";
import { redactionSpeed } from "./redaction-speed.mjs";
import { replaySpeed } from "./replay-speed.mjs";
import { startUp } from "./start-up.mjs";
import { storedBytes } from "./stored-bytes.mjs";
import { tableOf } from "./table.mjs";

const quick = process.argv.includes("--quick");

const measured = {
  overhead: await overhead(quick ? { rounds: 1, calls: 3 } : { rounds: 10, calls: 12 }),
  // first: it leaves the code compiled, as any recorded program does
  oneCall: oneCall(quick ? 2 : 25),
  startUp: startUp(quick ? 2 : 25),
  replay: {
    steps: quick ? 200 : 2100,
    rate: replaySpeed(quick ? { steps: 200, times: 1 } : { steps: 2100, times: 3 }),
  },
  stored: { turns: 30, ...storedBytes(30) },
  redaction: redactionSpeed(quick ? 5 : 200),
};
const slow = whatIsTooSlow(measured.overhead);
const table = tableOf(measured, {
  node: process.versions.node,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  // what else the machine does makes every number worse: whoever reads them must be able to see it
  load: `${loadavg()[0].toFixed(1)} on ${cpus().length} processors`,
  quick,
});
process.stdout.write(`${table}\n\n${await redactionPeers({ quick })}\n`);
// what the recorder adds to the longest stall of an agent's loop; of all sizes and kinds: npm run bench:stall
const stall = fileURLToPath(new URL("stall.mjs", import.meta.url));
const stalls = spawnSync(process.execPath, [stall, ...(quick ? ["--quick"] : ["--mb=0.1,1,5", "--rounds=3"])], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
// 1: above the bar, which the table says
if (stalls.status !== 0 && stalls.status !== 1) throw new Error("stall.mjs could not measure");
process.stdout.write(`\n${stalls.stdout}`);

if (process.argv.includes("--write") && !quick) {
  const readme = new URL("../../README.md", import.meta.url);
  const text = readFileSync(readme, "utf8");
  const put = text.replace(
    /(<!-- bench:begin -->\n)[^]*?(\n<!-- bench:end -->)/,
    (_, begin, end) => begin + table + end,
  );
  writeFileSync(readme, put);
}
if (slow !== null) {
  process.stderr.write(`bench: ${slow}\n`);
  process.exitCode = 1;
}
