import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/calls-addresses.mjs")];
const bench = ownBench();

/** Records one set of requests and replays another one. */
async function recordThenAsk(recorded: string, now: string) {
  const env = { PROVIDER_URL: bench.provider.url, REQUESTS: recorded };
  const { summary } = await bench.store.run(command, { env });
  const flags = ["--env", "REQUESTS"];
  return bench.store.replay(summary.run ?? "", command, { env: { ...env, REQUESTS: now }, flags });
}

test.each([
  ["a path", "DELETE /users/alice", "DELETE /users/bob", "/users/alice", "/users/bob"],
  ["a query", "GET /orders?id=17&all=1", "GET /orders?id=18&all=1", "/orders?id=17&all=1", "/orders?id=18&all=1"],
  ["a value that is redacted", "GET /by/a.b@mail.test", "GET /of/c.d@mail.test", "/by/EMAIL", "/of/EMAIL"],
])("%s that is another one is no request that was recorded", async (_, recorded, now, before, after) => {
  const { code, report } = await recordThenAsk(recorded, now);
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ step: 2, verdict: "changed", recorded: expect.stringContaining(before) });
  expect(report.divergence).toMatchObject({ now: expect.stringContaining(after), pointer: "" });
  expect(report.divergence?.cause).toMatch(/differs at its URL(?:;|$)/);
});

test("two requests that change places are each served their own answer", async () => {
  const { stdout, report } = await recordThenAsk("GET /oslo,GET /bergen", "GET /bergen,GET /oslo");
  expect(stdout).toMatch(/\/bergen\n.*\/oslo\n$/);
  expect(report.divergence).toMatchObject({ verdict: "reordered" });
});

test("the same requests, with a value that is redacted, are the same", async () => {
  const requests = "GET /by/a.b@mail.test?q=1#top,GET /by/c.d@mail.test";
  expect((await recordThenAsk(requests, requests)).report).toMatchObject({ verdict: "identical", recorded: 3 });
});
