// The command behind `npm run fidelity`: see README.md.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Store } from "../e2e/reenact.ts";
import { each } from "./each.ts";
import type { Group } from "./group.ts";
import { mutationPrograms } from "./mutation-programs.ts";
import { exchanges, tauBench } from "./recorded-traffic.ts";
import { randomAgents, scenarios, scripted } from "./repository-groups.ts";
import { writeTable } from "../mutations/table.ts";
import { table } from "./table.ts";
import { type Outcome, type Program, record, type Recorded, replay } from "./trial.ts";

const { values } = parseArgs({
  options: {
    corpora: { type: "string" },
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
    only: { type: "string", default: "" },
    seed: { type: "string", default: process.env["TEST_SEED"] ?? String(Date.now() % 100_000) },
    agents: { type: "string", default: "50" },
    write: { type: "boolean", default: false },
  },
});

if (values.write && (values.only !== "" || values.corpora === undefined))
  throw new Error("--write is for all programs: with --corpora <folder> and without --only");

const jobs = Number(values.jobs);
const groups: Group[] = [
  scripted,
  scenarios,
  mutationPrograms,
  randomAgents(Number(values.agents), Number(values.seed)),
  ...traffic(values.corpora),
];

function traffic(corpora: string | undefined): Group[] {
  if (corpora === undefined) return [];
  const runs = join(corpora, "tau-bench");
  if (!existsSync(runs)) throw new Error(`--corpora: there is no folder ${runs}`);
  return [tauBench(runs), ...["braintrust", "ruby_llm"].map((name) => exchanges(join(corpora, name)))];
}

const isWanted = (group: Group, { name }: Program): boolean => `${group.name}: ${name}`.includes(values.only);

async function tried(group: Group): Promise<Outcome[]> {
  const store = new Store();
  const { programs, stop, close } = await group.open();
  let recorded: Recorded[];
  try {
    recorded = await each(
      jobs,
      programs.filter((program) => isWanted(group, program)),
      (program) => record(program, store),
    );
  } finally {
    await stop();
  }
  const outcomes = await each(jobs, recorded, (one) => replay(one, store));
  close?.();
  store.remove();
  for (const { program, runs, problem, sockets } of outcomes) {
    if (runs === 0) console.log(`no run: ${group.name}: ${program}`);
    if (problem !== null || sockets > 0)
      console.log(`WRONG ${group.name}: ${program}: ${problem ?? `${sockets} sockets`}`);
  }
  return outcomes;
}

const from = performance.now();
const all = new Map<string, Outcome[]>();
for (const group of groups) {
  const outcomes = await tried(group);
  if (outcomes.length > 0) all.set(group.name, outcomes);
}
const outcomes = [...all.values()].flat();
console.log(`\n${table(all)}\n`);
const none = outcomes.filter(({ runs }) => runs === 0).length;
console.log(`${none} programs made no run; seed ${values.seed}; ${Math.round((performance.now() - from) / 1000)} s`);
if (values.write)
  writeTable(fileURLToPath(new URL("../../packages/replay/README.md", import.meta.url)), "fidelity", table(all));
if (outcomes.some(({ problem, sockets }) => problem !== null || sockets > 0)) process.exitCode = 1;
if (outcomes.length === none) throw new Error(`nothing was recorded: --only ${JSON.stringify(values.only)}`);
