// The command behind `npm run mutations`: see README.md.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Provider, startProvider } from "../../examples/scripted-provider/provider.ts";
import { answers } from "./answers.ts";
import { Bench, furnish } from "./bench.ts";
import { type Control, type Edit, nameOf, type Suite } from "./edit.ts";
import { isRight, judge, type Judgement } from "./judge.ts";
import { drawn } from "./slice.ts";
import { suites } from "./suites.ts";
import { table, writeTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
    only: { type: "string", default: "" },
    slice: { type: "string" },
    seed: { type: "string", default: process.env["TEST_SEED"] ?? String(Date.now() % 100_000) },
    verbose: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

if (values.write && (values.only !== "" || values.slice !== undefined)) throw new Error("--write is for all cases");

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const knownFile = here("known-misses.json");
/** Ids of cases with a wrong verdict, each with the verdict it gets. */
const known = JSON.parse(readFileSync(knownFile, "utf8")) as Record<string, string>;
const UNCHANGED: Control = { class: null, name: "unchanged", changes: [] };

interface Job {
  readonly suite: Suite;
  readonly cases: readonly (Edit | Control)[];
}

const idOf = (suite: Suite, one: Edit | Control): string => `${nameOf(suite)}: ${one.class ?? "control"}: ${one.name}`;

function chosenJobs(): Job[] {
  const all = suites.map((suite) => ({ suite, cases: [UNCHANGED, ...suite.controls, ...suite.edits] }));
  const ids = all.flatMap(({ suite, cases }) => cases.map((one) => idOf(suite, one)));
  const doubles = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (doubles.length > 0) throw new Error(`two cases have one name: ${doubles.join("; ")}`);
  const passing = ids.filter((id) => !(id in known));
  const wanted = new Set(
    values.slice === undefined
      ? ids.filter((id) => id.includes(values.only))
      : drawn(passing, Number(values.slice), Number(values.seed)),
  );
  return all
    .map(({ suite, cases }) => ({ suite, cases: cases.filter((one) => wanted.has(idOf(suite, one))) }))
    .filter(({ cases }) => cases.length > 0)
    .toSorted((a, b) => b.cases.length - a.cases.length);
}

async function work({ suite, cases }: Job, bench: Bench, { log }: Provider): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  const path = `/${nameOf(suite)}/`;
  const asked = (): number => log.filter((entry) => entry.event === "request" && entry.path.startsWith(path)).length;
  try {
    await bench.record();
    const recorded = asked();
    for (const one of cases) {
      const judgement = await judge(bench, idOf(suite, one), one);
      if (asked() !== recorded) throw new Error(`${idOf(suite, one)}: its replay has reached the provider`);
      if (judgement === null) {
        console.log(
          `skipped ${idOf(suite, one)}: ${one.release?.name}@${one.release?.version} cannot be installed here`,
        );
        continue;
      }
      if (values.verbose || !isRight(judgement)) console.log(linesOf(judgement));
      judgements.push(judgement);
    }
    return judgements;
  } finally {
    bench.remove();
  }
}

function linesOf(j: Judgement): string {
  const wrong = j.class === null ? "ALARM" : j.found ? "WRONG" : "MISSED";
  const what = isRight(j) ? "right" : j.id in known ? `${wrong} (known)` : wrong;
  const next = j.found && !j.nextRuns ? ", a next command that runs" : "";
  return `${what} ${j.id}\n    said:   ${j.said}\n    wanted: ${j.wanted}${next}`;
}

function report(judgements: readonly Judgement[], seconds: number): void {
  const wrong = judgements.filter((j) => !isRight(j));
  console.log(`\n${table(judgements)}\n`);
  const fresh = wrong.filter(({ id }) => !(id in known)).length;
  console.log(`${judgements.length} cases in ${Math.round(seconds)} s, seed ${values.seed}`);
  console.log(wrong.length === 0 ? "all right" : `${wrong.length} wrong, ${fresh} of them not known`);
  if (values.write) {
    writeTable(here("../../packages/replay/README.md"), "mutations", table(judgements));
    const next = Object.fromEntries(
      wrong.map(({ id, said }) => [
        id,
        said
          .replace(/ \[next: .*/, "")
          .replaceAll(`${home}/`, "")
          .replaceAll(here("../../"), "")
          .slice(0, 160),
      ]),
    );
    writeFileSync(knownFile, `${JSON.stringify(next, null, 2)}\n`);
  }
  if (wrong.length > 0) process.exitCode = 1;
}

const started = performance.now();
const chosen = chosenJobs();
const home = realpathSync(mkdtempSync(join(tmpdir(), "reenact-mutations-")));
furnish(home);
const provider = await startProvider({ script: answers });
// every program is read now: the checkout may change while they run
const jobs = chosen.map((job) => ({ job, bench: new Bench(job.suite, home, provider.url) }));
const judgements: Judgement[] = [];
const next = async (): Promise<void> => {
  for (let one = jobs.shift(); one !== undefined; one = jobs.shift())
    judgements.push(...(await work(one.job, one.bench, provider)));
};
try {
  await Promise.all(Array.from({ length: Number(values.jobs) }, next));
  report(judgements, (performance.now() - started) / 1000);
} finally {
  await provider.stop();
  rmSync(home, { recursive: true, force: true });
}
