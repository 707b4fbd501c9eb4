import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const documents = createServer((_, response) => void response.end(Buffer.alloc(2 * 1024 * 1024, "text ")));
beforeAll(() => new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve)));
afterAll(() => void documents.close());

const ASK = `const ask = (text) => fetch(process.env.PROVIDER_URL + "/v1/chat/completions", {
  method: "POST",
  body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content: text }] }),
  headers: { "content-type": "application/json" },
}).then((response) => response.json());
`;

async function tryOut(name: string, program: string) {
  const file = join(bench.folder, `${name}.mjs`);
  writeFileSync(file, `import { randomBytes } from "node:crypto";\n${ASK}${program}`);
  const env = {
    PROVIDER_URL: bench.provider.url,
    DOCUMENTS: `http://127.0.0.1:${(documents.address() as AddressInfo).port}/`,
  };
  const command = [process.execPath, file];
  const recorded = await bench.store.run(command, { env });
  const replay = () => bench.store.replay(recorded.summary.run ?? "", command, { env });
  return { ...recorded, replay };
}

test("a program that draws much and calls no model leaves no run", async () => {
  const { summary, stdout } = await tryOut(
    "draws",
    `for (let i = 0; i < 1e6; i++) Math.random(); console.log("done");`,
  );
  expect([summary.run, stdout]).toEqual([null, "done\n"]);
});

test("much was drawn before the first model was called: recorded from there, and never said to differ", async () => {
  const { summary, replay } = await tryOut(
    "draws-then-asks",
    `let sum = 0;
for (let i = 0; i < 3e5; i++) sum += Math.random();
await ask(\`sum \${sum}\`);
await ask(\`again \${Math.random()}\`);
console.log(sum);`,
  );
  expect(summary).toMatchObject({ complete: false, status: "ok" });
  expect(summary.incompleteReasons[0]).toMatch(/^prelude: recorded from step 1 on: the program had more than 1 MiB/);
  const { report } = await replay();
  expect(report).toMatchObject({ verdict: "incomplete", divergence: null, stopped: { reason: "recording-ends" } });
  expect(report.stopped?.message).toMatch(/recorded from step 1 on/);
});

test("documents that are read before the first model is called are replayed", async () => {
  const { summary, replay } = await tryOut(
    "reads-then-asks",
    `const text = await (await fetch(process.env.DOCUMENTS)).text();
await ask("summary of " + text.slice(0, 100));
console.log(text.length, Math.random());`,
  );
  expect(summary.complete).toBe(true);
  expect((await replay()).report).toMatchObject({ verdict: "identical", socketsRefused: 0 });
});

test("more was read than is kept before the first model was called: the run begins with that call", async () => {
  const { summary, replay } = await tryOut(
    "reads-much-then-asks",
    `let size = 0;
for (let i = 0; i < 8; i++) for await (const chunk of (await fetch(process.env.DOCUMENTS)).body) size += chunk.length;
await ask("summary of " + size);
console.log(size);`,
  );
  expect(summary.incompleteReasons[0]).toMatch(/^prelude: recorded from step \d+ on: .* 8 MiB of HTTP exchanges/);
  expect((await replay()).report).toMatchObject({ verdict: "incomplete", divergence: null });
});

test("a journal that reaches its bound ends the replay there: what comes behind it is not judged", async () => {
  const { summary, replay } = await tryOut(
    "draws-between",
    `await ask("first");
for (let i = 0; i < 60; i++) randomBytes(1024 * 1024);
await ask("then " + Math.random());`,
  );
  expect(summary.incompleteReasons).toEqual(["journal: cap of 64 MiB of events and values reached"]);
  const { report } = await replay();
  expect(report).toMatchObject({ verdict: "incomplete", divergence: null, stopped: { reason: "recording-ends" } });
  expect(report.calls).toHaveLength(1);
}, 120_000);

test("the memory of a run does not grow with the bodies of tool calls that have ended", async () => {
  const { stdout } = await tryOut(
    "calls-tools",
    `import { tool } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/index.js")).href)};
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
const read = tool("read", async (n) => (await (await fetch(process.env.DOCUMENTS)).arrayBuffer()).byteLength + n);
const used = async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
};
for (let i = 0; i < 5; i++) await read(i);
const before = await used();
for (let i = 0; i < 25; i++) await read(i);
console.log((await used()) - before);`,
  );
  expect(stdout).toMatch(/^-?\d/);
  expect(Number(stdout)).toBeLessThan(15);
}, 120_000);
