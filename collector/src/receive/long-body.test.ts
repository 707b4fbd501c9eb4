import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { otlpJson, scanTraces } from "@reenact/envelope";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JournalError } from "../journal/journal-error.ts";
import {
  JSON_TYPE,
  post,
  PROTOBUF,
  requestOf,
  startReceiver,
  type TestReceiver,
  traceSpan,
} from "./receiver.test.fixture.ts";

const MEMORY = 100_000;
const LIMIT = 3_000_000;
let folder: string;
let running: TestReceiver | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incoming-"));
});
afterEach(async () => {
  await running?.stop().catch(() => {});
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

async function start(more: Parameters<typeof startReceiver>[0] = {}): Promise<TestReceiver> {
  running = await startReceiver({ folder, memoryBytes: MEMORY, bodyBytes: LIMIT, pendingBytes: MEMORY * 10, ...more });
  return running;
}

/** The spans in the journal, by their bytes; afterwards no file is left. */
async function kept(): Promise<string[]> {
  const entries = await running!.stop();
  running = null;
  expect(readdirSync(folder)).toEqual([]);
  return entries.flatMap(({ body }) => scanTraces(body).map(({ span }) => Buffer.from(span).toString("base64")));
}
const spansOf = (body: Uint8Array) => scanTraces(body).map(({ span }) => Buffer.from(span).toString("base64"));

const body = (spans: number, size: number): Uint8Array =>
  requestOf(Array.from({ length: spans }, () => traceSpan(size, { spanId: randomBytes(8) }))).finish();
const large = body(250, 10_000);

/** In pieces, without a length. */
function chunked(url: string, bytes: Uint8Array): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/traces`, { method: "POST", headers: PROTOBUF }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject);
    for (let at = 0; at < bytes.length; at += 65_000) sent.write(bytes.subarray(at, at + 65_000));
    sent.end();
  });
}

test.each(["identity", "chunked", "gzip", "zstd"] as const)(
  "a body too large for memory is kept, span by span: %s",
  async (how) => {
    writeFileSync(join(folder, "of-a-crash"), "was never acknowledged");
    const { url } = await start();
    expect(readdirSync(folder)).toEqual([]);
    const packed = how === "gzip" ? gzipSync(large) : how === "zstd" ? zstdCompressSync(large) : large;
    const encoded = how === "gzip" || how === "zstd" ? { "content-encoding": how } : {};
    const send = async () =>
      how === "chunked" ? chunked(url, large) : (await post(url, packed, { ...PROTOBUF, ...encoded })).status;
    expect(await send()).toBe(200);
    expect(await Promise.all([send(), send(), send()])).toEqual([200, 200, 200]);
    expect(running!.receiver.counts()).toMatchObject({ spans: 1000, pendingBytes: 0 });
    const sent = spansOf(large);
    expect((await kept()).toSorted()).toEqual([...sent, ...sent, ...sent, ...sent].toSorted());
  },
);

test("several members, and frames that do not say their length, are inflated as far as the limit goes", async () => {
  const { url } = await start();
  const members = Buffer.concat(
    [large.subarray(0, 2_400_000), large.subarray(2_400_000)].map((part) => gzipSync(part)),
  );
  expect((await post(url, members, { ...PROTOBUF, "content-encoding": "gzip" })).status).toBe(200);
  const bomb = gzipSync(body(400, 10_000));
  expect((await post(url, bomb, { ...PROTOBUF, "content-encoding": "gzip" })).status).toBe(413);
  const random = body(1, 0);
  const broken = gzipSync(Buffer.concat([random, randomBytes(400_000)]));
  broken[broken.length - 50_000]! ^= 255;
  expect((await post(url, broken, { ...PROTOBUF, "content-encoding": "gzip" })).status).toBe(400);
  const cut = gzipSync(randomBytes(400_000)).subarray(0, 300_000);
  expect((await post(url, cut, { ...PROTOBUF, "content-encoding": "gzip" })).status).toBe(400);
  expect(await kept()).toEqual(spansOf(large));
});

test("what is malformed anywhere leaves no span; a span that can never be kept is left out alone", async () => {
  const { url } = await start();
  // behind all of its spans something that no field begins with
  const bad = Buffer.concat([large, Buffer.from([0x0b])]);
  expect((await post(url, bad)).status).toBe(400);
  expect((await post(url, large.subarray(0, -1))).status).toBe(400);
  expect((await chunked(url, randomBytes(500_000))) ?? 0).toBe(400);
  const spans = [traceSpan(200_000), traceSpan(10, { spanId: Buffer.alloc(3, 1) }), traceSpan(300_000)];
  const response = await post(url, requestOf(spans).finish());
  expect([response.status, (await response.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  expect(running!.receiver.counts()).toMatchObject({ spans: 2, rejectedSpans: 1, pendingBytes: 0 });
  expect(await kept()).toHaveLength(2);
});

test("above the limit, JSON above memory, a full disk, a journal that refuses: each its own status", async () => {
  const { url } = await start();
  expect((await post(url, body(400, 10_000))).status).toBe(413);
  expect(await chunked(url, body(400, 10_000)).catch(() => 413)).toBe(413);
  const json = JSON.stringify(otlpJson(body(20, 10_000)));
  expect((await post(url, json, JSON_TYPE)).status).toBe(413);
  expect(await kept()).toEqual([]);
  const full = await start({ minFreeBytes: Number.MAX_SAFE_INTEGER });
  const answer = await post(full.url, large);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  await kept();
  let appends = 0;
  const wrap: NonNullable<Parameters<typeof startReceiver>[0]>["wrap"] = (journal) => ({
    append: (entry) => (appends++ > 0 ? Promise.reject(new JournalError("NO_SPACE", "full")) : journal.append(entry)),
  });
  const refusing = await start({ wrap });
  const spans = [traceSpan(2_000_000), traceSpan(900_000)];
  expect((await post(refusing.url, requestOf(spans).finish())).status).toBe(200);
  expect((await post(refusing.url, large)).status).toBe(503);
  await kept();
});

test("a sender that goes away or is too slow leaves nothing behind", async () => {
  const { url } = await start({ minBodyRate: 1_000_000, bodyGraceMs: 500 });
  const { port } = new URL(url);
  const head = `POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/x-protobuf\r\n`;
  const gone = connect(Number(port), "127.0.0.1");
  gone.write(`${head}Content-Length: ${large.length}\r\n\r\n`);
  gone.write(large.subarray(0, 1_000_000));
  await expect.poll(() => readdirSync(folder).length).toBe(1);
  gone.destroy();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  const slow = connect(Number(port), "127.0.0.1");
  slow.write(`${head}Content-Length: ${large.length}\r\n\r\n`);
  slow.write(large.subarray(0, 200_000));
  const [answer] = (await once(slow, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
  slow.destroy();
  expect(await kept()).toEqual([]);
});
