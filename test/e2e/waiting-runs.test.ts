import { createHash } from "node:crypto";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { startProvider } from "../provider/start-provider.ts";
import { startReceiver } from "./otlp-receiver.ts";
import { bin, type Ended, launch, type Launch, Store } from "./reenact.ts";
import { startCollector } from "./running-collector.ts";

const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const agent = fileURLToPath(new URL("../programs/short-agent.mjs", import.meta.url));
const NOBODY = "http://127.0.0.1:1";
const KEY = "rk_test-key-of-some-length";

let provider: Provider;
let store: Store;
const closing: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function newStore(): Store {
  const made = new Store();
  closing.push(() => made.remove());
  return (store = made);
}

/** Records a program by the preload alone. */
function record(program: readonly string[], env: Record<string, string>, options: Launch = {}): Promise<Ended> {
  const all = { PROVIDER_URL: provider.url, REENACT_STORE: store.folder, REENACT_EXIT_MS: "30000", ...env };
  return launch([process.execPath, "--import", preload, ...program], { ...options, env: all });
}

/** Records a program that is killed before it has ended. */
async function killed(env: Record<string, string>): Promise<void> {
  const file = join(store.folder, "lasting.mjs");
  writeFileSync(file, `await import(${JSON.stringify(agent)}); setInterval(() => {}, 1000); console.log("ready");`);
  const ended = await record([file], env, { onOutput: (pid) => process.kill(pid, "SIGKILL") });
  expect(ended.signal).toBe("SIGKILL");
}

const reenact = ([name = "", ...args]: readonly string[], env: Record<string, string> = {}) =>
  launch([process.execPath, bin, name, "--store", store.folder, ...args], { env, timeoutMs: 30_000 });
const spooled = () => readdirSync(join(store.folder, "spool")).filter((name) => /\.(spool|claimed)/.test(name));

/** Makes the one file of the spool that of a process on another machine, and as if written so long ago. */
function moveElsewhere(agoMs: number): void {
  const path = join(store.folder, "spool", String(spooled()[0]));
  const file = readFileSync(path);
  const end = 9 + file.readUInt32LE(0);
  const opening = JSON.parse(file.toString("utf8", 9, end)) as object;
  const body = Buffer.concat([file.subarray(8, 9), Buffer.from(JSON.stringify({ ...opening, pidSpace: "elsewhere" }))]);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(body.length - 1, 0);
  head.writeUInt32LE(crc32(body), 4);
  writeFileSync(path, Buffer.concat([head, body, file.subarray(end)]));
  const then = (Date.now() - agoMs) / 1000;
  utimesSync(path, then, then);
}

test("runs of processes that were killed: every try sends or names all of them, and --local keeps all", async () => {
  newStore();
  for (let n = 0; n < 3; n++) await killed({ REENACT_ENDPOINT: NOBODY });
  for (let turn = 0; turn < 3; turn++) {
    const away = await reenact(["ship"]);
    expect([away.code, away.stderr]).toEqual([5, expect.stringMatching(/^reenact: 3 runs are not sent to .*\n$/)]);
  }
  const kept = await reenact(["ship", "--local"]);
  expect([kept.code, kept.stdout, kept.stderr]).toEqual([0, `3 runs kept in ${store.folder}\n`, ""]);
  expect(spooled()).toEqual([]);
  const listed = await reenact(["ls", "--json"]);
  expect((JSON.parse(listed.stdout) as { runs: unknown[] }).runs).toHaveLength(3);
  expect((await reenact(["ship"])).stderr).toBe("nothing waits to be sent\n");
});

test("a run whose process may live elsewhere is held back, counted and said; so is one that still runs", async () => {
  newStore();
  await killed({ REENACT_ENDPOINT: NOBODY });
  moveElsewhere(1000);
  for (const args of [["ship"], ["ship", "--local"]]) {
    const held = await reenact(args);
    const again = `Next: reenact ${args.join(" ")} --store ${store.folder}, in \\d s`;
    expect(held.stderr).toMatch(new RegExp(`^reenact: 1 run is held back in .*${again} \\[REEN-HELD-BACK\\]\n$`));
    expect(held.code).toBe(5);
  }
  const told = JSON.parse((await reenact(["ship", "--json"])).stdout) as object;
  expect(told).toMatchObject({ sent: [], waiting: [], held: [{ runs: 1, why: "fresh" }] });
  moveElsewhere(6000);
  for (let turn = 0; turn < 2; turn++) expect((await reenact(["ship"])).stderr).toContain("is not sent to");
  expect((await reenact(["ship", "--local"])).stdout).toMatch(/^1 run kept/);

  newStore();
  const file = join(store.folder, "lasting.mjs");
  writeFileSync(file, `await import(${JSON.stringify(agent)}); setInterval(() => {}, 1000);`);
  let pid = 0;
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const ended = record([file], { REENACT_ENDPOINT: NOBODY }, { onOutput: (id) => resolve(void (pid = id)) });
  await begun;
  try {
    const living = await reenact(["ship"]);
    expect(living.stderr).toBe(`1 run in ${store.folder} held back: still running (pid ${pid})\n`);
    expect(living.code).toBe(0);
  } finally {
    process.kill(pid, "SIGKILL");
    await ended;
  }
});

