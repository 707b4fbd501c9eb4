import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WireWriter } from "@reenact/envelope";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { startProvider } from "../provider/start-provider.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { type Ended, launch, Store } from "./reenact.ts";
import { startCollector } from "./running-collector.ts";

const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const agent = fileURLToPath(new URL("../programs/short-agent.mjs", import.meta.url));
/** of the agent: a call, a tool, the root */
const SPANS = 3;
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

async function receiver(...how: Parameters<typeof startReceiver>): Promise<OtlpReceiver> {
  const started = await startReceiver(...how);
  closing.push(() => started.stop());
  return started;
}

async function record(env: Record<string, string>, flags: string[] = []): Promise<Ended & { ms: number }> {
  newStore();
  const began = performance.now();
  const ended = await launch([process.execPath, ...flags, "--import", preload, agent, "3"], {
    env: { PROVIDER_URL: provider.url, REENACT_STORE: store.folder, REENACT_EXIT_MS: "30000", ...env },
  });
  expect(ended.code).toBe(3);
  return { ...ended, ms: performance.now() - began };
}

const lines = ({ stderr }: Ended) => stderr.split("\n").filter((line) => line.startsWith("reenact:"));
const spool = () => {
  const folder = join(store.folder, "spool");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".spool")) : [];
};

test("429 with Retry-After is waited for, 413 is split, and each span is taken once", async () => {
  const busy = await receiver((_, n) =>
    n === 1 ? { status: 429, headers: { "retry-after": "0.2" } } : { status: 200 },
  );
  expect(lines(await record({ REENACT_ENDPOINT: busy.url }))).toEqual([]);
  expect(busy.taken()).toHaveLength(SPANS);

  const small = await receiver(({ spans }) => ({ status: spans.length > 1 ? 413 : 200 }));
  expect(lines(await record({ REENACT_ENDPOINT: small.url }))).toEqual([]);
  expect(new Set(small.taken().map(({ spanId }) => spanId)).size).toBe(SPANS);
  expect(small.taken()).toHaveLength(SPANS);
  expect(spool()).toEqual([]);
  for (const { headers } of small.requests)
    expect(headers).toMatchObject({ "content-type": "application/x-protobuf", "content-encoding": "gzip" });
});

test("what the collector will never take is told, and the run is kept here", async () => {
  const partial = new WireWriter().message(1, new WireWriter().varint(1, 2).string(2, "ids of zeros")).finish();
  const picky = await receiver(() => ({
    status: 200,
    headers: { "content-type": "application/x-protobuf" },
    body: partial,
  }));
  const ended = await record({ REENACT_ENDPOINT: picky.url });
  expect(lines(ended)).toEqual([expect.stringMatching(/refuses \d+ spans?: ids of zeros/)]);
  const listed = JSON.parse((await store.command("ls", "--json")).stdout) as { runs: { complete: boolean }[] };
  expect(listed.runs).toMatchObject([{ complete: true }]);
  expect(spool()).toEqual([]);
});

test("a web server that is no collector gets nothing", async () => {
  const page = await receiver(undefined, null);
  const ended = await record({ REENACT_ENDPOINT: page.url, REENACT_API_KEY: KEY });
  expect(lines(ended)).toEqual([
    expect.stringContaining(`not sent to ${page.url}: no Reenact collector answers there`),
  ]);
  expect(page.requests).toEqual([]);
  expect(spool()).toHaveLength(1);
});

test("a collector that never answers holds the end of the process for no longer than REENACT_EXIT_MS", async () => {
  const slow = await receiver(() => null);
  // a busy machine may hold one process for longer than that by itself, and not three in turn
  let least = Infinity;
  for (let turn = 0; turn < 3 && least >= 2000; turn++) {
    newStore();
    const quick = await record({ REENACT_ENDPOINT: slow.url, REENACT_EXIT_MS: "300" });
    expect(lines(quick)).toHaveLength(1);
    expect(spool()).toHaveLength(1);
    const never = await record({ REENACT_ENDPOINT: slow.url, REENACT_EXIT_MS: "0" });
    expect(lines(never)).toEqual([]);
    least = Math.min(least, quick.ms - never.ms);
  }
  expect(least).toBeLessThan(2000);
});

test("where no thread may be started the run is kept, and that is told", async () => {
  const there = await receiver();
  const flags = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*"];
  const ended = await record({ REENACT_ENDPOINT: there.url }, flags);
  expect(lines(ended)).toEqual([expect.stringContaining("there is no thread to send with")]);
  expect(spool()).toHaveLength(1);
  expect((await store.command("ship")).code).toBe(0);
  expect(there.taken()).toHaveLength(SPANS);
});

