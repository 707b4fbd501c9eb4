import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

/** Errors that are made below the recorder's own callbacks, which are others in a replay. */
const AGENT = `
import { get } from "node:http";
import { readFile } from "node:fs";
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
await fetch("http://127.0.0.1:1/", { method: "POST" }).catch((error) => console.log(error.stack, error.cause.stack));
await fetch(process.env.REFUSED_URL).catch((error) => console.log(error, error.cause.code));
await new Promise((resolve) => get(process.env.REFUSED_URL).on("error", (error) => resolve(console.log(error.stack, new Error("here").stack))));
await new Promise((resolve) => readFile("/nowhere", (error) => resolve(console.log(error.stack, new Error("read").stack))));
await Promise.all([0, 1, 2, 1, 0].map(async (ms, i) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  console.log(new Error("beside others " + i).stack);
  await new Promise((resolve) => setImmediate(() => process.nextTick(resolve)));
  console.log(new Error("beside others again " + i).stack);
}));
await late().catch((error) => {
  console.log(error.stack);
  console.log(error);
  console.log(JSON.stringify({ level: 50, err: { stack: error.stack }, msg: error.message }));
});
`;

const bench = ownBench();
const { folder, store } = bench;
writeFileSync(join(folder, "agent.mjs"), AGENT);

test("a stack trace that an agent prints has no frame of the recorder, and is the same in a replay", async () => {
  const command = [process.execPath, "agent.mjs"];
  const silent = createServer(() => {});
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const SILENT_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const closed = createServer();
  await once(closed.listen(0, "127.0.0.1"), "listening");
  const REFUSED_URL = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`;
  closed.close();
  const options = { cwd: folder, env: { PROVIDER_URL: bench.provider.url, SILENT_URL, REFUSED_URL } };
  const { summary, stdout } = await store.run(command, options);
  silent.close();
  expect(stdout).toMatch(/at \S*agent\.mjs:\d+/);
  expect(stdout).toContain("ECONNREFUSED");
  expect(stdout).not.toMatch(/capture|replay[/\\]/);
  const same = await store.replay(summary.run ?? "", command, options);
  expect(same.stdout).toBe(stdout);
  expect(same.report).toMatchObject({ verdict: "identical" });
  const env = { ...options.env, NOTE: "other" };
  const other = await store.replay(summary.run ?? "", command, { ...options, env, flags: ["--env", "NOTE"] });
  expect(other.report).toMatchObject({ verdict: "diverged", divergence: { verdict: "output-changed" } });
});
