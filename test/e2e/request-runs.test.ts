import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { decodeValue } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type RunSummary, Store } from "./reenact.ts";
import { recordServer } from "./record-server.ts";

const program = fileURLToPath(new URL("../programs/request-server.mjs", import.meta.url));
const store = new Store();
const command = [process.execPath, program, join(store.folder, "address")];
const TOKEN = "Bearer let-me-in-0123456789";
const asked = Array.from({ length: 8 }, (_, n) => `question ${n}`);
let summary: RunSummary;
let answers: string[];

/** Answers by their question: concurrent requests come in any order. */
const runs = new Map<string, string>();

beforeAll(async () => {
  const provider = await startProvider();
  summary = await recordServer(store, command, { env: { PROVIDER_URL: provider.url } }, async (url) => {
    for (let n = 0; n < 3; n++) expect(await (await fetch(`${url}/health`)).text()).toBe("up");
    const post = async (message: string): Promise<string> => {
      const headers = { authorization: TOKEN, "content-type": "application/json" };
      const body = JSON.stringify({ message });
      return (await fetch(`${url}/chat?lang=en`, { method: "POST", headers, body })).text();
    };
    answers = await Promise.all(asked.map(post));
    await sleep(50);
  });
  await provider.stop();
  for (const run of summary.runs) {
    const { input } = rootOf(run);
    const { body } = decodeValue(input) as { body: string };
    runs.set((JSON.parse(body) as { message: string }).message, run);
  }
}, 60_000);
afterAll(() => store.remove());

interface Root {
  readonly trigger: string;
  readonly name: string;
  readonly input: string;
  readonly output: string;
}

const rootOf = (run: string): Root => readEnvelope(readFileSync(store.path(run))).facts as unknown as Root;
const replay = (question: string, ...more: string[]) =>
  store.replay(runs.get(question) ?? "", [...command, ...more], { flags: ["--cold"] });

test("each request that asks a model is a run of its own, the others are none", () => {
  expect(summary.runs).toHaveLength(asked.length);
  expect([...runs.keys()].toSorted()).toEqual(asked);
  for (const [n, question] of asked.entries()) {
    const root = rootOf(runs.get(question) ?? "");
    expect(root).toMatchObject({ trigger: "request", name: "POST /chat" });
    const request = decodeValue(root.input) as { method: string; url: string; headers: Record<string, string> };
    expect(request).toMatchObject({
      method: "POST",
      url: "/chat?lang=en",
      body: JSON.stringify({ message: question }),
    });
    expect(request.headers["authorization"]).toMatch(/^Bearer AUTH_/);
    expect(decodeValue(root.output)).toEqual({
      status: 200,
      headers: { "content-type": "application/json" },
      body: answers[n],
    });
    expect(answers[n]).toContain(question);
  }
});

test("a run shows the request and the status of its response", async () => {
  const { stdout } = await store.command("show", runs.get("question 3") ?? "");
  expect(stdout).toMatch(/^✓ run \w+ {2}POST \/chat {2}ok\n.*\n {2}POST \/chat\?lang=en → 200\n/);
});

test("a request is sent again by the command, and its response compared", async () => {
  const { report, code } = await replay("question 5");
  expect([code, report]).toEqual([0, expect.objectContaining({ verdict: "identical", recorded: 1, sockets: 0 })]);
  expect(report.notes).toContain("the recorded request POST /chat was sent to the program");
});

test("another request to the model, and another response, are found", async () => {
  const [asksMore, loud] = [await replay("question 1", "asks-more"), await replay("question 1", "loud")];
  expect([asksMore.code, asksMore.report.divergence]).toEqual([
    10,
    expect.objectContaining({ slot: "openai.chat|0", verdict: "changed" }),
  ]);
  expect([loud.code, loud.report.divergence]).toEqual([
    10,
    expect.objectContaining({ slot: null, verdict: "output-changed", pointer: "/body" }),
  ]);
});

test("a program that listens on no port ends with an error", async () => {
  const idle = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
  const { report, code } = await store.replay(runs.get("question 0") ?? "", idle);
  expect([code, report.stopped]).toEqual([
    10,
    { reason: "no-progress", message: expect.stringContaining("listens on no port") as string },
  ]);
  const ended = await store.replay(runs.get("question 0") ?? "", [process.execPath, "-e", "0"]);
  expect([ended.code, ended.report.divergence?.cause]).toEqual([10, "the program never got the request POST /chat"]);
});

test("a replay takes another port where the server's own is taken, and is reached on loopback alone", async () => {
  const taken = createServer(() => {}).listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const env = { REQUEST_PORT: String(port), REQUEST_HOST: "0.0.0.0" };
  const flags = ["--cold", "--env", "REQUEST_PORT", "--env", "REQUEST_HOST"];
  const { report, code } = await store.replay(runs.get("question 2") ?? "", command, { env, flags });
  taken.close();
  expect([code, report.verdict]).toEqual([0, "identical"]);
  expect(report.notes).toContain(`port ${port} is taken here: the server was given another one`);
});