test("a run that waits is no run that is missing: `run` names it, and `show` and `replay` say how it can be read", async () => {
  newStore();
  const env = { REENACT_ENDPOINT: NOBODY, PROVIDER_URL: provider.url };
  const ran = await reenact(["run", "--json", "--", process.execPath, agent], env);
  const summary = JSON.parse(String(ran.stdout.trim().split("\n").at(-1))) as Record<string, unknown>;
  const run = String(summary["run"]);
  expect(run).toMatch(/^[0-9a-f]{32}$/);
  expect(summary).toMatchObject({ runs: [run], waitingRuns: [run], waiting: 1, sentTo: null, status: "ok", steps: 2 });
  expect(ran.stderr).toMatch(new RegExp(`^reenact: run ${run.slice(0, 6)} is not sent to .*\n$`));

  const next = `Next: reenact ship --local --store ${store.folder} keeps it here`;
  for (const args of [
    ["show", run.slice(0, 4)],
    ["replay", run, "--", process.execPath, agent],
    ["show", "@last"],
  ])
    for (const given of [env, {}]) {
      const { code, stderr } = await reenact(args, given);
      expect(stderr).toContain(`in ${store.folder}`);
      expect(stderr).toMatch(new RegExp(`to be sent to ${NOBODY}. ${next}.*\\[REEN-NOT-SENT\\]\n$`));
      expect(code).toBe(3);
    }
  expect((await reenact(["ship", "--local"])).code).toBe(0);
  expect((await reenact(["show", run.slice(0, 6)], env)).code).toBe(0);
});

test("a key that no address is named with goes nowhere, and what to set is said; a receiver's headers by their own name", async () => {
  newStore();
  const keys = join(store.folder, "keys.json");
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  writeFileSync(keys, JSON.stringify({ keys: [{ name: "ci", sha256, scopes: ["ingest"], tenant: "a" }] }));
  const collector = await startCollector({ keys });
  closing.push(() => collector.stop());
  const url = collector.address.http;
  await record([agent], { REENACT_ENDPOINT: url });
  const shipped = await reenact(["ship"], { REENACT_API_KEY: KEY });
  expect(shipped.code).toBe(4);
  expect(shipped.stderr).not.toContain("is not set");
  expect(shipped.stderr).toContain(
    `set REENACT_ENDPOINT=${url} and, beside it, REENACT_API_KEY to a key with the scope`,
  );
  expect((await reenact(["ship"], { REENACT_API_KEY: KEY, REENACT_ENDPOINT: url })).code).toBe(0);

  const closed = await startReceiver(() => ({ status: 401 }), null);
  closing.push(() => closed.stop());
  await record([agent], { REENACT_FORWARD: closed.url });
  const refused = await reenact(["ship"]);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain(
    `set REENACT_FORWARD=${closed.url}/v1/traces and, beside it, REENACT_FORWARD_HEADERS`,
  );
  expect(refused.stderr).not.toContain("REENACT_API_KEY");
});

test.skipIf(process.platform !== "linux")(
  "a folder of the kernel is refused, and nothing tries it for ever",
  async () => {
    newStore();
    const at = "/proc/foo";
    const command = (...args: string[]) =>
      launch([process.execPath, bin, ...args], { env: { PROVIDER_URL: provider.url }, timeoutMs: 20_000 });
    const ran = await command("run", "--store", at, "--", process.execPath, agent, "3");
    expect([ran.code, ran.signal]).toEqual([3, null]);
    expect(ran.stderr).toBe(
      `reenact: cannot record to ${at}: ENOENT: no folder can be made in /proc; the agent runs unrecorded. Next: name another folder with --store [REEN-STORE]\n`,
    );
    for (const args of [
      ["up", "--port", "0"],
      ["up", "--port", "0", "--token", "a-key-of-some-length"],
    ]) {
      const up = await command(...args, "--store", at);
      expect([up.code === 0, up.signal]).toEqual([false, null]);
      expect(up.stderr).toContain("no folder can be made in /proc");
    }
    const key = { REENACT_REDACTION_KEY: "0".repeat(64) };
    for (const env of [{ REENACT_STORE: at }, { REENACT_STORE: at, ...key }]) {
      const ended = await record([agent, "3"], env, { timeoutMs: 20_000 });
      expect([ended.code, ended.signal]).toEqual([3, null]);
      expect(ended.stderr).toMatch(/^reenact: .*no folder can be made in \/proc.*\n$/);
    }
  },
);
