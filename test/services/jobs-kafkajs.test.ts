import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { Kafka as Client, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, Store } from "../e2e/reenact.ts";
import { startProvider } from "../provider/start-provider.ts";
import { missingKafka, startKafka } from "./kafka.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const whenThere = missingKafka() === null || required ? test : test.skip;
const program = (name: string): string =>
  join(import.meta.dirname, "../../packages/hooks/src/jobs/kafkajs/fixtures", name);
const command = [process.execPath, program("worker.mjs")];
const groups = [process.execPath, program("groups.mjs")];
const broken = [
  process.execPath,
  "--import",
  pathToFileURL(join(import.meta.dirname, "../e2e/break-hooks.mjs")).href,
  program("worker.mjs"),
];
const PARTS = ["call", "row", "service"] as const;
const ADDRESS = "grace.hopper@example.com";

interface Job {
  readonly by: string;
  readonly from: string;
  readonly job: {
    readonly topic: string;
    readonly message?: { readonly value: string; readonly headers: object };
    readonly messages?: readonly { readonly value: string }[];
  };
}

const store = new Store();
/** a broker with six programs on a busy machine */
const timeoutMs = 150_000;
let env: Record<string, string>;
let output: readonly string[];
/** what the program prints without the recorder, and where a part of the hook is broken */
let plain: readonly string[];
const spoilt = new Map<string, readonly string[]>();
/** what the consumers that tell how far they are print, without the recorder and with it */
let ofGroups: readonly (readonly string[])[];
let groupRuns: readonly string[];
/** the runs by the values of their messages, in their order */
const runs: [string, string][] = [];

const factsOf = (run: string): Record<string, unknown> =>
  readEnvelope(readFileSync(store.path(run))).facts as unknown as Record<string, unknown>;
const jobOf = (run: string): Job => decodeValue(factsOf(run)["input"] as string) as Job;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await isSo()); await sleep(50))
    if (Date.now() > end) throw new Error("the messages were not consumed");
}

/** Puts the messages into topics of their own, has the program consume them, and returns what is in its answers then. */
async function consume<T>(broker: string, SUFFIX: string, start: () => Promise<T>): Promise<[T, string[]]> {
  const client = new Client({ brokers: [broker], logLevel: logLevel.NOTHING });
  const [admin, producer] = [client.admin(), client.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  const topics = ["single", "batches", "answers"].map((name) => ({ topic: `${name}_${SUFFIX}`, numPartitions: 1 }));
  await admin.createTopics({ topics, waitForLeaders: false });
  const messages = (values: readonly string[]) =>
    values.map((value) => ({ key: `key of ${value}`, value, headers: { from: ADDRESS } }));
  await producer.send({ topic: `batches_${SUFFIX}`, messages: messages(["batch 1", "batch 2", "batch 3"]) });
  await producer.send({ topic: `single_${SUFFIX}`, messages: messages(["first", "quiet", "fails", "last"]) });
  // the broker makes its topic of offsets when it is first asked for some
  const committed = async () =>
    (await admin.fetchOffsets({ groupId: `batches_${SUFFIX}` }).catch(() => null))?.[0]?.partitions[0]?.offset;
  await until(async () => (await admin.fetchOffsets({ groupId: "nobody" }).catch(() => null)) !== null);
  const working = start();
  // a topic that has just been made may have no leader yet
  const answers = async () =>
    Number((await admin.fetchTopicOffsets(`answers_${SUFFIX}`).catch(() => null))?.[0]?.offset);
  await until(async () => (await answers()) >= 3 && (await committed()) === "3");
  await producer.send({ topic: `single_${SUFFIX}`, messages: messages(["stop"]) });
  const ended = await working;
  const sent = `${await answers()} answers`;
  await Promise.all([admin.disconnect(), producer.disconnect()]);
  return [ended, [sent]];
}

beforeAll(async () => {
  if (missingKafka() !== null && !required) return;
  const [kafka, provider] = await Promise.all([startKafka(), startProvider()]);
  const own = (SUFFIX: string) => ({ PROVIDER_URL: provider.url, KAFKA_BROKER: kafka.broker, SUFFIX });
  env = own("recorded");
  const sorted = ({ stdout }: { readonly stdout: string }): string[] => stdout.split("\n").toSorted();
  const spoil = async (BREAK: string): Promise<void> => {
    const brokenEnv = { ...own(BREAK), BREAK };
    const [ended, answers] = await consume(kafka.broker, BREAK, () => store.run(broken, { env: brokenEnv, timeoutMs }));
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/^reenact: recorder fault in /m)]);
    spoilt.set(BREAK, [...sorted(ended), ...answers]);
  };
  const group = async (): Promise<void> => {
    const [without, recorded] = await Promise.all([
      launch(groups, { env: own("plain"), timeoutMs }),
      store.run(groups, { env: own("recorded"), timeoutMs }),
    ]);
    expect([without.code, recorded.code], `${without.stderr} ${recorded.stderr}`).toEqual([0, 0]);
    ofGroups = [sorted(without), sorted(recorded)];
    groupRuns = recorded.summary.runs;
  };
  const working = Promise.all([
    consume(kafka.broker, "plain", () => launch(command, { env: own("plain"), timeoutMs })),
    consume(kafka.broker, "recorded", () => store.run(command, { env, timeoutMs })),
    group(),
    ...PARTS.map(spoil),
  ]);
  // also where it fails: what it says then is told below
  await working.catch(() => {});
  await Promise.all([kafka.stop(), provider.stop()]);
  const [[without, answered], [recorded, answers]] = await working;
  expect(recorded, recorded.stderr).toMatchObject({ code: 0 });
  plain = [...sorted(without), ...answered];
  output = [...sorted(recorded), ...answers];
  for (const run of recorded.summary.runs) {
    const { message, messages } = jobOf(run).job;
    runs.push([message?.value ?? `${messages?.length} of a batch`, run]);
  }
}, 240_000);
afterAll(() => store.remove());

