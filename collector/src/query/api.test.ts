import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeResource, encodeScope, encodeTraces, scanTraces } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Catalog } from "../catalog/catalog.ts";
import { createMemoryCatalog } from "../catalog/memory-catalog.test.fixture.ts";
import type { RunRow } from "../catalog/run-row.ts";
import { sampleRow } from "../catalog/sample-row.test.fixture.ts";
import type { MarkChange } from "../retain/mark-list.ts";
import { setAsideRuns } from "../seal/set-aside.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { StoreError } from "../store/store-error.ts";
import type { ApiDeps } from "./api-deps.ts";
import { API_ERRORS } from "./api-error.ts";
import { type ApiRun, apiError, apiRun } from "./api-schema.ts";
import { createApi } from "./api.ts";
import { checkAnswer } from "./checked-answer.test.fixture.ts";
import { createEventStreams } from "./live/event-stream.ts";
import { createRunFeed } from "./live/run-feed.ts";
import { createSessions } from "./session/sessions.ts";
import { API, type Route, ROUTES, type Scope } from "./routes.ts";

const golden = readFileSync(join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact"));
const envelope = readEnvelope(golden);
const PACK = `v1/runs/short/default/2026/11/22/${"5".repeat(64)}`;
const KEYS: Record<string, { tenant: string; scopes: Scope[] }> = {
  reader: { tenant: "default", scopes: ["read"] },
  admin: { tenant: "default", scopes: ["read", "admin"] },
  other: { tenant: "other", scopes: ["read"] },
};

let catalog: Catalog;
const MARK = "00112233445566aa";
const SCORE = "00112233445566bb";
const ID = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
let words: [run: string, change: MarkChange][];
let deps: ApiDeps;
let openRows: RunRow[];
let lines: { event: string }[];
const part = { revision: 0, content: envelope.header.content, key: PACK, offset: 10, length: golden.length };
const sealed = sampleRow({
  run: envelope.id,
  name: "desk",
  tools: ["refund"],
  parts: [part],
  started: 3000,
  ended: 4000,
});

beforeEach(async () => {
  catalog = createMemoryCatalog();
  words = [];
  openRows = [];
  lines = [];
  const store = createMemoryStore();
  await store.put(PACK, Buffer.concat([Buffer.alloc(10), golden, Buffer.alloc(10)]));
  await catalog.apply({ upsert: [{ row: sealed, text: "the wrong row" }] });
  deps = {
    catalog,
    store,
    destinations: [],
    system: () => ({
      version: "1.2.3",
      store: { missing: null },
      catalog: { missing: null },
      unready: [],
      journal: { bytes: 1, damagedBytes: 0, lostCommits: 0, refusing: false },
      disk: { freeBytes: null },
      runs: { open: 0, sealing: 0, spans: 0 },
      sealed: { runs: 0, packs: 0, storedBytes: 0, failures: 0 },
    }),
    feed: createRunFeed({ changes: () => [], rows: async () => [] }),
    streams: createEventStreams(),
    sessions: createSessions(),
    changes: {
      order: (_tenant, run) => (openRows.some((row) => row.run === run) ? { total: 0, ids: [] } : null),
      changes: () => [],
      frames: (_tenant, run) =>
        openRows.some((row) => row.run === run && row.state === "sealed")
          ? [golden.subarray(0, 99), golden.subarray(99)]
          : null,
    },
    open: {
      lines: async () => null,
      envelope: async () => null,
      rows: async (tenant, prefix = "") =>
        openRows.filter((row) => row.tenant === tenant && row.run.startsWith(prefix)),
      spans: async (_tenant, run) =>
        openRows.some((row) => row.run === run) ? envelope.spans.map((each) => each.scanned) : null,
      texts: async (_tenant, runs) => runs.map((run) => (run.startsWith("f") ? "waits for its pack" : "")),
    },
    times: { short: 30 * 86_400_000, sample: 180 * 86_400_000 },
    keeper: {
      marksOf: async () => ({
        marks: [
          { id: MARK, kind: "flag", name: "wrong row", at: 5, by: "admin" },
          { id: SCORE, kind: "score", name: "quality", value: 0.5, at: 6 },
        ],
        removed: words.flatMap(([, change]) => ("mark" in change ? [change] : [])),
      }),
      mark: async (row, change) => {
        words.push([row.run, change]);
        return { row: { ...row, class: "keep" }, applied: row.state === "sealed" };
      },
    },
    storeFacts: () => ({
      place: "memory",
      conditionalWrites: "supported",
      lifecycle: "off",
      versioning: "off",
      tagging: "denied",
      objectLock: "unsupported",
    }),
    projectOf: () => null,
    unsealed: (tenant) => setAsideRuns(store, tenant),
    settings: () => ({
      retention: { short: 1, sample: 2, sampleShare: 0.1, sweepEvery: 0, local: null, rulesFile: null, rules: [] },
      destinations: [],
      keys: { required: true, file: "keys.json", keys: [] },
    }),
    payloadReads: { since: 5, list: () => [] },
    plan: async (tenant, { short = 1, sample = 2 }) => {
      const amount = { packs: tenant === "acme" ? 1 : 0, runs: 1, bytes: 1 };
      const amounts = { short: amount, sample: amount, keep: amount };
      const price = { usdPerGbMonth: 1, source: "this test" };
      const held = { bytesPerDay: 1, bytes: short, usdPerMonth: 0 };
      const predicted = { short: held, sample: held, keep: held };
      const usdPerMonth = { goes: 0, stays: 0 };
      return { goes: amounts, stays: amounts, price, usdPerMonth, predicted, times: { short, sample } };
    },
    admit(headers, scope) {
      if (scope === null) return { admitted: true, tenant: "", caller: "", scopes: [], key: null };
      const name = headers.get("authorization")?.replace("Bearer ", "") ?? "";
      const key = KEYS[name];
      if (!key) return { admitted: false, code: "UNAUTHENTICATED", message: "no such key" };
      if (scope !== "any" && !key.scopes.includes(scope))
        return { admitted: false, code: "FORBIDDEN", message: `the key has no ${scope}` };
      return { admitted: true, tenant: key.tenant, caller: name, scopes: key.scopes, key: name };
    },
    log: (_level, event, fields) => void lines.push({ event, ...fields }),
    version: "1.2.3",
    now: () => 10_000,
  };
});

interface Init {
  readonly key?: string;
  readonly body?: unknown;
  readonly method?: "DELETE";
  readonly headers?: Record<string, string>;
}
async function ask(path: string, init: Init = {}) {
  const { key = "admin", body, headers, method = body === undefined ? "GET" : "POST" } = init;
  const json = body === undefined ? {} : { "content-type": "application/json" };
  return createApi(deps).request(API + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, ...json, ...headers },
  });
}
/** All that any of the answers may hold; what is not there is undefined. */
interface Answer {
  applied: boolean;
  status: number;
  run: ApiRun;
  runs: ApiRun[];
  next: string | null;
  count: { value: number; exact: boolean };
  facets: object;
  error: { code: string; message: string; at?: number };
  resourceSpans: { scopeSpans: { spans: { traceId: string }[] }[] }[];
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { content: object }> }>>;
}
async function json(path: string, init: Parameters<typeof ask>[1] = {}): Promise<Answer> {
  const response = await ask(path, init);
  const answer = (await response.json()) as Answer;
  checkAnswer(init.method ?? (init.body === undefined ? "GET" : "POST"), path, response.status, answer);
  return { ...answer, status: response.status };
}

