import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, type RunSummary, Store } from "../e2e/reenact.ts";
import { startProvider } from "../provider/start-provider.ts";
import { missingPostgres, type Postgres, startPostgres } from "./postgres.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const whenThere = missingPostgres() === null || required ? test : test.skip;
const program = join(import.meta.dirname, "../../packages/hooks/src/jobs/pg-boss/fixtures/worker.mjs");
const command = [process.execPath, program];
const broken = ["--import", pathToFileURL(join(import.meta.dirname, "../e2e/break-hooks.mjs")).href];
const ADDRESS = "grace.hopper@example.com";
const KEY = "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f";
const PARTS = ["call", "row", "service"] as const;

interface Job {
  readonly by: string;
  readonly from: string;
  readonly job: {
    readonly jobs: readonly { readonly data: { readonly question: string }; readonly retryCount: number }[];
  };
}

const store = new Store();
let postgres: Postgres;
let env: Record<string, string>;
let summary: RunSummary;
/** What the program prints without the recorder, with it, and where a part of it throws; the jobs with their states and outputs. */
const worked = new Map<string, { readonly lines: readonly string[]; readonly jobs: readonly string[] }>();
/** the runs by the questions and the attempt of their jobs */
const runs = new Map<string, string>();

const factsOf = (run: string): Record<string, unknown> =>
  readEnvelope(readFileSync(store.path(run))).facts as unknown as Record<string, unknown>;
const jobOf = (run: string): Job => decodeValue(factsOf(run)["input"] as string) as Job;

