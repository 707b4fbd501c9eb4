import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const program = join(import.meta.dirname, "../programs/live-transports.mjs");
const KEY = "sk-proj-0123456789abcdefghijklmnop";

interface Sent {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What the provider, and the tool's server, got. */
const [requests, deleted]: [Sent[], Sent[]] = [[], []];
const servers: Server[] = [];

async function listening(got: Sent[], answer: (sent: Sent, request: IncomingMessage) => Promise<Response>) {
  const server = createServer((request, response) => {
    const { url: path, headers } = request;
    void text(request).then(async (body) => {
      const sent = { path, headers, text: body };
      got.push(sent);
      const { status, headers: own, body: stream } = await answer(sent, request);
      response.writeHead(status, Object.fromEntries(own));
      for await (const part of stream ?? []) response.write(part);
      response.end();
    });
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let urls: Record<string, string>;
let prices: string;

beforeAll(async () => {
  const models = await listening(requests, ({ path, text: body }) => {
    const headers = { "content-type": "application/json" };
    return fetch(`${bench.provider.url}${path}`, { method: "POST", headers, body });
  });
  const tools = await listening(deleted, () => Promise.resolve(new Response("gone")));
  urls = { PROVIDER_URL: models, TOOL_URL: tools };
  prices = join(bench.folder, "prices.json");
  writeFileSync(prices, JSON.stringify({ version: "test", models: { "gpt-": { input: 1.25, output: 10 } } }));
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const env = () => ({ ...urls, OPENAI_API_KEY: KEY });
const answers = (report: { calls: { answer?: string }[] }) => report.calls.map(({ answer }) => answer);

/** Records a program, and replays it with flags; `sent`: what reached the provider meanwhile, and `done` what the tool did. */
async function recording(transport: string) {
  const recorded = await bench.store.run([process.execPath, program, transport], { env: env() });
  expect([recorded.code, recorded.summary.steps], recorded.stderr).toEqual([0, 6]);
  const replayed = async (flags: readonly string[], mode?: string) => {
    const [before, toolsBefore] = [requests.length, deleted.length];
    const command = [process.execPath, program, transport, ...(mode === undefined ? [] : [mode])];
    const ended = await bench.store.replay(recorded.summary.run ?? "", command, { env: env(), flags });
    return { ...ended, sent: requests.slice(before), done: deleted.slice(toolsBefore) };
  };
  return { recorded, replayed };
}

describe.each(["request", "axios", "slow"])("over %s", (transport) => {
  let made: Awaited<ReturnType<typeof recording>>;
  beforeAll(async () => {
    made = await recording(transport);
  });

  test("unchanged requests are served, and nothing goes out", async () => {
    const { code, report, sent, done } = await made.replayed(["--live", "llm"]);
    expect([code, report.verdict, report.live, sent, done], JSON.stringify(report.divergence)).toEqual([
      0,
      "identical",
      0,
      [],
      [],
    ]);
  });

  test("a changed request goes out, what is as recorded stays so", async () => {
    const { code, report, sent, done } = await made.replayed(["--live", "llm"], "other");
    expect([code, report.verdict, sent.length, done], JSON.stringify(report.divergence ?? report.stopped)).toEqual([
      0,
      "continued",
      1,
      [],
    ]);
    expect(answers(report)).toEqual(["recorded", "live", "recorded", "recorded", "recorded", "recorded"]);
    expect(sent[0]?.text).toContain("two else");
  });

  test("an edited request goes out with its own length", async () => {
    const { report, sent } = await made.replayed([
      "--fork",
      "6",
      "--set",
      "model=gpt-6",
      "--set",
      "prompt.6=a longer prompt than it was",
    ]);
    expect([report.verdict, report.edited, sent.length], JSON.stringify(report.divergence ?? report.stopped)).toEqual([
      "continued",
      1,
      1,
    ]);
    expect(JSON.parse(sent[0]?.text ?? "")).toMatchObject({
      model: "gpt-6",
      messages: [{ content: "a longer prompt than it was" }],
    });
    expect(sent[0]?.headers["x-own"]).toBe("kept");
  });

  test("a tool that is not live is never sent, and nothing is paid behind it", async () => {
    const { report, sent, done } = await made.replayed(["--live-after", "2"], "again");
    expect(
      [report.verdict, report.continued?.outcome, sent, done],
      JSON.stringify(report.divergence ?? report.stopped),
    ).toEqual(["diverged", "broken", [], []]);
    expect(new Set(answers(report).slice(2))).toEqual(new Set(["refused"]));
  });

  test("--max-cost refuses a call before anything of it is sent", async () => {
    const flags = ["--fork", "1", "--max-cost", "0.00001", "--prices", prices];
    const { code, report, sent, done } = await made.replayed(flags);
    expect([code, report.verdict, report.live, sent.length, done]).toEqual([12, "incomplete", 1, 1, []]);
  });
});

test.each(["request", "stream", "undici", "axios", "got", "node-fetch", "http", "slow", "expects"])(
  "over %s each call behind a step goes out once, with the user's own headers, and the tool is served",
  async (transport) => {
    const made = await recording(transport);
    const { code, report, sent, done, stdout } = await made.replayed(["--live-after", "2", "--prices", prices]);
    expect(
      [code, report.verdict, report.stopped, sent.length, done],
      JSON.stringify(report.divergence ?? report.stopped),
    ).toEqual([0, "continued", null, 3, []]);
    expect(sent.map(({ headers }) => [headers.authorization, headers["x-own"]])).toEqual(
      Array.from({ length: 3 }, () => [`Bearer ${KEY}`, "kept"]),
    );
    expect(answers(report)).toEqual(["recorded", "recorded", "recorded", "live", "live", "live"]);
    expect(report.costUsd).toBeGreaterThan(0);
    const said = JSON.parse(stdout) as string[];
    const first = JSON.parse(made.recorded.stdout) as string[];
    expect([said.slice(0, 3), said[2]]).toEqual([first.slice(0, 3), "gone"]);
    const child = await bench.store.replay(report.run ?? "", [process.execPath, program, transport], { env: env() });
    expect([child.report.verdict, child.stdout, child.report.sockets], JSON.stringify(child.report.divergence)).toEqual(
      ["identical", stdout, 0],
    );
  },
);