test("runs are listed with a filter, page by page, of the caller's tenant only", async () => {
  const rows = Array.from({ length: 5 }, (_, n) => sampleRow({ run: `${n}`.repeat(32), started: n, status: "failed" }));
  await catalog.apply({ upsert: rows.map((row) => ({ row, text: "" })) });
  const first = await json("/runs?filter=status:failed&limit=3");
  expect(first.runs.map(({ run }) => run[0])).toEqual(["4", "3", "2"]);
  expect(first.count).toEqual({ value: 5, exact: true });
  const second = await json(`/runs?filter=status:failed&limit=3&after=${first.next}`);
  expect(second.runs.map(({ run }) => run[0])).toEqual(["1", "0"]);
  expect(second.next).toBeNull();
  expect((await json("/runs", { key: "other" })).runs).toEqual([]);
  expect(z.array(apiRun.strict()).safeParse(first.runs).success).toBe(true);
  expect(JSON.stringify(first)).not.toContain("pack");
});

test("free text and a moment find the run", async () => {
  expect((await json('/runs?filter="wrong row"')).count.value).toBe(1);
  expect((await json(`/runs?at=${encodeURIComponent("1970-01-01T00:00:03.5Z±1s")}`)).count.value).toBe(1);
  expect((await json(`/runs?at=${encodeURIComponent("1970-01-01T00:10Z±1s")}`)).count.value).toBe(0);
});

