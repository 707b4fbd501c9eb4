import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const programs = join(import.meta.dirname, "../programs");

const env = (more: Record<string, string> = {}) => ({
  PROVIDER_URL: bench.provider.url,
  OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop",
  ANTHROPIC_API_KEY: "sk-ant-api03-0123456789abcdefghijklmn",
  ...more,
});

/** Requests that have reached the provider since. */
const requests = (since = 0) =>
  bench.provider
    .log()
    .flatMap((entry) => (entry.event === "request" ? entry : []))
    .slice(since);

test("a redirect is followed within its origin, and to no other one, even if calls are sent there", async () => {
  const sends: IncomingMessage[] = [];
  let to = "";
  const redirects = createServer((request, response) => {
    sends.push(request);
    const { pathname } = new URL(request.url ?? "/", "http://x");
    response.writeHead(pathname.startsWith("/moved") ? 418 : 307, { location: `${to}${pathname}` }).end();
  });
  await once(redirects.listen(0, "127.0.0.1"), "listening");
  const redirectsUrl = `http://127.0.0.1:${(redirects.address() as AddressInfo).port}`;
  const agent = [process.execPath, join(programs, "redirected-agent.mjs")];
  const flags = ["--fork", "1", "--env", "PROVIDER_URL", "--env", "OTHER_URL"];
  const replay = async (of: string | null, args: string[], leads: string) => {
    to = leads;
    sends.splice(0);
    const before = requests().length;
    const options = { env: env({ OTHER_URL: redirectsUrl }), flags };
    const { code, report } = await bench.store.replay(of ?? "", [...agent, ...args], options);
    return { code, report, sent: requests().length - before, keys: sends.map(({ headers }) => headers["api-key"]) };
  };
  const key = env().ANTHROPIC_API_KEY;
  try {
    for (const mode of ["fetch", "undici"]) {
      const { summary } = await bench.store.run([...agent, mode], { env: env({ OTHER_URL: bench.provider.url }) });
      // the first call has gone there, with a key
      const { code, report, sent, keys } = await replay(summary.run, [mode], bench.provider.url);
      expect([code, report.stopped?.reason, sent, keys], mode).toEqual([11, "unknown-host", 1, [key]]);
      expect(report.stopped?.message).toContain(
        `step 2 (anthropic.messages) was answered with a redirect to ${bench.provider.url}, which is not followed`,
      );
      if (mode === "undici") continue;
      const own = await replay(summary.run, [mode], `${redirectsUrl}/moved`);
      expect([own.report.stopped, own.report.exitCode.now, own.keys]).toEqual([null, 1, [key, key]]);
      expect(own.report.divergence?.cause).toContain("418");
    }
  } finally {
    redirects.close().closeAllConnections();
  }
});

test("model, system prompt, prompt and a parameter reach each provider where its requests have them", async () => {
  const agent = [process.execPath, join(programs, "edited-agent.mjs")];
  const recorded = await bench.store.run(agent, { env: env() });
  const before = requests().length;
  const prices = join(bench.folder, "prices.json");
  writeFileSync(prices, JSON.stringify({ version: "test", models: { "gpt-": { input: 1.25, output: 10 } } }));
  const sets = [
    "model=gpt-6",
    "system=Be brief.",
    "params.temperature=0",
    ...[1, 2, 3, 4, 5].map((n) => `prompt.${n}=ask ${n}`),
  ];
  const { code, report } = await bench.store.replay(recorded.summary.run ?? "", agent, {
    env: env(),
    flags: ["--fork", "1", "--prices", prices, ...sets.flatMap((set) => ["--set", set])],
  });
  // each has a cost: the answer of Bedrock names no model, and the address of its request the one that was sent
  expect([code, report.verdict, report.edited, report.notes]).toEqual([0, "continued", 5, []]);
  const messages = (n: number) => [
    { role: "system", content: "Be brief." },
    { role: "user", content: `ask ${n}` },
  ];
  expect(requests(before).map(({ path, text }) => [path, JSON.parse(text ?? "") as unknown])).toMatchObject([
    [
      "/v1/models/gpt-6:generateContent",
      {
        contents: [{ parts: [{ text: "ask 1" }] }],
        systemInstruction: { parts: [{ text: "Be brief." }] },
        generationConfig: { temperature: 0 },
      },
    ],
    [
      "/model/gpt-6/converse?trace=1",
      {
        system: [{ text: "Be brief." }],
        messages: [{ role: "user", content: [{ text: "ask 2" }] }],
        inferenceConfig: { temperature: 0 },
      },
    ],
    ["/v2/chat", { model: "gpt-6", messages: messages(3), temperature: 0 }],
    ["/api/chat", { model: "gpt-6", messages: messages(4), options: { temperature: 0 } }],
    ["/v1/responses", { model: "gpt-6", instructions: "Be brief.", input: "ask 5", temperature: 0 }],
  ]);
});
