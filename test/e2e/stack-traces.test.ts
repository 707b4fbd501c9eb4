import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

/** Below what is thrown in a timer's callback stand frames of the recorder, and in a replay those of the replay. */
const AGENT = `
const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] });
const headers = { "content-type": "application/json" };
await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers, body }).then((r) => r.text());
const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error(process.env.NOTE ?? "late")), 5));
const stop = new AbortController();
setTimeout(() => stop.abort(), 20);
await fetch(process.env.SILENT_URL, { signal: stop.signal }).catch(async (error) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(error.stack);
});
await late().catch((error) => {
  console.log(error.stack);
  console.log(error);
  console.log(JSON.stringify({ level: 50, err: { stack: error.stack }, msg: error.message }));
});
`;

const bench = ownBench();
const { folder, store } = bench;
writeFileSync(join(folder, "agent.mjs"), AGENT);

test("a stack trace that an agent prints is compared down to where it enters the recorder", async () => {
  const command = [process.execPath, "agent.mjs"];
  const silent = createServer(() => {});
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const SILENT_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const options = { cwd: folder, env: { PROVIDER_URL: bench.provider.url, SILENT_URL } };
  const { summary, stdout } = await store.run(command, options);
  silent.close();
  expect(stdout).toContain("dist");
  const same = await store.replay(summary.run ?? "", command, options);
  expect(same.report).toMatchObject({ verdict: "identical" });
  const env = { ...options.env, NOTE: "other" };
  const other = await store.replay(summary.run ?? "", command, { ...options, env, flags: ["--env", "NOTE"] });
  expect(other.report).toMatchObject({ verdict: "diverged", divergence: { verdict: "output-changed" } });
});
