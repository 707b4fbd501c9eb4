import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { Queue } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, type RunSummary, Store } from "../e2e/reenact.ts";
import { startProvider } from "../provider/start-provider.ts";
import type { DatabaseServer } from "./databases.ts";
import { missingRedis, startRedis } from "./redis.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const whenThere = missingRedis() === null || required ? test : test.skip;
const fixtures = join(import.meta.dirname, "../../packages/hooks/src/jobs/bullmq/fixtures");
const command = [process.execPath, join(fixtures, "worker.mjs")];
const broken = pathToFileURL(join(import.meta.dirname, "../e2e/break-hooks.mjs")).href;
const ADDRESS = "grace.hopper@example.com";
const KEY = "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f";
const PASSWORD = "hunter2hunter2";

const store = new Store();
let suffix = 0;
let redis: DatabaseServer;
let env: Record<string, string>;
let summary: RunSummary;
/** What the worker prints without the recorder, with it, and where a part of it throws. */
const printed: Record<"plain" | "recorded" | "call" | "row" | "service", string> = {
  plain: "",
  recorded: "",
  call: "",
  row: "",
  service: "",
};
/** the runs by the question and the attempt of their job */
const runs = new Map<string, string>();

interface Job {
  readonly by: string;
  readonly from: string;
  readonly name: string;
  readonly job: { readonly id: string; readonly attempt: number; readonly data: Readonly<Record<string, unknown>> };
}
interface Root {
  readonly trigger: string;
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly leaks?: readonly unknown[];
}

const rootOf = (run: string): Root => readEnvelope(readFileSync(store.path(run))).facts as unknown as Root;
const jobOf = (run: string): Job => decodeValue(rootOf(run).input) as Job;
/** Jobs end in whatever order; what the model says is chance. */
const lines = (text: string): string[] => text.split("\n").toSorted();

/** Adds the jobs, waits until they are carried out, and ends the worker. */
async function feed(env: Readonly<Record<string, string>>): Promise<void> {
  const connection = {
    host: env["REDIS_HOST"] as string,
    port: Number(env["REDIS_PORT"]),
    password: env["REDIS_PASSWORD"] as string,
  };
  const queue = new Queue(`answers-${env["SUFFIX"]}`, { connection });
  await queue.addBulk([
    { name: "plain", data: {} },
    { name: "asks", data: { question: "first", email: ADDRESS, key: KEY, password: PASSWORD } },
    { name: "fails", data: { question: "twice" }, opts: { attempts: 2, backoff: 50 } },
    { name: "wait", data: { question: "later" } },
    ...[1, 2, 3, 4].map((n) => ({ name: "asks", data: { question: `at once ${n}` } })),
  ]);
  for (const until = Date.now() + 20_000; (await queue.getJobCountByTypes("completed")) < 8; await sleep(20))
    if (Date.now() > until) throw new Error("the jobs were not carried out");
  await queue.add("stop", {});
  await queue.close();
}

const environment = (more: Readonly<Record<string, string>>): Record<string, string> => ({
  ...redis.env,
  ...more,
  SUFFIX: `s${suffix++}`,
});