/** Adds the jobs, waits until they are carried out, and ends the program. Returns how the jobs ended. */
async function feed(suffix: string): Promise<string[]> {
  const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = postgres.env;
  const connectionString = `postgres://${PGUSER}:${PGPASSWORD}@${PGHOST}:${PGPORT}/${PGDATABASE}`;
  const boss = new PgBoss({ connectionString, schema: `boss_${suffix}`, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  const queues = ["answers", "batches"];
  for (const queue of [...queues, "stop"]) await boss.createQueue(queue, { retryLimit: 1, retryDelay: 0 });
  const questions = ["twice", "at once 1", "at once 2"];
  await boss.insert("answers", [
    { data: {} },
    { data: { question: "first", email: ADDRESS, key: KEY } },
    ...questions.map((question) => ({ data: { question } })),
  ]);
  await boss.insert(
    "batches",
    [1, 2, 3].map((n) => ({ data: { question: `batch ${n}` } })),
  );
  const look = async () => (await Promise.all(queues.map((queue) => boss.findJobs(queue)))).flat();
  let jobs = await look();
  for (const until = Date.now() + 30_000; jobs.some(({ state }) => state !== "completed"); jobs = await look()) {
    if (Date.now() > until) throw new Error("the jobs were not carried out");
    await sleep(50);
  }
  await boss.send("stop", {});
  await boss.stop();
  return jobs
    .map(({ data, state, output }) => JSON.stringify([data, state, Object.entries(output ?? {}).toSorted()]))
    .toSorted();
}

/** Has the program carry out the jobs of a schema of its own, which has the name of `how`. */
async function work<T extends { readonly stdout: string }>(
  how: string,
  start: (env: Record<string, string>) => Promise<T>,
  more: Readonly<Record<string, string>>,
): Promise<T> {
  const own = { ...postgres.env, ...more, SUFFIX: how };
  const [ended, jobs] = await Promise.all([start(own), feed(how)]);
  worked.set(how, { lines: ended.stdout.split("\n").toSorted(), jobs });
  return ended;
}

beforeAll(async () => {
  if (missingPostgres() !== null && !required) return;
  postgres = await startPostgres();
  const provider = await startProvider();
  const more = { PROVIDER_URL: provider.url };
  const [first = "", ...rest] = command;
  await Promise.all([
    work("plain", (own) => launch(command, { env: own }), more),
    work("recorded", (own) => store.run(command, { env: (env = own) }), more).then((recorded) => {
      expect(recorded, recorded.stderr).toMatchObject({ code: 0, stderr: "" });
      ({ summary } = recorded);
    }),
  ]);
  const spoil = async (part: string): Promise<void> => {
    const start = (own: Record<string, string>) => store.run([first, ...broken, ...rest], { env: own });
    const spoilt = await work(part, start, { ...more, BREAK: part });
    expect([spoilt.code, spoilt.stderr]).toEqual([0, expect.stringMatching(/^reenact: recorder fault in /m)]);
  };
  await Promise.all(PARTS.map(spoil));
  await provider.stop();
  await postgres.stop();
  for (const run of summary.runs) {
    const { jobs } = jobOf(run).job;
    runs.set(
      `${jobs
        .map(({ data }) => data.question)
        .toSorted()
        .join(", ")} ${jobs[0]?.retryCount}`,
      run,
    );
  }
}, 90_000);
afterAll(() => store.remove());

const replay = (run: string | undefined, edit = "", flags: readonly string[] = ["--cold"]) =>
  store.replay(
    run ?? "",
    command,
    edit === "" ? { env, flags } : { env: { ...env, EDIT: edit }, flags: [...flags, "--env", "EDIT"] },
  );

whenThere("each job, or batch of jobs, that asks a model is a run of its own, the others are none", () => {
  expect(worked.get("recorded")).toEqual(worked.get("plain"));
  expect(worked.get("plain")?.lines).toContain("stopped");
  const names = ["first 0", "twice 0", "twice 1", "at once 1 0", "at once 2 0", "batch 1, batch 2, batch 3 0"];
  expect([...runs.keys()].toSorted()).toEqual(names.toSorted());
  const failed = runs.get("twice 0") ?? "";
  expect(factsOf(failed)).toMatchObject({ trigger: "job", name: "answers", error: expect.anything() as unknown });
  expect(jobOf(failed)).toMatchObject({
    by: "pg-boss",
    from: "answers",
    job: { jobs: [{ data: { question: "twice" } }] },
  });
});

whenThere("what a job asks of pg-boss are steps, what pg-boss asks PostgreSQL is none", () => {
  const { steps, facts } = readEnvelope(readFileSync(store.path(runs.get("first 0") ?? "")));
  expect(steps.map(({ record, span }) => `${record.op} ${span.name}`)).toEqual([
    "openai.chat chat",
    "db:postgresql connect",
    "db:postgresql SELECT",
    "db:pg-boss send",
    "db:pg-boss getJobById",
    "db:pg-boss touch",
  ]);
  expect(facts?.leaks ?? []).toEqual([]);
  const bytes = readFileSync(store.path(runs.get("first 0") ?? ""));
  for (const value of [ADDRESS, KEY]) expect(bytes.includes(value)).toBe(false);
});

whenThere("a job is delivered again with PostgreSQL and the model stopped, and its result compared", async () => {
  const again = async (job: string): Promise<void> => {
    const { report, stdout, stderr } = await replay(runs.get(job));
    expect(report, `${job} ${stderr}`).toMatchObject({ verdict: "identical", socketsRefused: 0, findings: [] });
    printed.set(job, stdout);
  };
  const printed = new Map<string, string>();
  await Promise.all(["first 0", "twice 0", "at once 1 0", "batch 1, batch 2, batch 3 0"].map(again));
  const [answer] = worked.get("plain")?.lines.filter((line) => line.includes('"at once 1"')) ?? [];
  expect(printed.get("at once 1 0")).toBe(`string\n${answer}\n`);
  expect(printed.get("batch 1, batch 2, batch 3 0")).toBe("string\n3 at once\n");
  const warm = await replay(runs.get("twice 1"), "", []);
  expect(warm.report, warm.stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
});

whenThere("changed code is told apart, with its first cause", async () => {
  const found: Record<string, readonly [string, RegExp]> = {
    "asks-more": ["changed", /^request 1 \(openai\.chat\) differs at \/messages\/0\/content$/],
    throws: ["error", /^job "answers" ended with Error: a new error/],
    elsewhere: ["no-progress", /the program waits for jobs of pg-boss elsewhere, .* a job of pg-boss answers$/],
  };
  const change = async ([edit, [verdict, cause]]: [string, readonly [string, RegExp]]): Promise<void> => {
    const { report, code } = await replay(runs.get("first 0"), edit);
    expect([code, report.divergence?.verdict], edit).toEqual([10, verdict]);
    expect(report.divergence?.cause).toMatch(cause);
  };
  await Promise.all(Object.entries(found).map(change));
});

whenThere("a fault in the recorder leaves the program and its jobs as they are without it", () => {
  for (const part of PARTS) expect(worked.get(part), part).toEqual(worked.get("plain"));
});
