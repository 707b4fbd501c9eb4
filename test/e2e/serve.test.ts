import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Anthropic from "@anthropic-ai/sdk";
import { loadTape } from "@reenact/replay";
import OpenAI from "openai";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { bin, type Ended, launch } from "./reenact.ts";

const bench = ownBench();
const command = [process.execPath, join(import.meta.dirname, "../programs/served-models.mjs")];
const keys = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined };
let run: string;
let recorded: Ended;

beforeAll(async () => {
  const { url } = bench.provider;
  const env = { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url, OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  const ended = await bench.store.run(command, { env });
  recorded = ended;
  run = ended.summary.run ?? "";
});

interface Report {
  verdict: string;
  served: number;
  refused: number;
  calls: { outcome: string; step: number | null; differences: { of: string | null; pointer: string }[] }[];
  neverAsked: { step: number }[];
}

const serve = (...args: string[]): string[] => [process.execPath, bin, "serve", "--store", bench.store.folder, ...args];

async function served(env: Record<string, string>, ...options: string[]): Promise<Ended & { report: Report }> {
  const file = join(bench.folder, "serve.json");
  const args = serve(run, "--json-file", file, ...options, "--", ...command);
  const ended = await launch(args, { env: { ...keys, ...env } });
  return { ...ended, report: JSON.parse(readFileSync(file, "utf8")) as Report };
}

test("a program that is not recorded gets the recorded answers, without a key", async () => {
  const { code, stdout, stderr, report } = await served({});
  expect(stdout).toBe(recorded.stdout);
  expect(report, stderr).toMatchObject({ verdict: "identical", served: 7, refused: 0, neverAsked: [] });
  expect(code).toBe(0);
  expect(stderr).toContain("✓ identical  7 of 7 recorded calls served");
});

test("a header of the program's own that differs is served and told", async () => {
  const { code, stdout, stderr, report } = await served({ TEAM: "sales" });
  expect(stdout).toBe(recorded.stdout);
  expect(report.verdict).toBe("diverged");
  expect(report.calls.at(-1)).toMatchObject({
    outcome: "differed",
    step: 7,
    differences: [{ of: "header", pointer: "/x-team" }],
  });
  expect(stderr).toContain('header x-team: recorded "billing", now "sales"');
  expect(code).toBe(10);
});

test("a call that the record does not have is an error of its provider that names the closest step and the difference", async () => {
  const { code, stderr, report } = await served({ QUESTION: "Please refund A-18 for dana.whitfield@example.com." });
  expect(code).toBe(10);
  expect(stderr).toMatch(
    /BadRequestError: 400 reenact: the recorded run has no call like call 1, openai\.chat: closest is step 1 \(openai\.chat\); first difference: \/messages\/0\/content: recorded ".*A-17.*", now ".*A-18.*"\. Next: reenact show \w+.* --step 1/,
  );
  expect(stderr).not.toContain('dana.whitfield@example.com", now');
  expect(report).toMatchObject({
    verdict: "diverged",
    served: 0,
    refused: 1,
    calls: [{ outcome: "changed", step: 1 }],
  });
  expect(report.neverAsked).toHaveLength(7);
});

test("under another key redacted values are compared by the vault, and without it said to be compared by place", async () => {
  const REENACT_REDACTION_KEY = "ffeeddccbbaa9988".repeat(4);
  const QUESTION = "Please refund A-17 for other.person@example.com.";
  expect((await served({ REENACT_REDACTION_KEY })).report.verdict).toBe("identical");
  const changed = await served({ REENACT_REDACTION_KEY, QUESTION });
  expect(changed.report.calls[0]).toMatchObject({
    outcome: "changed",
    differences: [{ pointer: "/messages/0/content" }],
  });
  const sealed = await served({ REENACT_REDACTION_KEY }, "--no-vault");
  expect(sealed.report.verdict).toMatch(/^identical \(\d+ values? by place\)$/);
});

test("an endpoint by itself prints the variables, serves recorded bytes, and says at its end what was asked", async () => {
  const [file = "", ...args] = serve(run, "--json");
  const child = spawn(file, args, { env: { ...process.env, ...keys }, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => JSON.parse((await lines.next()).value as string) as T;
  const { url, environment } = await next<{ url: string; environment: Record<string, string> }>();
  expect(environment).toMatchObject({ OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url });
  const openai = new OpenAI({ apiKey: "any", baseURL: environment["OPENAI_BASE_URL"]! });
  const anthropic = new Anthropic({ apiKey: "any", baseURL: url });

  // out of order, by bytes: the parts of this stream end in the middle of letters
  const body = { model: "scn-ragged", messages: [{ role: "user", content: "in parts" }], stream: true };
  const raw = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(raw.headers.get("content-type")).toContain("text/event-stream");
  const recordedBody = loadTape(bench.store.path(run)).steps.get(1)?.record.exchange?.response?.body;
  expect(recordedBody).toMatchObject({ text: await raw.text() });

  const responses = { model: "scn-ok", input: "respond" } as const;
  expect((await openai.responses.create(responses)).output_text).toMatch(/^You said: respond/);
  await expect(openai.responses.create(responses)).rejects.toThrow(/made more often than recorded: step 5/);
  const claude = { model: "scn-ok", max_tokens: 50, messages: [{ role: "user" as const, content: "who?" }] };
  await expect(anthropic.messages.create(claude)).rejects.toThrow(
    /closest is step 6 .*\/messages\/0\/content: recorded \\"claude\\"/,
  );
  await expect(openai.models.list()).rejects.toThrow("404 reenact: call 5, GET /v1/models, is no call of a model");
  const elsewhere = new URL(`${url}/v1/responses`);
  const rebound = await launch(["curl", "-s", "-H", "host: page.example", "-d", "{}", elsewhere.href]);
  expect(rebound.stdout).toContain("it is reached as 127.0.0.1 or localhost");

  child.kill("SIGTERM");
  const report = await next<Report>();
  expect(report).toMatchObject({ verdict: "diverged", served: 2, refused: 3 });
  expect(report.neverAsked.map(({ step }) => step)).toEqual([1, 3, 4, 6, 7]);
  expect(await once(child, "exit")).toEqual([10, null]);
});

test("what cannot be served is said before anything listens", async () => {
  const taken = await launch(serve(run, "--port", String(bench.provider.port)));
  expect(taken).toMatchObject({ code: 3, stdout: "" });
  expect(taken.stderr).toMatch(/port \d+ is taken\. Next: name another one with --port/);
  const lacking = await launch(serve(run, "python", "agent.py"));
  expect(lacking.stderr).toContain("put -- before your command");
});