test("open runs stand among the first page until they are sealed", async () => {
  openRows = [
    sampleRow({ run: "f".repeat(32), state: "open", started: 9000, parts: [] }),
    { ...sealed, state: "open", parts: [] },
    sampleRow({ run: "e".repeat(32), state: "open", tenant: "other", parts: [] }),
  ];
  const { runs, count } = await json("/runs");
  expect(runs.map(({ run, state }) => [run[0], state])).toEqual([
    ["f", "open"],
    [envelope.id[0], "sealed"],
  ]);
  expect(count).toEqual({ value: 2, exact: true });
  expect((await json("/runs?filter=state:sealed")).runs).toHaveLength(1);
  expect((await json("/runs/ffff")).run.state).toBe("open");
  expect(await json("/runs/ffff/envelope")).toMatchObject({ status: 409, error: { code: "NOT_SEALED" } });
  expect(await json("/runs/ffff/keep", { body: {} })).toMatchObject({ status: 200, applied: false });
  const spans = await ask("/runs/ffff/spans");
  expect(scanTraces(new Uint8Array(await spans.arrayBuffer()))).toHaveLength(envelope.spans.length);
});

test("open runs stand among the others: a page has no more than its limit, and the pages have each run once", async () => {
  const id = (n: number) => n.toString(16).padStart(32, "f");
  openRows = Array.from({ length: 200 }, (_, n) =>
    sampleRow({ run: id(n), state: "open", started: 2900 + n, parts: [] }),
  );
  const { count } = await json("/runs?limit=3");
  expect(count.exact).toBe(false);
  const found: string[][] = [];
  for (let after = ""; ;) {
    const { runs, next } = await json(`/runs?limit=7${after}`);
    found.push(runs.map(({ run }) => run));
    if (next === null) break;
    after = `&after=${next}`;
  }
  expect(found.every((page) => page.length <= 7)).toBe(true);
  const open = openRows.map(({ run }) => run).toReversed();
  const at3000 = open.indexOf(id(100));
  expect(found.flat()).toEqual([
    ...open.slice(0, at3000),
    ...[id(100), envelope.id].toSorted(),
    ...open.slice(at3000 + 1),
  ]);
});

test("a run that is packed while a page is made stands on it, once", async () => {
  const late = sampleRow({ run: "f".repeat(32), state: "sealed", started: 9000, parts: [] });
  openRows = [late];
  const find = catalog.find.bind(catalog);
  catalog.find = async (...asked) => {
    openRows = [];
    await catalog.apply({ upsert: [{ row: { ...late, parts: [part] }, text: "" }] });
    return find(...asked);
  };
  const { runs, count } = await json("/runs");
  expect(runs.map(({ run }) => run[0])).toEqual(["f", envelope.id[0]]);
  expect(count.value).toBe(2);
});