test("keys: a wrong one and none are told, the right one sends, none can be read anywhere; doctor ends with 4, 5, 6", async () => {
  newStore();
  const keys = join(store.folder, "keys.json");
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  writeFileSync(keys, JSON.stringify({ keys: [{ name: "ci", sha256, scopes: ["ingest"], tenant: "a" }] }));
  const collector = await startCollector({ keys });
  closing.push(() => collector.stop());
  const REENACT_ENDPOINT = collector.address.http;
  const WRONG = "rk_wrong-key-of-some-length";
  expect(lines(await record({ REENACT_ENDPOINT }))).toEqual([expect.stringContaining("REENACT_API_KEY is not set")]);
  const wrong = await record({ REENACT_ENDPOINT, REENACT_API_KEY: WRONG });
  expect(lines(wrong)).toEqual([expect.stringContaining("does not take the key in REENACT_API_KEY")]);
  const [name] = spool();
  const bytes = readFileSync(join(store.folder, "spool", name!)).toString("latin1");
  expect([bytes, wrong.stderr].join("\n")).not.toContain(WRONG);
  expect(lines(await record({ REENACT_ENDPOINT, REENACT_API_KEY: KEY }))).toEqual([]);
  expect(spool()).toEqual([]);

  const page = await receiver(undefined, null);
  const doctor = async (env: Record<string, string>) => {
    const bin = fileURLToPath(new URL("../../packages/cli/bin/reenact.js", import.meta.url));
    const ended = await launch([process.execPath, bin, "doctor", "--json", "--store", store.folder], { env });
    const { checks } = JSON.parse(ended.stdout) as { checks: { id: string; ok: boolean; line: string }[] };
    return [ended.code, checks.find(({ id }) => id === "endpoint")?.ok];
  };
  expect(await doctor({ REENACT_ENDPOINT, REENACT_API_KEY: KEY })).toEqual([0, true]);
  expect(await doctor({ REENACT_ENDPOINT, REENACT_API_KEY: WRONG })).toEqual([4, false]);
  expect(await doctor({ REENACT_ENDPOINT: "http://127.0.0.1:1" })).toEqual([5, false]);
  expect(await doctor({ REENACT_ENDPOINT: page.url })).toEqual([6, false]);
});

test("REENACT_FORWARD gets what people read, in addition to the local store; the whole record only when asked", async () => {
  const [phoenix, other] = [await receiver(undefined, null), await receiver(undefined, null)];
  await record({ REENACT_FORWARD: `${phoenix.url}, ${other.url}/v1/traces` });
  for (const each of [phoenix, other]) {
    expect(each.taken()).toHaveLength(SPANS);
    expect(each.paths.every((path) => path === "POST /v1/traces")).toBe(true);
    const names = new Set(each.taken().flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((key) => key.startsWith("reenact."))).toEqual(["reenact.run.id"]);
    expect([...names]).toEqual(expect.arrayContaining(["openinference.span.kind", "llm.model_name", "input.value"]));
  }
  const listed = JSON.parse((await store.command("ls", "--json")).stdout) as { runs: { complete: boolean }[] };
  expect(listed.runs).toMatchObject([{ complete: true }]);
  expect(spool()).toEqual([]);

  const full = await receiver(undefined, null);
  const headers = { REENACT_FORWARD_HEADERS: "authorization=Bearer%20abc" };
  await record({ REENACT_FORWARD: full.url, REENACT_FORWARD_VIEW: "full", ...headers });
  expect(full.requests[0]?.headers.authorization).toBe("Bearer abc");
  expect(full.taken().filter(({ attributes }) => "reenact.record" in attributes)).toHaveLength(SPANS - 1);
});

test("a receiver that is away keeps no run from the local list, and gets it later", async () => {
  const ended = await record({ REENACT_FORWARD: "http://127.0.0.1:1" });
  expect(lines(ended)).toEqual([expect.stringContaining("1 run is not sent to http://127.0.0.1:1/v1/traces")]);
  const listed = JSON.parse((await store.command("ls", "--json")).stdout) as { runs: unknown[] };
  expect(listed.runs).toHaveLength(1);
  expect(spool()).toHaveLength(1);
  expect((await store.command("ship")).code).toBe(5);
  expect((await store.command("ship", "--local")).code).toBe(0);
  expect(spool()).toEqual([]);
});

test("the standard variables are used after REENACT_EXPORT=otel, and only then", async () => {
  const apm = await receiver(undefined, null);
  const otel = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${apm.url}/base/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=one,x-team=a",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-key=two",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  };
  await record(otel);
  expect(apm.requests).toEqual([]);
  await record({ ...otel, REENACT_EXPORT: "otel" });
  expect(apm.taken()).toHaveLength(SPANS);
  const [first] = apm.requests;
  expect(first?.path).toBe("/base/v1/traces");
  expect(first?.headers).toMatchObject({ "x-key": "two", "x-team": "a", "content-encoding": "gzip" });
  expect(apm.taken().some(({ attributes }) => "reenact.record" in attributes)).toBe(false);

  const refused = await record({ ...otel, REENACT_EXPORT: "otel", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
  expect(lines(refused)).toEqual([
    "reenact: REENACT_EXPORT=otel: OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf; nothing is sent there",
  ]);
  expect(apm.taken()).toHaveLength(SPANS);
});
