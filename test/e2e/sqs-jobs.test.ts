import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type Ended, launch, Store } from "./reenact.ts";
import { startSqsServer } from "./sqs-server.ts";

const program = join(import.meta.dirname, "../../packages/hooks/src/jobs/sqs-consumer/fixtures/worker.mjs");
const command = [process.execPath, program];
const broken = ["--import", pathToFileURL(join(import.meta.dirname, "break-hooks.mjs")).href];
const ADDRESS = "grace.hopper@example.com";
const messages = [{}, { question: "first", to: ADDRESS }, { question: "fails" }, { question: "at once" }];

interface Worked<T extends Ended = Ended> {
  readonly ended: T;
  readonly env: Record<string, string>;
  readonly sent: readonly string[];
}
type Message = { readonly Body: string };
interface Job {
  readonly from: string;
  readonly job: { readonly message?: Message; readonly messages?: readonly Message[] };
}

const store = new Store();
let provider: Awaited<ReturnType<typeof startProvider>>;
let recorded: Worked<Ended & { summary: { runs: string[] } }>;
let plain: Worked;
let batch: typeof recorded;
let spoilt: readonly Worked[];

/** Has a worker carry out the messages, and end; then the queue is stopped. */
async function work<T extends Ended>(
  start: (env: Record<string, string>) => Promise<T>,
  more = {},
): Promise<Worked<T>> {
  const server = await startSqsServer();
  server.add(...messages.map((message) => JSON.stringify(message)));
  const env = { PROVIDER_URL: provider.url, SQS_URL: server.url, ...more };
  const feed = async (): Promise<void> => {
    for (const until = Date.now() + 20_000; server.deleted < messages.length && Date.now() < until;) await sleep(10);
    server.add(JSON.stringify({ question: "stop" }));
  };
  const [ended] = await Promise.all([start(env), feed()]);
  await server.stop();
  return { ended, env, sent: server.sent.toSorted() };
}

const jobOf = (run: string): Job => decodeValue(rootOf(run)["input"] ?? "") as Job;
const rootOf = (run: string): Record<string, string> =>
  readEnvelope(readFileSync(store.path(run))).facts as unknown as Record<string, string>;
const lines = ({ stdout }: Ended): string[] => stdout.split("\n").toSorted();
const runsOf = (question: string): string[] =>
  recorded.ended.summary.runs.filter((run) => jobOf(run).job.message?.Body.includes(`"${question}"`));

beforeAll(async () => {
  provider = await startProvider();
  const record = (env: Record<string, string>) => store.run(command, { env });
  const [node = "", file = ""] = command;
  const spoil = (BREAK: string): Promise<Worked> =>
    work((env) => store.run([node, ...broken, file], { env }), { BREAK });
  [plain, recorded, batch, ...spoilt] = await Promise.all([
    work((env) => launch(command, { env })),
    work(record),
    work(record, { BATCH: "1" }),
    spoil("call"),
    spoil("row"),
  ]);
  await provider.stop();
}, 60_000);
afterAll(() => store.remove());

test("each message whose handler asks a model is a run, in whichever way it ends", () => {
  expect(recorded.ended).toMatchObject({ code: 0, stderr: "" });
  expect(lines(recorded.ended)).toEqual(lines(plain.ended));
  expect(recorded.sent).toEqual(["answered at once", "answered fails", "answered first"]);
  expect(recorded.ended.summary.runs).toHaveLength(4);
  const [first = ""] = runsOf("first");
  expect(rootOf(first)).toMatchObject({ trigger: "job", name: "questions" });
  expect(readFileSync(store.path(first)).includes(ADDRESS)).toBe(false);
  expect(jobOf(first).job.message?.Body).not.toContain(ADDRESS);
  const { steps } = readEnvelope(readFileSync(store.path(first)));
  // that the message was deleted is the library's own work
  expect(steps.map(({ record }) => record.op.split(":")[0])).toEqual(["openai.chat", "http"]);
  const statuses = runsOf("fails").map((run) => "error" in rootOf(run));
  expect(statuses.toSorted()).toEqual([false, true]);
});

test.each(["first", "fails"])(
  "the job %s replays without its queue, and is told where it differs",
  async (question) => {
    const [run = ""] = runsOf(question);
    const { env } = recorded;
    const { report, stderr } = await store.replay(run, command, { env, flags: ["--cold"] });
    expect(report, stderr).toMatchObject({ verdict: "identical", refusals: [], socketsRefused: 0 });
    if (question !== "first") return;
    const changed = await store.replay(run, command, {
      env: { ...env, EDIT: "!" },
      flags: ["--cold", "--env", "EDIT"],
    });
    expect(changed.report.divergence).toMatchObject({ slot: "openai.chat|0", verdict: "changed" });
  },
);

test("messages that are handed over at once are one run", async () => {
  expect(batch.ended).toMatchObject({ code: 0, stderr: "" });
  const run = batch.ended.summary.runs.at(-1) ?? "";
  expect(jobOf(run).job.messages?.length).toBeGreaterThan(0);
  const { report, stderr } = await store.replay(run, command, { env: batch.env, flags: ["--cold"] });
  expect(report, stderr).toMatchObject({ verdict: "identical", refusals: [], socketsRefused: 0 });
});

test("where a part of the row throws, the worker does what it does without the recorder", () => {
  for (const { ended, sent } of spoilt) {
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^reenact: recorder fault in /m);
    expect(lines(ended)).toEqual(lines(plain.ended));
    expect(sent).toEqual(plain.sent);
  }
});