test("a run that is sealed and in no pack yet is read like one that is", async () => {
  openRows = [sampleRow({ run: "f".repeat(32), state: "sealed", started: 9000, parts: [] })];
  expect((await json("/runs/ffff")).run).toMatchObject({ state: "sealed", bytes: 0 });
  expect((await json("/runs?filter=state:sealed")).runs.map(({ run }) => run[0])).toEqual(["f", envelope.id[0]]);
  expect((await json('/runs?filter="waits for"')).runs).toHaveLength(1);
  const whole = await ask("/runs/ffff/envelope");
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(golden);
  const some = await ask("/runs/ffff/envelope", { headers: { range: "bytes=90-109" } });
  expect([some.status, some.headers.get("content-range")]).toEqual([206, `bytes 90-109/${golden.length}`]);
  expect(Buffer.from(await some.arrayBuffer())).toEqual(golden.subarray(90, 110));
  const spans = await ask("/runs/ffff/spans");
  expect(scanTraces(new Uint8Array(await spans.arrayBuffer()))).toHaveLength(envelope.spans.length);
});

test("a run is named by the begin of its id", async () => {
  expect((await json(`/runs/${envelope.id.slice(0, 4)}`)).run.run).toBe(envelope.id);
  expect((await json(`/runs/${envelope.id}`)).run).toMatchObject({ bytes: golden.length, name: "desk" });
  expect(await json("/runs/abcd")).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
  expect(await json("/runs/abc")).toMatchObject({ status: 400, error: { code: "BAD_REQUEST" } });
  expect(await json(`/runs/${envelope.id}`, { key: "other" })).toMatchObject({ status: 404 });
  const twin = `${envelope.id.slice(0, 8)}${"0".repeat(24)}`;
  await catalog.apply({ upsert: [{ row: sampleRow({ run: twin }), text: "" }] });
  const refused = await json(`/runs/${envelope.id.slice(0, 8)}`);
  expect(refused).toMatchObject({ status: 409, error: { code: "AMBIGUOUS" } });
  expect(refused.error.message).toMatch(/^[0-9a-f]{8} begins the ids of 2 runs: /);
  for (const id of [twin, envelope.id]) expect(refused.error.message).toContain(id);
});