beforeAll(async () => {
  if (missingRedis() !== null && !required) return;
  redis = await startRedis();
  const provider = await startProvider();
  const PROVIDER_URL = provider.url;
  const plainEnv = environment({ PROVIDER_URL });
  const [plain] = await Promise.all([launch(command, { env: plainEnv }), feed(plainEnv)]);
  printed.plain = plain.stdout;
  env = environment({ PROVIDER_URL });
  const [recorded] = await Promise.all([store.run(command, { env }), feed(env)]);
  printed.recorded = recorded.stdout;
  expect(recorded, recorded.stderr).toMatchObject({ code: 0, stderr: "" });
  ({ summary } = recorded);
  const spoil = async (BREAK: "call" | "row" | "service"): Promise<void> => {
    const brokenEnv = environment({ PROVIDER_URL, BREAK });
    const [first = "", ...rest] = command;
    const [spoilt] = await Promise.all([
      store.run([first, "--import", broken, ...rest], { env: brokenEnv }),
      feed(brokenEnv),
    ]);
    expect([spoilt.code, spoilt.stderr]).toEqual([0, expect.stringMatching(/^reenact: recorder fault in /m)]);
    printed[BREAK] = spoilt.stdout;
  };
  await Promise.all([spoil("call"), spoil("row"), spoil("service")]);
  await provider.stop();
  await redis.stop();
  for (const run of summary.runs) {
    const { job } = jobOf(run);
    runs.set(
      `${String(job.data["question"])} ${job.attempt}${runs.has("later 1") && job.data["question"] === "later" ? " again" : ""}`,
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

whenThere("each job that asks a model is a run of its own, the others are none", () => {
  expect(lines(printed.recorded)).toEqual(lines(printed.plain));
  expect(printed.plain).toContain(`completed asks {"question":"first","email":"${ADDRESS}","isStored":true`);
  expect([...runs.keys()].toSorted()).toEqual(
    [
      "first 1",
      "twice 1",
      "twice 2",
      "later 1",
      "later 1 again",
      ...[1, 2, 3, 4].map((n) => `at once ${n} 1`),
    ].toSorted(),
  );
  const run = runs.get("twice 2") ?? "";
  expect(rootOf(run)).toMatchObject({ trigger: "job", name: `answers-${env["SUFFIX"]}/fails` });
  expect(jobOf(run)).toMatchObject({
    by: "bullmq",
    from: `answers-${env["SUFFIX"]}`,
    name: "fails",
    job: { id: "3", attempt: 2, data: { question: "twice" } },
  });
  expect(decodeValue(rootOf(run).output)).toMatchObject({ question: "twice", attempt: 1 });
});

whenThere("what a job asks of Redis and of its queues are steps, what the worker does is none", () => {
  const { steps, facts } = readEnvelope(readFileSync(store.path(runs.get("at once 2 1") ?? "")));
  expect(steps.map(({ record, span }) => `${record.op} ${span.name}`)).toEqual([
    "db:bullmq updateProgress",
    "openai.chat chat",
    "db:redis connect",
    "db:redis SET *",
    "db:redis GET *",
    "db:bullmq updateData",
    "db:bullmq addJob",
    "db:bullmq addLog",
    "db:bullmq getState",
  ]);
  expect(facts?.leaks ?? []).toEqual([]);
});

whenThere("a job is delivered again with Redis and the model stopped, and its result compared", async () => {
  const again = async (job: string): Promise<void> => {
    const { report, stdout, stderr } = await replay(runs.get(job));
    expect(report, `${job} ${stderr}`).toMatchObject({ verdict: "identical", socketsRefused: 0, findings: [] });
    expect(stdout).toBe("string\n");
  };
  await Promise.all(["first 1", "later 1", "later 1 again", "twice 1", "at once 3 1"].map(again));
  const warm = await replay(runs.get("twice 2"), "", []);
  expect(warm.report.notes).toContainEqual(
    expect.stringMatching(/^the recorded job answers-s1\/fails was delivered to the program, after \d earlier runs$/),
  );
  expect(warm.report).toMatchObject({ verdict: "identical", socketsRefused: 0 });
});

whenThere("changed code is told apart, with its first cause", async () => {
  const found: Record<string, readonly [string, RegExp]> = {
    "asks-more": ["changed", /^request 2 \(openai\.chat\) differs at \/messages\/0\/content$/],
    loud: ["output-changed", /^the job's result differs though every call was served/],
    throws: ["error", /^job "answers-s1\/asks" ended with Error: a new error/],
    silent: ["missing", /openai\.chat/],
    elsewhere: [
      "no-progress",
      /the program waits for jobs of bullmq elsewhere-s1, and the recorded run is a job of bullmq answers-s1$/,
    ],
  };
  const change = async ([edit, [verdict, cause]]: [string, readonly [string, RegExp]]): Promise<void> => {
    const { report, code } = await replay(runs.get("first 1"), edit);
    expect([code, report.divergence?.verdict], edit).toEqual([10, verdict]);
    expect(report.divergence?.cause).toMatch(cause);
  };
  await Promise.all(Object.entries(found).map(change));
});

whenThere("values of a job are redacted wherever they go, and a replay with them is identical", () => {
  const folder = readEnvelope(readFileSync(store.path(runs.get("first 1") ?? "")));
  const file = JSON.stringify(folder.spans, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  for (const value of [ADDRESS, KEY, PASSWORD]) expect(file).not.toContain(value);
});

whenThere("a fault in the recorder leaves the worker as it is without it", () => {
  for (const part of ["call", "row", "service"] as const)
    expect(lines(printed[part]), part).toEqual(lines(printed.plain));
});
