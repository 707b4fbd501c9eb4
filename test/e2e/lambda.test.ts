import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ATTR, decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maskChance } from "../../examples/scripted-provider/serial.ts";
import { startProvider } from "../provider/start-provider.ts";
import { type Answered, startRuntimeApi } from "./lambda-runtime-api.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { launch, Store } from "./reenact.ts";

const fixtures = fileURLToPath(new URL("../../packages/hooks/src/jobs/aws-lambda/fixtures", import.meta.url));
const runner = fileURLToPath(new URL("../../packages/node/bin/reenact-lambda.js", import.meta.url));
const register = import.meta.resolve("@reenact/node/register");
const native = pathToFileURL(join(import.meta.dirname, "../programs/lambda-runtime.mjs")).href;
const preload = pathToFileURL(join(import.meta.dirname, "break-hooks.mjs")).href;
const runtime = createRequire(join(fixtures, "index.mjs")).resolve("aws-lambda-ric/index.mjs");
/** An invocation takes far less. */
const LONG_MS = 15_000;
const KEY = "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f";

const store = new Store();
let provider: Awaited<ReturnType<typeof startProvider>>;
/** the runs by their event's question */
const runs = new Map<string, string>();
const answers: Record<string, Answered> = {};

interface Function {
  invoke(event: unknown): Promise<Answered>;
  /** what it said on standard error */
  stop(signal?: NodeJS.Signals): Promise<string>;
}