const runOf = (value: string): string => runs.find(([name]) => name === value)?.[1] ?? "";

whenThere("each message, or batch, that asks a model is a run of its own, the others are none", () => {
  expect(output).toEqual(plain);
  expect(output).toContain("stopped");
  expect(runs.map(([name]) => name).toSorted()).toEqual(["3 of a batch", "fails", "fails", "first", "last"]);
  expect(jobOf(runOf("first"))).toMatchObject({
    by: "kafkajs",
    from: "single_recorded",
    job: { topic: "single_recorded", partition: 0, message: { offset: "0", key: "key of first" } },
  });
  expect(readFileSync(store.path(runOf("first"))).includes(ADDRESS)).toBe(false);
});

whenThere("what a handler sends is a step, what the library asks the broker is none", () => {
  const { steps, facts } = readEnvelope(readFileSync(store.path(runOf("first"))));
  expect(steps.map(({ record, span }) => `${record.op} ${span.name}`)).toEqual([
    "openai.chat chat",
    "db:kafka heartbeat",
    "db:kafka send",
  ]);
  expect(facts?.leaks ?? []).toEqual([]);
  expect(factsOf(runOf("fails"))).toMatchObject({ trigger: "job", error: expect.anything() as unknown });
});

whenThere("a message is delivered again with Kafka and the model stopped, and nothing is sent", async () => {
  for (const value of ["first", "fails", "3 of a batch"]) {
    const { report, stderr } = await store.replay(runOf(value), command, { env, flags: ["--cold"] });
    expect(report, `${value} ${stderr}`).toMatchObject({ verdict: "identical", socketsRefused: 0, findings: [] });
  }
  const { report } = await store.replay(runOf("first"), command, {
    env: { ...env, EDIT: "!" },
    flags: ["--cold", "--env", "EDIT"],
  });
  expect(report.divergence).toMatchObject({ verdict: "changed" });
});

whenThere("how far a consumer is, and that the broker does not take it, is told again without Kafka", async () => {
  expect(ofGroups[1]).toEqual(ofGroups[0]);
  expect(ofGroups[0]).toContainEqual(
    expect.stringMatching(/^late: KafkaJSProtocolError UNKNOWN_MEMBER_ID true\S* \w+ KafkaJSNonRetriableError/),
  );
  expect(ofGroups[0]).toContainEqual(
    expect.stringContaining("UNKNOWN_TOPIC_OR_PARTITION true true 0 true false Cannot"),
  );
  const from = groupRuns.map((run) => jobOf(run).from).toSorted();
  expect(from).toEqual(["late_recorded", "pair_recorded", "pair_recorded #2", "rows_recorded"]);
  for (const run of groupRuns) {
    const { report, stderr } = await store.replay(run, groups, {
      env: { ...env, SUFFIX: "recorded" },
      flags: ["--cold"],
    });
    expect(report, `${jobOf(run).from} ${stderr}`).toMatchObject({
      verdict: "identical",
      socketsRefused: 0,
      findings: [],
    });
  }
  const rows = groupRuns.find((run) => jobOf(run).from === "rows_recorded") ?? "";
  const { report } = await store.replay(rows, groups, {
    env: { ...env, SUFFIX: "recorded", EDIT: "1" },
    flags: ["--cold", "--env", "EDIT"],
  });
  expect(report.divergence).toMatchObject({ verdict: "changed" });
});

whenThere.each(PARTS)("a fault in the hook (%s) leaves what the program prints as it is", (part) => {
  expect(spoilt.get(part)).toEqual(plain);
});