test("the envelope comes as it was sealed, whole or in part, and the read is told", async () => {
  const whole = await ask(`/runs/${envelope.id}/envelope`);
  expect(whole.headers.get("content-length")).toBe(String(golden.length));
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(golden);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "api.payload-read", run: envelope.id, caller: "admin" }),
  );
  for (const [range, from, to] of [
    ["bytes=0-0", 0, 1],
    ["bytes=5-24", 5, 25],
    ["bytes=100-", 100, golden.length],
    ["bytes=-7", golden.length - 7, golden.length],
    [`bytes=1-${golden.length * 2}`, 1, golden.length],
  ] as const) {
    const some = await ask(`/runs/${envelope.id}/envelope`, { headers: { range } });
    expect(some.status).toBe(206);
    expect(some.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${golden.length}`);
    expect(Buffer.from(await some.arrayBuffer())).toEqual(golden.subarray(from, to));
  }
  const none = await json(`/runs/${envelope.id}/envelope`, { headers: { range: `bytes=${golden.length}-` } });
  expect(none).toMatchObject({ status: 416, error: { code: "BAD_RANGE" } });
});

test("a run of two revisions comes as one envelope with all of its spans", async () => {
  const root = envelope.spans.find(({ span }) => span === envelope.root)!;
  const late = encodeTraces(
    { ...root.span, spanId: "0".repeat(15).concat("9"), name: "late", attributes: { "reenact.run.id": envelope.id } },
    { resource: encodeResource({}), resourceSchemaUrl: "", scope: encodeScope("late"), scopeSchemaUrl: "" },
  );
  const second = writeEnvelope({ spans: scanTraces(late), revision: 1, previous: envelope.header.content });
  (await deps.store) satisfies unknown;
  const store = createMemoryStore();
  await store.put("both", Buffer.concat([golden, second.bytes]));
  deps = { ...deps, store };
  const parts = [
    { ...part, key: "both", offset: 0 },
    { revision: 1, content: second.header.content, key: "both", offset: golden.length, length: second.bytes.length },
  ];
  await catalog.apply({ upsert: [{ row: { ...sealed, revision: 1, parts } }] });
  const response = await ask(`/runs/${envelope.id}/envelope`);
  const merged = readEnvelope(new Uint8Array(await response.arrayBuffer()));
  expect(merged.spans).toHaveLength(envelope.spans.length + 1);
  expect(merged.header.revision).toBe(1);
});

test("spans come as OTLP in protobuf or JSON", async () => {
  const binary = await ask(`/runs/${envelope.id}/spans`);
  expect(binary.headers.get("content-type")).toBe("application/x-protobuf");
  expect(scanTraces(new Uint8Array(await binary.arrayBuffer()))).toHaveLength(envelope.spans.length);
  const text = await json(`/runs/${envelope.id}/spans`, { headers: { accept: "application/json" } });
  expect(text.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
});

test("facets of what the filter leaves", async () => {
  expect((await json("/facets?fields=tool,status")).facets).toEqual({
    tool: [{ value: "refund", runs: 1 }],
    status: [{ value: "ok", runs: 1 }],
  });
  expect((await json("/facets?fields=colour")).error.code).toBe("BAD_REQUEST");
});

test("facets, series and lists in other orders have the open runs, too", async () => {
  openRows = [
    sampleRow({
      run: "f".repeat(32),
      state: "open",
      name: "desk",
      started: 3500,
      tokens: 90,
      durationMs: null,
      parts: [],
    }),
    { ...sealed, state: "open", parts: [] },
  ];
  const { facets } = await json("/facets?fields=name,state");
  expect(facets).toEqual({
    name: [{ value: "desk", runs: 2 }],
    state: [
      { value: "open", runs: 1 },
      { value: "sealed", runs: 1 },
    ],
  });
  const series = (await json("/series?from=0&to=10000&buckets=10&by=name")) as unknown as { points: object[] };
  expect(series.points).toEqual([
    expect.objectContaining({ at: 3000, group: "desk", runs: 2, open: 1, tokens: 100, p50: 1000, p99: 1000 }),
  ]);
  expect((await json("/runs?order=tokens")).runs.map(({ run }) => run[0])).toEqual(["f", envelope.id[0]]);
  expect((await json("/runs?order=duration")).runs.map(({ run }) => run[0])).toEqual([envelope.id[0], "f"]);
  const { next } = await json("/runs?order=tokens&limit=1");
  expect((await json(`/runs?order=tokens&limit=1&after=${next}`)).runs.map(({ run }) => run[0])).toEqual([
    envelope.id[0],
  ]);
  expect((await json(`/runs?order=cost&limit=1&after=${next}`)).error.code).toBe("BAD_CURSOR");
  expect((await json("/series?from=5&to=5")).error.code).toBe("BAD_REQUEST");
  // of a local folder: in no pack, and it has ended
  openRows = [sampleRow({ run: "e".repeat(32), started: 6500, status: "failed", cost: 0.5, parts: [] })];
  const local = (await json("/series?from=6000&to=7000&buckets=1")) as unknown as { points: object[] };
  expect(local.points).toEqual([expect.objectContaining({ runs: 1, failed: 1, aborted: 0, cost: 0.5 })]);
});

test("sessions, users and errors are things with sums and runs", async () => {
  const error = { class: "TimeoutError", message: "too slow", fingerprint: "0123456789abcdef" };
  const rows = [
    sampleRow({ run: "1".repeat(32), session: "a/b ?", user: "u", started: 1, tokens: 5, cost: 0.25 }),
    sampleRow({ run: "2".repeat(32), session: "a/b ?", user: "u", started: 2, status: "failed", error, version: "7" }),
    sampleRow({ run: "3".repeat(32), session: "c", user: "u", started: 3 }),
  ];
  await catalog.apply({ upsert: rows.map((row) => ({ row, text: "" })) });
  const get = async (path: string) => (await json(path)) as unknown as Record<string, { [key: string]: unknown }[]>;
  expect((await get("/sessions"))["sessions"]?.map(({ session, runs }) => [session, runs])).toEqual([
    ["c", 1],
    ["a/b ?", 2],
  ]);
  const session = await get(`/sessions/${encodeURIComponent("a/b ?")}?limit=1`);
  expect(session).toMatchObject({ session: "a/b ?", sums: { runs: 2, failed: 1, tokens: 15, cost: 0.25 } });
  expect(session["runs"]!.map(({ run }) => run)).toEqual(["2".repeat(32)]);
  const { next } = session as unknown as { next: string };
  const rest = await json(`/sessions/${encodeURIComponent("a/b ?")}?limit=1&after=${next}`);
  expect(rest.runs.map(({ run }) => run)).toEqual(["1".repeat(32)]);
  expect(await get("/users/u")).toMatchObject({
    user: "u",
    sums: { runs: 3 },
    sessions: [{ session: "c" }, { runs: 2 }],
  });
  expect((await get("/users"))["users"]).toHaveLength(1);
  expect((await get("/errors"))["errors"]).toEqual([
    {
      ...error,
      newest: "2".repeat(32),
      runs: 1,
      first: 2,
      last: 2,
      agents: [{ value: "agent", runs: 1 }],
      versions: [{ value: "7", runs: 1 }],
      isNew: null,
    },
  ]);
  expect(await json("/sessions/none")).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } });
  expect((await json("/users/u", { key: "other" })).error.code).toBe("NOT_FOUND");
});

test("keep, flag and feedback need the admin scope and a body that is right", async () => {
  const to = (word: string, body: unknown, key = "admin") => json(`/runs/${envelope.id}/${word}`, { body, key });
  expect((await to("keep", {})).run.class).toBe("keep");
  expect((await to("flag", { reason: "wrong row" })).status).toBe(200);
  expect((await to("feedback", { value: 0.2 })).status).toBe(200);
  expect(words).toEqual([
    [envelope.id, { id: ID, kind: "flag", name: "kept by hand", pinned: true, at: 10_000, by: "admin" }],
    [envelope.id, { id: ID, kind: "flag", name: "wrong row", at: 10_000, by: "admin" }],
    [envelope.id, { id: ID, kind: "feedback", name: "user", value: 0.2, at: 10_000, by: "admin" }],
  ]);
  expect(await to("keep", {}, "reader")).toMatchObject({ status: 403, error: { code: "FORBIDDEN" } });
  expect((await to("flag", {})).error).toMatchObject({ code: "BAD_REQUEST" });
  expect((await to("flag", { reason: "x", class: "short" })).error.code).toBe("BAD_REQUEST");
  expect((await to("feedback", { score: 2 })).error.code).toBe("BAD_REQUEST");
  expect((await to("feedback", { value: "x".repeat(70_000) })).error.message).toContain("larger");
  const text = await json(`/runs/${envelope.id}/keep`, { body: {}, headers: { "content-type": "text/plain" } });
  expect(text.error.message).toContain("application/json");
  expect(words).toHaveLength(3);
  const { marks } = (await json(`/runs/${envelope.id}/marks`, { key: "reader" })) as unknown as { marks: object[] };
  const plain = { value: null, by: null, pinned: false, removed: null };
  expect(marks).toEqual([
    { ...plain, id: MARK, kind: "flag", name: "wrong row", at: 5, by: "admin" },
    { ...plain, id: SCORE, kind: "score", name: "quality", value: 0.5, at: 6 },
  ]);
});

test("a mark is removed by its id, once, with the scope that sets one", async () => {
  const remove = (mark: string, key = "admin") => json(`/runs/${envelope.id}/marks/${mark}`, { method: "DELETE", key });
  expect(await remove(MARK)).toMatchObject({ status: 200, applied: true, mark: MARK, run: { run: envelope.id } });
  expect(await remove(MARK)).toMatchObject({ status: 200 });
  const removal = { mark: MARK, at: 10_000, by: "admin" };
  expect(words).toEqual([
    [envelope.id, removal],
    [envelope.id, removal],
  ]);
  const { marks } = (await json(`/runs/${envelope.id}/marks`, { key: "reader" })) as unknown as { marks: object[] };
  expect(marks).toMatchObject([{ id: MARK, removed: { at: 10_000, by: "admin" } }, { removed: null }]);
  expect(await remove(MARK, "reader")).toMatchObject({ status: 403, error: { code: "FORBIDDEN" } });
  expect(await remove("f".repeat(16))).toMatchObject({ status: 404, error: { code: "NO_MARK" } });
  expect(await remove("x")).toMatchObject({ status: 404, error: { code: "NO_MARK" } });
  expect(words).toHaveLength(2);
});

describe("errors", () => {
  test.each([
    ["/runs?filter=colour:red", 400, "BAD_FILTER"],
    ["/runs?at=soon", 400, "BAD_FILTER"],
    ["/runs?after=x", 400, "BAD_CURSOR"],
    ["/runs?limit=0", 400, "BAD_REQUEST"],
    ["/runs?what=1", 400, "BAD_REQUEST"],
    ["/nothing", 404, "NO_ROUTE"],
  ])("%s is %i %s", async (path, status, code) => {
    const answer = await json(path);
    expect(answer).toMatchObject({ status, error: { code } });
    const { status: _, ...body } = answer;
    expect(apiError.strict().safeParse(body).success).toBe(true);
  });

  test("no key, and the store's trouble", async () => {
    const anonymous = await ask("/runs", { key: "" });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
    const trouble = (code: "UNAVAILABLE" | "NO_OBJECT" | "DENIED" | "DAMAGED") => {
      const getRange = () => Promise.reject(new StoreError(code, "get", "secret detail"));
      deps = { ...deps, store: { getRange } };
      return json(`/runs/${envelope.id}/envelope`);
    };
    expect(await trouble("UNAVAILABLE")).toMatchObject({ status: 503, error: { code: "UNAVAILABLE" } });
    // a length of the envelope on the error would keep the client waiting for the rest
    const { headers } = await ask(`/runs/${envelope.id}/envelope`);
    expect([headers.get("content-length"), headers.get("content-type")]).toEqual([null, "application/json"]);
    expect(await trouble("NO_OBJECT")).toMatchObject({
      status: 500,
      error: { code: "PACK_MISSING", message: expect.stringContaining(PACK) as string },
    });
    expect(lines.at(-1)).toMatchObject({ event: "api.failed" });
    expect(await trouble("DAMAGED")).toMatchObject({ status: 500, error: { code: "DAMAGED" } });
    deps = { ...deps, now: () => Date.UTC(2100, 0) };
    expect(await trouble("NO_OBJECT")).toMatchObject({
      status: 410,
      error: { code: "EXPIRED", message: expect.stringMatching(/kept copies: none$/) as string },
    });
    const hidden = await trouble("DENIED");
    expect(hidden).toMatchObject({ status: 500, error: { code: "INTERNAL" } });
    expect(JSON.stringify(hidden)).not.toContain("secret");
  });
});

test("every reference of the OpenAPI document leads somewhere", async () => {
  const document = (await json("/openapi.json", { key: "" })) as unknown;
  const names = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name!);
  expect(new Set(names)).toEqual(
    new Set(["Run", "Error", "Step", "Part", "Item", "Stretch"].map((name) => `#/components/schemas/${name}`)),
  );
  const { components } = document as { components: { schemas: Record<string, { properties: object }> } };
  expect(components.schemas["Run"]?.properties).toHaveProperty("started");
  expect(components.schemas["Error"]?.properties).toHaveProperty("error");
});

