import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanTraces } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestOf, sampleId, sampleRun } from "../../assemble/sample-spans.test.fixture.ts";
import { openCatalog } from "../../catalog/open-catalog.ts";
import { testCatalog } from "../../catalog/test-catalog.test.fixture.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { sampleRow } from "../../catalog/sample-row.test.fixture.ts";
import { openStore } from "../../store/open-store.ts";
import type { ReadName } from "../read-routes.ts";
import { PIECE_BYTES } from "./read-messages.ts";
import { type ReadThreads, startReadThreads } from "./read-threads.ts";

const WHO = { tenant: "default", caller: "reader", key: null, scopes: ["read"] } as const;
const MB = 1024 ** 2;

let folder: string;
let catalog: Catalog;
let threads: ReadThreads;
let lines: { level: string; event: string; [field: string]: unknown }[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "read-threads-"));
  catalog = await openCatalog(testCatalog(join(folder, "catalog.sqlite")));
  lines = [];
  threads = start();
});
afterEach(async () => {
  await threads.close();
  await catalog.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(heapMb?: number): ReadThreads {
  return startReadThreads(
    {
      catalog: testCatalog(join(folder, "catalog.sqlite")),
      journal: { driver: "local", folder: join(folder, "journal") },
      store: join(folder, "store"),
      s3: {},
      times: { short: 1, sample: 1 },
      local: null,
    },
    {
      facts: { views: () => [], columns: async () => null, texts: (_, runs) => runs.map(() => "") },
      log: (level, event, fields) => void lines.push({ level, event, ...fields }),
      ...(heapMb !== undefined && { heapMb }),
    },
  );
}

/** A sealed run in the store and in the catalog. */
async function keep(n: number, steps: number, text: (step: number) => string): Promise<string> {
  const sample = sampleRun(n, { steps, text });
  const { bytes, header } = writeEnvelope({
    spans: scanTraces(requestOf([sample.root, ...sample.steps])),
    revision: 0,
    class: "short",
  });
  const { store } = await openStore(join(folder, "store"));
  await store.put(`pack-${n}`, bytes);
  const part = { revision: 0, content: header.content, key: `pack-${n}`, offset: 0, length: bytes.length };
  await catalog.apply({ upsert: [{ row: sampleRow({ run: sample.run, parts: [part] }), text: "" }] });
  return sample.run;
}

const answer = (name: ReadName, path: string, headers: Record<string, string> = {}) =>
  threads.answer(name, new Request(`http://collector/api/v1${path}`, { headers }), WHO);
async function json<T>(name: ReadName, path: string): Promise<T> {
  const response = await answer(name, path);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}
interface Tree {
  steps: { id: string; n: number; parts: { name: string; digest: string; bytes: number }[] }[];
  total: number;
}

test("large values and many steps come in small pieces, whole", async () => {
  const large = "x".repeat(8 * MB);
  const run = await keep(1, 2, (step) => (step === 0 ? large : "short"));
  const many = await keep(2, 3_000, (step) => `step ${step}`);
  const { steps } = await json<Tree>("getTree", `/runs/${run}/tree`);
  const part = steps.flatMap(({ parts }) => parts).find(({ bytes }) => bytes === large.length)!;
  const path = `/runs/${run}/steps/2/parts/${part.digest}`;
  const whole = await answer("getPart", path);
  expect(whole.headers.get("content-length")).toBe(String(large.length));
  expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(large))).toBe(true);
  const range = await answer("getPart", path, { range: "bytes=5-8" });
  expect([range.status, await range.text()]).toEqual([206, "xxxx"]);
  expect((await answer("getPart", path, { "if-none-match": whole.headers.get("etag")! })).status).toBe(304);
  const tree = await json<Tree>("getTree", `/runs/${many}/tree?limit=20000`);
  expect([tree.total, tree.steps.length]).toEqual([3_001, 3_001]);
  const spans = await answer("getSpans", `/runs/${many}/spans`);
  expect(scanTraces(new Uint8Array(await spans.arrayBuffer()))).toHaveLength(3_001);
  // what the receiving thread handles in one go
  expect(threads.largest()).toBeLessThanOrEqual(PIECE_BYTES);
  expect(lines.filter(({ event }) => event === "api.payload-read")).toHaveLength(4);
});

test("a client that takes nothing is sent a few pieces and no more; after it cancels, others are answered", async () => {
  const large = "y".repeat(16 * MB);
  const run = await keep(1, 1, () => large);
  const response = await answer("getSpans", `/runs/${run}/spans`);
  const reader = response.body!.getReader();
  await reader.read();
  const { steps } = await json<Tree>("getTree", `/runs/${run}/tree`);
  expect(steps).toHaveLength(2);
  expect(threads.sent()).toBeLessThan(3 * MB);
  await reader.cancel();
  expect((await json<Tree>("getTree", `/runs/${run}/tree`)).total).toBe(2);
});

test("a missing step, a bad filter, an unknown run and a missing catalog are answered with their codes", async () => {
  const run = await keep(1, 1, () => "a");
  const said = async (name: ReadName, path: string) => {
    const response = await answer(name, path);
    const { error } = (await response.json()) as { error: { code: string } };
    return [response.status, error.code];
  };
  expect(await said("getStep", `/runs/${run}/steps/9`)).toEqual([404, "NO_STEP"]);
  expect(await said("listRuns", "/runs?filter=colour:red")).toEqual([400, "BAD_FILTER"]);
  expect(await said("getRun", `/runs/${sampleId(77)}`)).toEqual([404, "NOT_FOUND"]);
  await threads.close();
  threads = startReadThreads(
    {
      catalog: { driver: "sqlite", file: join(folder, "other.sqlite") },
      journal: { driver: "local", folder },
      store: join(folder, "store"),
      s3: {},
      times: { short: 1, sample: 1 },
      local: null,
    },
    { facts: { views: () => [], columns: async () => null, texts: () => [] }, log: () => {} },
  );
  expect(await said("listRuns", "/runs")).toEqual([503, "UNAVAILABLE"]);
});

test("when a thread dies its requests get UNAVAILABLE, the log says so, and it starts again; the other lane goes on", async () => {
  const run = await keep(1, 12_000, (step) => `step ${step}`);
  const small = await keep(2, 1, () => "a");
  threads = await threads.close().then(() => start(32));
  await expect(answer("getTree", `/runs/${run}/tree?limit=20000`)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "error", event: "read.thread-ended", lane: "payloads" }),
  );
  expect((await json<Tree>("getTree", `/runs/${small}/tree`)).total).toBe(2);
  expect((await json<{ runs: unknown[] }>("listRuns", "/runs")).runs).toHaveLength(2);
});

test("requests that wait at the close, and later ones, get UNAVAILABLE; no failure is logged", async () => {
  const run = await keep(1, 5000, (step) => `step ${step}`);
  const asked = answer("getTree", `/runs/${run}/tree`).catch((error: unknown) => error);
  await threads.close();
  expect(await asked).toMatchObject({ code: "UNAVAILABLE" });
  await expect(answer("listRuns", "/runs")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
});