/** Starts AWS's own runtime with a handler, recorded by the one line. */
async function start(handler: string, env: Readonly<Record<string, string>> = {}): Promise<Function> {
  const own = await startRuntimeApi();
  const child = spawn(process.execPath, [runtime], {
    cwd: fixtures,
    env: {
      PATH: process.env["PATH"],
      NODE_OPTIONS: `--import=${register} --import=${native}`,
      AWS_LAMBDA_RUNTIME_API: own.address,
      AWS_LAMBDA_FUNCTION_NAME: "desk",
      AWS_LAMBDA_FUNCTION_VERSION: "1",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "128",
      AWS_LAMBDA_LOG_GROUP_NAME: "group",
      AWS_LAMBDA_LOG_STREAM_NAME: "stream",
      LAMBDA_TASK_ROOT: fixtures,
      _HANDLER: handler,
      REENACT_STORE: store.folder,
      PROVIDER_URL: provider.url,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  return {
    invoke: async (event) => {
      const ended = once(child, "exit").then(() => Promise.reject(new Error(`the runtime has ended: ${said}`)));
      ended.catch(() => {});
      return Promise.race([own.invoke(event), ended]);
    },
    async stop(signal = "SIGKILL") {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      own.stop();
      return said;
    },
  };
}

beforeAll(async () => {
  provider = await startProvider();
  const plain = await start("index.handler");
  answers["quiet"] = await plain.invoke({});
  answers["first"] = await plain.invoke({ question: "first", key: KEY });
  answers["fails"] = await plain.invoke({ question: "fails", fails: true });
  const others = { wrapped: "index.answers", streamed: "index.streams", bundled: "bundled.handler" };
  const each = async ([question, handler]: [string, string]): Promise<void> => {
    const started = await start(handler);
    answers[question] = await started.invoke(
      question === "wrapped" ? { body: JSON.stringify({ question }) } : { question },
    );
    expect(await started.stop()).toBe("");
  };
  await Promise.all(Object.entries(others).map(each));
  expect(await plain.stop()).toBe("");
  const { stdout } = await store.command("ls", "--json");
  for (const { run } of (JSON.parse(stdout) as { runs: { run: string }[] }).runs) {
    const { event } = jobOf(run).job;
    const { question, body } = event;
    runs.set(question ?? (JSON.parse(body ?? "{}") as { question: string }).question, run);
  }
}, 90_000);
afterAll(async () => {
  await provider.stop();
  store.remove();
});

interface Job {
  readonly by: string;
  readonly from: string;
  readonly job: {
    readonly event: { readonly question?: string; readonly body?: string };
    readonly context: Readonly<Record<string, unknown>>;
  };
}

const envelopeOf = (run: string) => readEnvelope(readFileSync(store.path(run)));
const jobOf = (run: string): Job => decodeValue(String(envelopeOf(run).facts?.input)) as Job;
const replay = (question: string, handler: string, edit = "") =>
  store.replay(runs.get(question) ?? "", [process.execPath, runner, handler], {
    cwd: fixtures,
    env: { PROVIDER_URL: "http://127.0.0.1:1", ...(edit === "" ? {} : { EDIT: edit }) },
    timeoutMs: 20_000,
    flags: ["--cold", ...(edit === "" ? [] : ["--env", "EDIT"])],
  });

test("each invocation that asks a model is a run with its event and answer, the others are none", () => {
  expect([...runs.keys()].toSorted()).toEqual(["bundled", "fails", "first", "streamed", "wrapped"]);
  expect(answers["quiet"]).toMatchObject({ as: "response", body: '{"quiet":true}' });
  const envelope = envelopeOf(runs.get("first") ?? "");
  expect(envelope).toMatchObject({ complete: true, manifest: { trigger: "job", status: "ok" } });
  expect(envelope.facts).toMatchObject({ name: "desk" });
  expect(readFileSync(store.path(runs.get("first") ?? "")).includes(KEY)).toBe(false);
  const job = jobOf(runs.get("first") ?? "");
  expect(job).toMatchObject({ by: "aws-lambda", from: "desk", job: { event: { question: "first" } } });
  expect(job.job.context).toMatchObject({ functionName: "desk", awsRequestId: answers["first"]?.id });
  expect(JSON.parse(answers["first"]?.body ?? "")).toEqual(decodeValue(String(envelope.facts?.output)));
  expect(answers["fails"]).toMatchObject({ as: "error" });
  expect(envelopeOf(runs.get("fails") ?? "").manifest).toMatchObject({ status: "failed" });
  const streamed = decodeValue(String(envelopeOf(runs.get("streamed") ?? "").facts?.output));
  expect(streamed).toMatchObject({ head: { statusCode: 200 }, body: expect.stringMatching(/^data: /) as string });
  expect(answers["streamed"]?.body.split("\0").at(-1)).toBe((streamed as { body: string }).body);
});

test("the recorded event is handed to the handler by the command, and what it returns compared", async () => {
  const handlers = {
    first: "index.handler",
    fails: "index.handler",
    wrapped: "index.answers",
    streamed: "index.streams",
    bundled: "bundled.handler",
  };
  const again = async ([question, handler]: [string, string]): Promise<void> => {
    const { report, code, stderr } = await replay(question, handler);
    expect([code, report.verdict, report.divergence], `${question} ${stderr}`).toEqual([0, "identical", null]);
    expect(report).toMatchObject({ recorded: 1, socketsRefused: 0 });
  };
  await Promise.all(Object.entries(handlers).map(again));
  const { report } = await replay("first", "index.handler", "!");
  expect(report.divergence).toMatchObject({ verdict: "changed", slot: "openai.chat|0" });
});

test("what an invocation leaves has been sent when the runtime asks for the next: the platform freezes the process then", async () => {
  const receiver: OtlpReceiver = await startReceiver();
  const sent = await start("index.handler", {
    REENACT_ENDPOINT: receiver.url,
    REENACT_STORE: join(store.folder, "tmp"),
    REENACT_EXIT_MS: String(LONG_MS),
  });
  const began = performance.now();
  await sent.invoke({ question: "frozen" });
  expect(performance.now() - began).toBeLessThan(LONG_MS);
  await sent.stop();
  const roots = receiver.taken().filter(({ attributes }) => ATTR.root in attributes);
  expect(roots).toHaveLength(1);
  await receiver.stop();
});

test("an invocation without an agentic step waits for nothing, nor does one while an earlier wait has not been answered", async () => {
  const silent = await startReceiver(() => null);
  const waiting = await start("index.handler", {
    REENACT_ENDPOINT: silent.url,
    REENACT_STORE: join(store.folder, "silent"),
    REENACT_EXIT_MS: "3000",
  });
  const took = async (event: object): Promise<number> => {
    const began = performance.now();
    await waiting.invoke(event);
    return performance.now() - began;
  };
  await waiting.invoke({});
  expect(await took({})).toBeLessThan(2000);
  expect(await took({ question: "held back" })).toBeGreaterThan(2900);
  expect(await took({ question: "not again" })).toBeLessThan(2000);
  expect(await took({})).toBeLessThan(2000);
  await waiting.stop();
  await silent.stop();
});

test.each(["call", "row"])("a fault in the hook's code (%s) leaves the answer as it is", async (BREAK) => {
  const broken = await start("index.handler", {
    BREAK,
    NODE_OPTIONS: [preload, register, native].map((url) => `--import=${url}`).join(" "),
    REENACT_STORE: join(store.folder, "broken"),
  });
  const said = (answer: Answered | undefined) =>
    maskChance(answer?.body ?? "").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, "TIME");
  expect(await broken.invoke({})).toMatchObject({ as: "response", body: answers["quiet"]?.body });
  const answer = await broken.invoke({ question: "first", key: KEY });
  expect([answer.as, said(answer)]).toEqual(["response", said(answers["first"])]);
  expect(await broken.stop()).toMatch(/^reenact: recorder fault in (?:hook|job): /m);
});

test("a handler runs on its own with the event of a file", async () => {
  const event = join(store.folder, "event.json");
  writeFileSync(event, JSON.stringify({ question: "by hand" }));
  const env = { PROVIDER_URL: provider.url };
  const [called, streamed, none] = await Promise.all([
    launch([process.execPath, runner, "bundled.calledBack", event], { cwd: fixtures, env }),
    launch([process.execPath, runner, "index.streams", event], { cwd: fixtures, env }),
    launch([process.execPath, runner, "index.elsewhere", event], { cwd: fixtures, env }),
  ]);
  expect([called.code, called.stderr, JSON.parse(called.stdout)]).toEqual([
    0,
    "",
    { said: expect.stringContaining("by hand") as string },
  ]);
  expect(streamed.stdout).toMatch(/^data: /);
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/has no function "elsewhere"\n\nUsage: /)]);
});
