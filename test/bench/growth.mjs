import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { multiplyRows } from "./growth-rows.mjs";
import { fillGrowthStore, FAILED, growthRunId, ownWord } from "./growth-runs.mjs";
import { startCollector } from "./start-collector.mjs";
import { median, quantile } from "./statistics.mjs";

const READS = 40;
const FACETS = "fields=status,name,model,version,user,errorClass";

/**
 * A collector over so many runs of one turn in a folder, its catalog lost: how long until all rows are there, and what it costs to
 * ask it then. Above `packed` runs only that many lie in packs: the other rows are copies of theirs, put into the catalog.
 */
export async function growth(runs, { packed = 100_000 } = {}) {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "bench-growth-"));
  const made = Math.min(runs, packed);
  try {
    const stored = fillGrowthStore(join(folder, "store"), made);
    const rebuilt = await start(folder);
    await rebuilt.kill();
    if (runs > made) multiplyRows(join(folder, "data", "catalog.sqlite"), runs / made);
    // once more in any case: a catalog of an older version is brought up to date at its first start
    if (runs > made) await (await start(folder)).kill();
    const restarted = await start(folder);
    const times = await ask(restarted.http, { runs, made });
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${restarted.pid}/status`, "utf8"))[1]) / 1024;
    await restarted.kill();
    const catalog = globSync("data/catalog.sqlite*", { cwd: folder })
      .map((name) => statSync(join(folder, name)).size)
      .reduce((sum, size) => sum + size, 0);
    return { runs, made, rebuilt: rebuilt.seconds, restart: restarted.seconds, rss, stored, catalog, times };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `seconds` until every part is there. */
async function start(folder) {
  const from = performance.now();
  const settings = { data: join(folder, "data"), store: join(folder, "store"), log: "error" };
  const { child, http, stop } = await startCollector(settings);
  while (!(await fetch(`${http}/readyz`)).ok) await sleep(20);
  const kill = async () => {
    stop();
    await once(child, "exit");
  };
  return { http, pid: child.pid, kill, seconds: (performance.now() - from) / 1000 };
}

/** Milliseconds of each question: the fastest of some, the median, the slowest but one in a hundred. */
async function ask(http, { runs, made }) {
  const questions = {
    "by id": (n) => `runs/${growthRunId((n * 7919) % made)}/envelope`,
    list: () => "runs?limit=50",
    "status:failed": () => "runs?limit=50&filter=status:failed",
    facets: () => `facets?${FACETS}`,
    "facets of status:failed": () => `facets?${FACETS}&filter=status:failed`,
    "a word of one run": (n) => `runs?limit=50&filter=${ownWord((n * 7919) % made)}`,
    "a word of every 20th run": () => "runs?limit=50&filter=refused",
  };
  const times = {};
  for (const [name, path] of Object.entries(questions)) {
    const taken = [];
    for (let n = 0; n <= READS; n++) {
      const from = performance.now();
      const answer = await fetch(`${http}/api/v1/${path(n)}`);
      const body = await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path(n)}: ${answer.status}`);
      if (name === "facets" && n === 0) check(JSON.parse(Buffer.from(body).toString()), runs);
      // the first one opens the file and starts the thread
      if (n > 0) taken.push(performance.now() - from);
    }
    times[name] = { fastest: Math.min(...taken), p50: median(taken), p99: quantile(taken, 0.99) };
  }
  return times;
}

/** Throws if the facets count wrong: the time of a wrong answer must not get into the table. */
function check({ facets, exact }, runs) {
  const counts = Object.fromEntries(facets.status.map(({ value, runs: count }) => [value, count]));
  if (!exact || counts.failed !== runs / FAILED || counts.ok !== runs - runs / FAILED)
    throw new Error(`facets of ${runs} runs: ${JSON.stringify(counts)}`);
}

/** The table of some measurements, as Markdown. */
export function growthTable(measured) {
  const number = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
  const names = Object.keys(measured[0].times);
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const line = (name, of) => row([name, ...measured.map(of)]);
  return [
    row(["", ...measured.map(({ runs }) => number(runs))]),
    row(["---", ...measured.map(() => "---:")]),
    line(
      "all rows from the packs, s (runs/s)",
      ({ made, rebuilt }) => `${number(rebuilt)} (${number(made / rebuilt)})${made < 1e5 ? "" : ` of ${number(made)}`}`,
    ),
    line("restart after kill -9, s", ({ restart }) => number(restart)),
    line("resident memory, MiB", ({ rss }) => number(rss)),
    line("packs, MB", ({ stored, made, runs }) => (made < runs ? "" : number(stored / 1e6))),
    line("catalog, MB", ({ catalog }) => number(catalog / 1e6)),
    ...names.map((name) =>
      line(`${name}, ms: fastest, p50, p99`, ({ times }) => {
        const { fastest, p50, p99 } = times[name];
        return `${number(fastest)}, ${number(p50)}, ${number(p99)}`;
      }),
    ),
  ].join("\n");
}