test("the OpenAPI document names every route that the server has, and no other", async () => {
  const document = await json("/openapi.json", { key: "" });
  const served = createApi(deps)
    .routes.filter(({ method, path }) => method !== "ALL" && path !== "*")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:([a-z]+)/g, "{$1}")}`);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(served.toSorted());
  expect(served).toHaveLength(Object.keys(ROUTES).length);
  expect(document.openapi).toBe("3.1.0");
  expect(document.info.version).toBe("1.2.3");
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const described = document.paths[API + route.path.replaceAll(/:([a-z]+)/g, "{$1}")]?.[route.method];
    expect(described?.operationId).toBe(name);
    expect(described?.responses["200"]?.content).toHaveProperty([(route.types ?? ["application/json"])[0]!]);
    for (const { status } of Object.values(API_ERRORS)) expect(described?.responses).toHaveProperty(String(status));
  }
});

test("runs that could not be sealed are listed, each of its own tenant", async () => {
  const run = "a".repeat(32);
  const aside = createMemoryStore();
  deps = { ...deps, unsealed: (tenant) => setAsideRuns(aside, tenant) };
  for (const tenant of ["default", "elsewhere"])
    await aside.put(`v1/unsealed/${tenant}/${run}/${"0".repeat(64)}`, Buffer.from("raw"));
  const answer = await json("/unsealed");
  expect(answer).toMatchObject({ runs: [{ run, bytes: 3, key: `v1/unsealed/default/${run}/${"0".repeat(64)}` }] });
});

test("a filter that is wrong says where", async () => {
  const { error } = await json(`/runs?filter=${encodeURIComponent("status:failed (")}`);
  expect(error).toMatchObject({ code: "BAD_FILTER", at: 15 });
  expect((await json("/runs?limit=0")).error).not.toHaveProperty("at");
});

test("a browser signs in with a key that may read, and gets a session instead of it", async () => {
  const refused = await json("/signin", { key: "", body: { key: "nobody" } });
  expect(refused).toMatchObject({ status: 401, error: { code: "UNAUTHENTICATED" } });
  expect((await ask("/signin", { key: "", body: { key: "nobody" } })).headers.get("set-cookie")).toBeNull();
  expect(await json("/signin", { key: "", body: { key: " reader " } })).toMatchObject({ status: 200, key: "reader" });
  const cookie = (await ask("/signin", { key: "", body: { key: "reader" } })).headers.get("set-cookie")!;
  expect(cookie).toMatch(/^reenact_session=[A-Za-z0-9_-]{43}; .*HttpOnly; SameSite=Strict/);
  const id = cookie.slice("reenact_session=".length).split(";")[0]!;
  expect(deps.sessions.keyOf(id)).toBe("reader");
  const out = await ask("/signout", { key: "", body: {}, headers: { cookie: `reenact_session=${id}` } });
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  expect(deps.sessions.keyOf(id)).toBeNull();
});

test("a run for reading: all of it, one step, and each read in the log", async () => {
  const view = await json(`/runs/${envelope.id}/view?limit=1`);
  expect(view).toMatchObject({ status: 200, total: 2, next: 1, answer: "Reykjavík", cause: null });
  expect(await json(`/runs/${envelope.id}/view/2`)).toMatchObject({ status: 200, output: [{ text: "Reykjavík" }] });
  expect(await json(`/runs/${envelope.id}/view/9`)).toMatchObject({ status: 404, error: { code: "NO_STEP" } });
  expect(lines.map(({ event }) => event)).toContain("api.payload-read");
});

test("what a model had read at a step, and the read in the log", async () => {
  const read = await json(`/runs/${envelope.id}/context/2`);
  expect(read).toMatchObject({ status: 200, step: 2, calls: [], context: { step: 2, before: null } });
  expect(await json(`/runs/${envelope.id}/context/9`)).toMatchObject({ status: 404, error: { code: "NO_STEP" } });
  expect(lines.map(({ event }) => event)).toContain("api.payload-read");
});

test("a dry run takes other times, and says what is wrong with one that is none", async () => {
  const asked = await json("/retention?short=12h&sampleShare=0.5", { key: "admin" });
  expect(asked).toMatchObject({ status: 200, times: { short: 43_200_000, sample: 2 } });
  const wrong = await json("/retention?short=soon", { key: "admin" });
  expect(wrong).toMatchObject({
    status: 400,
    error: { code: "BAD_REQUEST", message: "short: is no duration: 12h, 30d" },
  });
});

test("what redaction would do with a text: nothing of the text is logged, and one that is too long is not repeated", async () => {
  const text = "call +1 415 555 0132, ann.lee@shop.example";
  const tried = await json("/redaction/try", { key: "reader", body: { text } });
  expect(tried).toMatchObject({ status: 200, policy: "default" });
  const long = await json("/redaction/try", { key: "reader", body: { text: "ann.lee@shop.example ".repeat(2000) } });
  expect(long).toMatchObject({ status: 400, error: { code: "BAD_REQUEST" } });
  expect(JSON.stringify([long, lines])).not.toContain("ann.lee");
});
