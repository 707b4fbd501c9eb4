import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const program = join(import.meta.dirname, "../programs/reads-streams.mjs");
let server: Server;
let run = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    const isLines = request.url === "/lines";
    response.setHeader("content-type", isLines ? "application/x-ndjson" : "text/event-stream");
    if (isLines) return response.end('{"a":1}\n{"a":2}\n');
    response.write('event: progress\ndata: {"percent": 10}\n\n');
    // the slow one has no end
    return request.url === "/slow" ? undefined : response.end(": note\n\ndata: one\ndata: two\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const env = {
    PROVIDER_URL: bench.provider.url,
    EVENTS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const recorded = await bench.store.run([process.execPath, program], { env });
  expect(recorded.stdout).toMatch(/AbortError\n$/);
  run = recorded.summary.run ?? "";
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("the transcript has model, tokens, system prompt, events, and marks a stream that was given up", async () => {
  const { stdout } = await bench.store.command("show", run);
  expect(stdout).toMatch(/LLM +chat {2}echo-random \S.* \d+ in, \d+ out {2}/);
  expect(stdout).toContain("system: Be brief.\n");
  expect(stdout).toContain('← 2 events: progress: {"percent": 10} · one two\n');
  expect(stdout).toContain('← 2 events: {"a":1} · {"a":2}\n');
  expect(stdout).toMatch(/\/slow .*HTTP 200, cancelled before its end\n.*← 1 event: progress/);
});

test("a step has the events of its stream one by one, as text and as data", async () => {
  const { stdout } = await bench.store.command("show", run, "--step", "2");
  expect(stdout).toContain('── 2 events of a stream\nprogress: {"percent": 10}\none\ntwo\n');
  const { steps } = JSON.parse((await bench.store.command("show", run, "--json")).stdout) as {
    steps: { events: unknown; answer: unknown; tokens: unknown }[];
  };
  expect(steps[0]).toMatchObject({ answer: "whole", events: null, tokens: { input: expect.any(Number) as number } });
  expect(steps[2]).toMatchObject({ answer: "whole", events: [{ data: '{"a":1}' }, { data: '{"a":2}' }] });
  expect(steps[3]).toMatchObject({ answer: "part", events: [{ name: "progress", data: '{"percent": 10}' }] });
});
