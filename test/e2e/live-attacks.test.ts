import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Store } from "./reenact.ts";

const store = new Store();
const folder = mkdtempSync(join(tmpdir(), "live-attacks-"));
const prices = join(folder, "prices.json");
const program = [process.execPath, join(import.meta.dirname, "../programs/live-attacks.mjs")];
/** Requests that have reached the provider and the tool. */
const [asked, done]: [string[], string[]] = [[], []];
const servers: Server[] = [];
let env: Record<string, string>;
let run: string;

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  writeFileSync(prices, JSON.stringify({ version: "test", models: { "gpt-": { input: 1, output: 10 } } }));
  const toolUrl = await listening((request, response) => {
    done.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => response.end("gone"));
  });
  const providerUrl = await listening((request, response) => {
    void text(request).then((body) => {
      asked.push(`${request.method} ${request.url} ${/"content":"(.*?)"/.exec(body)?.[1]}`);
      if (body.includes("to-tool")) return response.writeHead(307, { location: `${toolUrl}/account/9` }).end();
      if (body.includes("cut-off")) return response.destroy();
      const choices = [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }];
      const usage = { prompt_tokens: 5000, completion_tokens: 5000, total_tokens: 10_000 };
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ id: "x", object: "chat.completion", model: "gpt-5", choices, usage }));
    });
  });
  env = { PROVIDER_URL: providerUrl, TOOL_URL: toolUrl, OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop" };
  const recorded = await store.run(program, { env });
  run = recorded.summary.run ?? "";
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function attacked(act: string, ...flags: string[]) {
  for (const each of [asked, done]) each.splice(0);
  const own = ["--prices", prices, ...(flags.length === 0 ? ["--live-after", "1"] : flags)];
  const { report } = await store.replay(run, [...program, act], { env, flags: own });
  const { verdict, stopped, live, refused, costUsd } = report;
  return { verdict, reason: stopped?.reason, live, refused, costUsd, asked: [...asked], done: [...done], report };
}

const chat = (prompt: string): string => `POST /v1/chat/completions ${prompt}`;

test("a client is not led from a model to a server that is not live", async () => {
  expect(await attacked("redirect")).toMatchObject({ verdict: "diverged", asked: [chat("[[to-tool]]")], done: [] });
});

test("a request does not go elsewhere than its address says", async () => {
  const { verdict, refused, done: reached, report } = await attacked("host");
  expect([verdict, refused, reached]).toEqual(["diverged", 1, []]);
  expect(report.refusals[0]?.target).toBe(new URL(env["TOOL_URL"] ?? "").host);
});

test.each([
  ["path", "--live-after", "1"],
  ["path", "--live", "llm"],
  ["method", "--live-after", "1"],
  ["method", "--live", "llm"],
])("a request whose %s was changed is not sent (%s %s)", async (act, ...flags) => {
  expect(await attacked(act, ...flags)).toMatchObject({
    verdict: "incomplete",
    reason: "not-sendable",
    asked: [],
    done: [],
  });
});

test.each(["behind", "behind-late"])("bytes that a request does not tell of are not sent (%s)", async (act) => {
  const { asked: reached } = await attacked(act);
  expect(reached.filter((each) => each.startsWith("DELETE"))).toEqual([]);
  expect(reached).toContain(chat("last"));
});

test("of a request that is left before its body is whole nothing is sent", async () => {
  expect(await attacked("abort")).toMatchObject({ verdict: "continued", live: 1, asked: [chat("last")] });
});

test("a request that is left in place of the recorded one is no identical run", async () => {
  expect(await attacked("late", "--live", "llm")).toMatchObject({ verdict: "diverged", asked: [] });
});

test("a connection that a live call has left open takes no request to a tool", async () => {
  expect(await attacked("keepalive")).toMatchObject({ verdict: "diverged", refused: 2, asked: [chat("kept")] });
});

test("what a call has cost whose connection was cut is not known, and nothing is sent behind it under --max-cost", async () => {
  const free = await attacked("cut");
  expect(free).toMatchObject({ verdict: "continued", live: 3, costUsd: null });
  const bounded = await attacked("cut", "--live-after", "1", "--max-cost", "10");
  expect(bounded).toMatchObject({ reason: "max-cost", live: 1, asked: [chat("[[cut-off]]")] });
});
