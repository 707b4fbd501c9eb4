// The command behind `npm run matrix`: see README.md.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Store } from "../e2e/reenact.ts";
import { each } from "../fidelity/each.ts";
import { drawn } from "../mutations/slice.ts";
import { writeTable } from "../mutations/table.ts";
import { startChildProvider } from "../provider/child-provider.ts";
import { cellsOf, recordCell, replayCell } from "./cells.ts";
import { subjects } from "./subjects.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
    only: { type: "string", default: "" },
    slice: { type: "string" },
    seed: { type: "string", default: process.env["TEST_SEED"] ?? String(Date.now() % 100_000) },
    write: { type: "boolean", default: false },
  },
});
if (values.write && (values.only !== "" || values.slice !== undefined))
  throw new Error("--write is for all cells: without --only and --slice");

const from = performance.now();
const jobs = Number(values.jobs);
const all = await subjects();
const wanted = cellsOf(all).filter(({ subject, which }) => `${subject.name}: ${which}`.includes(values.only));
const cells = values.slice === undefined ? wanted : drawn(wanted, Number(values.slice), Number(values.seed));
if (cells.length === 0) throw new Error(`no cell has ${JSON.stringify(values.only)} in "<name>: <case>"`);

const store = new Store();
const provider = await startChildProvider({ log: join(store.folder, "provider.jsonl") });
let recorded;
try {
  recorded = await each(jobs, cells, async (cell) => ({
    cell,
    recorded: await recordCell(cell, provider.port, store),
  }));
} finally {
  await provider.stop();
}
const tried = await each(jobs, recorded, (one) => replayCell(one.cell, one.recorded, store));
store.remove();

const wrong = tried.filter(({ problem }) => problem !== null);
for (const { subject, which, problem } of wrong) console.log(`WRONG ${subject.name}: ${which}: ${problem}`);
const text = table(all, tried);
console.log(`\n${text}\n`);
const seconds = Math.round((performance.now() - from) / 1000);
console.log(
  `${tried.length - wrong.length} of ${tried.length} cells are recorded and replay as recorded; seed ${values.seed}; ${seconds} s`,
);
if (values.write)
  writeTable(fileURLToPath(new URL("../../packages/replay/README.md", import.meta.url)), "matrix", text);
if (wrong.length > 0) process.exitCode = 1;
