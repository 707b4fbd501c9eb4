import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { startProvider } from "../provider/start-provider.ts";
import { bin, type Ended, launch, type Launch, Store } from "./reenact.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";

const program = (name: string) => fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const desk = program("forwarded-desk.mjs");
const short = program("short-agent.mjs");

let provider: Provider;
let store: Store;
let collector: RunningCollector | null = null;
const stores: Store[] = [];

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
afterEach(async () => {
  await collector?.stop();
  collector = null;
  for (const each of stores.splice(0)) each.remove();
});

function newStore(): Store {
  store = new Store();
  stores.push(store);
  return store;
}

/** Records a program by the preload alone. */
function record(args: readonly string[], env: Record<string, string>, options: Launch = {}): Promise<Ended> {
  const settings = { PROVIDER_URL: provider.url, OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-local" };
  // a machine under load may need longer than the default
  const all = { ...settings, REENACT_STORE: store.folder, REENACT_EXIT_MS: "30000", ...env };
  return launch([process.execPath, "--import", preload, ...args], { ...options, env: all });
}

const recorderLines = ({ stderr }: Ended) => stderr.split("\n").filter((line) => line.startsWith("reenact:"));
const spoolOf = (where: Store) => {
  const folder = join(where.folder, "spool");
  return existsSync(folder) ? readdirSync(folder) : [];
};

interface Row {
  run: string;
  state: string;
  status: string;
  complete: boolean;
  bytes: number;
}
const rows = async () => (await collector!.get<{ runs: Row[] }>("/api/v1/runs")).runs;
const sealed = (count = 1) =>
  until(`${count} sealed runs`, async () => {
    const found = (await rows()).filter(({ bytes }) => bytes > 0);
    return found.length >= count && found;
  });

async function envelopeOf(run: string) {
  const response = await fetch(`${collector!.address.http}/api/v1/runs/${run}/envelope`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { bytes, envelope: readEnvelope(bytes) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Another process takes a dead one's file when it has been silent for 5 s: the clock is put back, the rule stays. */
function letTimePass(where: Store): void {
  const then = new Date(Date.now() - 6000);
  for (const name of spoolOf(where)) utimesSync(join(where.folder, "spool", name), then, then);
}

test.each([
  ["an ES module with parallel tools and a failed call", desk, 3, 1, "identical (1 value by place)"],
  ["CommonJS with streams from a pool of workers", program("agents/orders.cjs"), 0, 1, "identical"],
  ["several agents at once in one process", program("concurrent-agents.mjs"), 0, 4, null],
])("%s: the collector has the run, whole, and it replays", async (_, agent, code, count, verdict) => {
  newStore();
  collector = await startCollector();
  const ended = await record([agent], { REENACT_ENDPOINT: collector.address.http });
  expect([ended.code, recorderLines(ended)]).toEqual([code, []]);
  expect(spoolOf(store), "the spool is empty").toEqual([]);
  expect(existsSync(join(store.folder, "runs"))).toBe(false);
  const found = await sealed(count);
  expect(found.map(({ complete }) => complete)).toEqual(Array.from({ length: count }, () => true));
  // a call of an agent() is replayed among its process's others
  if (count > 1) return;
  const { bytes } = await envelopeOf(found[0]!.run);
  const file = join(store.folder, "from-the-collector.reenact");
  writeFileSync(file, bytes);
  const { report } = await newStore().replay(file, [process.execPath, agent], {
    env: { PROVIDER_URL: "http://127.0.0.1:1", OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_API_KEY: "sk-local" },
  });
  // the first program holds a key of its own, and this machine has another redaction key
  expect(report).toMatchObject({ verdict, socketsRefused: 0 });
});

test("a collector that is away: one line, the spool keeps the run, `ls` leaves it, and what is shipped is what would have been sealed here", async () => {
  newStore();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ended = await record([short, "3"], { REENACT_ENDPOINT: url });
  expect(ended.code).toBe(3);
  expect(recorderLines(ended)).toEqual([
    expect.stringMatching(`^reenact: 1 run is not sent to ${url}: .*ECONNREFUSED.*Next: reenact ship`),
  ]);
  const [spool] = spoolOf(store).filter((name) => name.endsWith(".spool"));
  expect(spool).toBeDefined();
  const local = newStore();
  cpSync(join(stores[0]!.folder, "spool"), join(local.folder, "spool"), { recursive: true });
  store = stores[0]!;

  const listed = await store.command("ls");
  expect(listed.stdout).toBe("");
  expect(listed.stderr).toContain(`1 run not sent to ${url} yet. Next: reenact ship`);
  const away = await store.command("ship");
  expect(away.code).toBe(5);
  expect(away.stderr).toMatch(/^reenact: run [0-9a-f]{6} is not sent to .*ECONNREFUSED.*\[REEN-SERVER\]\n$/);

  collector = await startCollector({ listen: { port } });
  const shipped = await store.command("ship");
  expect([shipped.code, shipped.stderr]).toEqual([0, ""]);
  const [row] = await sealed();
  expect(shipped.stdout).toBe(`run ${row!.run.slice(0, 6)} → ${url}\n`);
  expect(spoolOf(store)).toEqual([]);
  expect((await store.command("ship")).stderr).toBe("nothing waits to be sent\n");

  expect((await local.command("ship", "--local")).stdout).toMatch(/^1 run kept in /);
  const here = readEnvelope(readFileSync(local.path(row!.run)));
  expect((await envelopeOf(row!.run)).envelope.header.content).toBe(here.header.content);
});

test("what waits is sent by the next recorded process", async () => {
  newStore();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await record([short], { REENACT_ENDPOINT: url });
  expect(spoolOf(store)).not.toEqual([]);
  collector = await startCollector({ listen: { port } });
  const lasting = join(store.folder, "lasting.mjs");
  writeFileSync(lasting, `await import(${JSON.stringify(short)}); setTimeout(() => {}, 3500);`);
  const ended = await record([lasting], { REENACT_ENDPOINT: url });
  expect([ended.code, recorderLines(ended)]).toEqual([0, []]);
  expect((await sealed(2)).map(({ complete }) => complete)).toEqual([true, true]);
  expect(spoolOf(store)).toEqual([]);
});

test("what waits is sent by reenact up", async () => {
  newStore();
  const port = await freePort();
  await record([short], { REENACT_ENDPOINT: `http://127.0.0.1:${port}` });
  expect(spoolOf(store)).not.toEqual([]);
  const up = spawn(process.execPath, [bin, "up", "--quiet", "--port", String(port), "--store", store.folder], {
    env: { ...process.env, VITEST: undefined, NODE_OPTIONS: undefined },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await until("an empty spool", async () => spoolOf(store).length === 0);
    await until("the run, whole", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/runs`);
      const [row] = ((await response.json()) as { runs: Row[] }).runs;
      if (row === undefined) return false;
      const spans = await fetch(`http://127.0.0.1:${port}/api/v1/runs/${row.run}/spans`);
      return scanTraces(new Uint8Array(await spans.arrayBuffer())).length === 3;
    });
  } finally {
    up.kill("SIGTERM");
    await once(up, "exit");
  }
});

test("process.exit in the middle, and a process that is killed: nothing that had ended is missing", async () => {
  newStore();
  collector = await startCollector({ assemble: { settle: 100 } });
  const env = { REENACT_ENDPOINT: collector.address.http };
  const exits = join(store.folder, "exits.mjs");
  writeFileSync(
    exits,
    `const ask = (m) => fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model: m, stream: m !== "scn-ok", messages: [{ role: "user", content: "hi" }] }) });
     await (await ask("scn-ok")).json();
     const open = await ask("scn-stream-slow");
     await open.body.getReader().read();
     if (process.argv[2] === "exit") process.exit(7);
     console.log("ready");
     setInterval(() => {}, 1000);`,
  );
  const exited = await record([exits, "exit"], env);
  expect([exited.code, recorderLines(exited)]).toEqual([7, []]);
  const [first] = await sealed();
  expect(first).toMatchObject({ status: "failed" });
  expect((await envelopeOf(first!.run)).envelope.steps).toHaveLength(2);

  // the spans come while it runs
  let pid = 0;
  const killing = record([exits], env, { onOutput: (id) => (pid = id) });
  const open = await until("the call that had ended", async () =>
    pid === 0 ? null : (await rows()).find(({ state }) => state === "open"),
  );
  process.kill(pid, "SIGKILL");
  expect((await killing).signal).toBe("SIGKILL");
  letTimePass(store);
  const shipped = await store.command("ship");
  expect([shipped.code, shipped.stderr]).toEqual([0, ""]);
  const dead = await until("the dead run", async () =>
    (await rows()).find(({ run, bytes }) => run === open.run && bytes > 0),
  );
  expect(dead).toMatchObject({ status: "aborted", complete: false });
  const { steps, spans } = (await envelopeOf(open.run)).envelope;
  expect(steps).toHaveLength(2);
  expect(spans.filter(({ span }) => span.status.message === "process died")).toHaveLength(2);
});

test("reenact run says where the run went, and ends with the child's code", async () => {
  newStore();
  collector = await startCollector();
  const url = collector.address.http;
  const file = join(store.folder, "summary.json");
  const run = (endpoint: string) =>
    launch(
      [process.execPath, bin, "run", "--store", store.folder, "--json-file", file, "--", process.execPath, short, "3"],
      {
        env: { PROVIDER_URL: provider.url, REENACT_ENDPOINT: endpoint },
      },
    );
  const ended = await run(url);
  const summary = () => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const id = String(summary()["run"]);
  expect(ended.code).toBe(3);
  expect(summary()).toMatchObject({ sentTo: url, waiting: 0, status: "failed", complete: true, exitCode: 3 });
  expect(ended.stderr).toContain(`  run ${id.slice(0, 6)} → ${url}\n`);
  expect(ended.stderr).toContain(
    `replay: reenact replay ${id.slice(0, 6)} --store ${store.folder} --server ${url} -- `,
  );
  expect((await sealed())[0]).toMatchObject({ run: id, complete: true });
  expect(spoolOf(store)).toEqual([]);

  const away = await run("http://127.0.0.1:1");
  expect(away.code).toBe(3);
  expect(summary()).toMatchObject({ status: "failed", sentTo: null, waiting: 1 });
  expect(recorderLines(away)).toEqual([
    expect.stringMatching(/^reenact: run [0-9a-f]{6} is not sent to .*\[REEN-SERVER\]$/),
  ]);
});
