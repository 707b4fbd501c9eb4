import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { decodeSpan, otlpJson, scanTraces, WireWriter } from "@reenact/envelope";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, describe, expect, test } from "vitest";
import { JournalError } from "../journal/journal-error.ts";
import { createKeys, type Scope } from "./keys.ts";
import { otlpMessage } from "./otlp-schema.test.fixture.ts";
import {
  newKey,
  JSON_TYPE,
  post,
  PROTOBUF,
  requestOf,
  startReceiver,
  type TestReceiver,
  traceBytes,
} from "./receiver.test.fixture.ts";

let running: TestReceiver | null = null;

async function start(...options: Parameters<typeof startReceiver>): Promise<TestReceiver> {
  running = await startReceiver(...options);
  return running;
}

afterEach(async () => {
  await running?.stop().catch(() => undefined);
  running = null;
});

/** Ends the receiver; the bodies that its journal has. */
async function kept(): Promise<Buffer[]> {
  const entries = await running!.stop();
  running = null;
  return entries.map(({ body }) => Buffer.from(body));
}

const statusOf = async (response: Response) =>
  response.headers.get("content-type") === "application/json"
    ? ((await response.json()) as { code: number; message: string })
    : (otlpMessage("RpcStatus").decode(new Uint8Array(await response.arrayBuffer())) as unknown as {
        code: number;
        message: string;
      });

const partial = (bytes: ArrayBuffer) => {
  const type = otlpMessage("ExportTraceServiceResponse");
  return type.toObject(type.decode(new Uint8Array(bytes)), { longs: Number, defaults: true });
};

const SIZES = [10, 70_000, 5_000_000, 20_000_000];

describe("what comes is on disk as it came, plain", () => {
  test.each(["identity", "gzip", "zstd"] as const)("protobuf, %s", async (encoding) => {
    const { url } = await start();
    const bodies = SIZES.map((size) => traceBytes(size));
    for (const body of bodies) {
      const packed = encoding === "gzip" ? gzipSync(body) : encoding === "zstd" ? zstdCompressSync(body) : body;
      const response = await post(url, packed, { ...PROTOBUF, "content-encoding": encoding });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/x-protobuf");
      expect((await response.arrayBuffer()).byteLength).toBe(0);
    }
    const stored = await kept();
    expect(stored.map(({ length }) => length)).toEqual(bodies.map(({ length }) => length));
    for (const [at, body] of bodies.entries()) expect(stored[at]!.equals(body)).toBe(true);
  });

  test("JSON, small and large, plain and packed, becomes protobuf with every field", async () => {
    const { url } = await start();
    const bodies = [10, 2_000_000].map((size) => traceBytes(size));
    for (const [at, body] of bodies.entries()) {
      const text = JSON.stringify(otlpJson(body));
      const response = await post(url, at === 0 ? text : gzipSync(text), {
        "content-type": "application/json; charset=utf-8",
        ...(at > 0 && { "content-encoding": "gzip" }),
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toEqual({});
    }
    const stored = await kept();
    expect(stored.map((body) => otlpJson(body))).toEqual(bodies.map((body) => otlpJson(body)));
  });

  test("JSON keeps the digits of a 64-bit number that is written as a number", async () => {
    const { url } = await start();
    const attribute = `{"key":"n","value":{"intValue":9007199254740993}}`;
    const span = `{"traceId":"${"1".repeat(32)}","spanId":"${"2".repeat(16)}","attributes":[${attribute}]}`;
    await post(url, `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`, JSON_TYPE);
    const [body] = await kept();
    expect(decodeSpan(scanTraces(body!)[0]!.span).attributes).toEqual({ n: 9007199254740993n });
  });

  test.each(["gzip", "zstd", "json"])(
    "long bodies in %s are waited for no longer than until they are on disk",
    async (how) => {
      const { url, receiver } = await start();
      const body = traceBytes(5 * 2 ** 20);
      const packed =
        how === "gzip" ? gzipSync(body) : how === "zstd" ? zstdCompressSync(body) : JSON.stringify(otlpJson(body));
      for (let n = 0; n < 2; n++) {
        const headers = how === "json" ? JSON_TYPE : { ...PROTOBUF, "content-encoding": how };
        expect((await post(url, packed, headers)).status).toBe(200);
      }
      expect(receiver.counts()).toMatchObject({ spans: 2, pendingBytes: 0 });
    },
  );

  test("two zstd frames are two halves of one body", async () => {
    const { url } = await start();
    const body = traceBytes(1000);
    const packed = Buffer.concat([zstdCompressSync(body.subarray(0, 300)), zstdCompressSync(body.subarray(300))]);
    expect((await post(url, packed, { ...PROTOBUF, "content-encoding": "zstd" })).status).toBe(200);
    expect((await kept())[0]!.equals(body)).toBe(true);
  });

  test("nothing in it: 200, and nothing is written", async () => {
    const { url } = await start();
    expect((await post(url, "")).status).toBe(200);
    expect((await post(url, "{}", JSON_TYPE)).status).toBe(200);
    expect(await kept()).toEqual([]);
  });

  test("from the real exporter, with gzip", async () => {
    const { url } = await start();
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, compression: "gzip" as never });
    const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
    const tracer = provider.getTracer("t");
    for (let at = 0; at < 20; at++) tracer.startSpan(`span ${at}`, { attributes: { at } }).end();
    await provider.forceFlush();
    await provider.shutdown();
    const names = (await kept()).flatMap((body) => scanTraces(body).map(({ span }) => decodeSpan(span).name));
    expect(names).toEqual(Array.from({ length: 20 }, (_, at) => `span ${at}`));
  });
});

describe("spans that can never be kept", () => {
  const good = () => new WireWriter().bytes(1, Buffer.alloc(16, 1)).bytes(2, Buffer.alloc(8, 2)).string(5, "good");
  const bad = () => new WireWriter().bytes(1, Buffer.alloc(16)).bytes(2, Buffer.alloc(8, 3)).string(5, "bad");

  test("protobuf: the others are kept, and it is said how many were not", async () => {
    const { url, receiver } = await start();
    const response = await post(url, requestOf([bad(), good(), bad()]).finish());
    expect(response.status).toBe(200);
    expect(partial(await response.arrayBuffer())).toMatchObject({
      partialSuccess: { rejectedSpans: 2, errorMessage: expect.stringContaining("trace id") },
    });
    expect(receiver.counts()).toMatchObject({ spans: 1, rejectedSpans: 2, pendingBytes: 0 });
    const [body] = await kept();
    expect(scanTraces(body!).map(({ span }) => decodeSpan(span).name)).toEqual(["good"]);
  });

  test("JSON: likewise", async () => {
    const { url } = await start();
    const spans = [
      { traceId: "1".repeat(32), spanId: "2".repeat(16), name: "good" },
      { traceId: "AQEBAQEBAQEBAQEBAQEBAQ==", spanId: "2".repeat(16), name: "base64" },
      { name: "none" },
    ];
    const response = await post(url, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }), JSON_TYPE);
    expect(await response.json()).toEqual({
      partialSuccess: { rejectedSpans: "2", errorMessage: expect.stringContaining("32 hex digits") },
    });
    expect(scanTraces((await kept())[0]!)).toHaveLength(1);
  });

  test("none is good: 200, since a retry would not mend it, and nothing is written", async () => {
    const { url } = await start();
    const response = await post(url, requestOf([bad()]).finish());
    expect(response.status).toBe(200);
    expect(partial(await response.arrayBuffer())).toMatchObject({ partialSuccess: { rejectedSpans: 1 } });
    expect(await kept()).toEqual([]);
  });
});

describe("refused, in the encoding of the request", () => {
  const body = traceBytes(100);
  const bomb = gzipSync(Buffer.alloc(3_000_000));
  const cases: [string, Uint8Array | string, Record<string, string>, number, number][] = [
    ["no protobuf", "hello", PROTOBUF, 400, 3],
    ["cut protobuf", body.subarray(0, 50), PROTOBUF, 400, 3],
    ["no JSON", "{", JSON_TYPE, 400, 3],
    ["no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), JSON_TYPE, 400, 3],
    ["JSON of another kind", `{"resourceSpans":{}}`, JSON_TYPE, 400, 3],
    ["cut gzip", gzipSync(body).subarray(0, 40), { ...PROTOBUF, "content-encoding": "gzip" }, 400, 3],
    ["no gzip", body, { ...PROTOBUF, "content-encoding": "gzip" }, 400, 3],
    ["cut zstd", zstdCompressSync(body).subarray(0, 20), { ...PROTOBUF, "content-encoding": "zstd" }, 400, 3],
    ["too large", Buffer.alloc(1_100_000), PROTOBUF, 413, 8],
    ["too large when inflated", bomb, { ...PROTOBUF, "content-encoding": "gzip" }, 413, 8],
    ["zstd bomb", zstdCompressSync(Buffer.alloc(3e6)), { ...PROTOBUF, "content-encoding": "zstd" }, 413, 8],
    ["another type", body, { "content-type": "text/plain" }, 415, 12],
    ["another encoding", body, { ...PROTOBUF, "content-encoding": "br" }, 415, 12],
    ["a web page", body, { ...PROTOBUF, origin: "https://evil.example" }, 403, 7],
  ];
  test.each(cases)("%s", async (_name, body, headers, http, code) => {
    const { url, receiver } = await start({ bodyBytes: 1_000_000 });
    const response = await post(url, body, headers);
    expect(response.status).toBe(http);
    const json =
      headers["content-type"] === "application/json" || (http === 415 && headers["content-type"] === "text/plain");
    expect(response.headers.get("content-type")).toBe(json ? "application/json" : "application/x-protobuf");
    const status = await statusOf(response);
    expect(status.code).toBe(code);
    expect(status.message).not.toBe("");
    expect(response.headers.get("retry-after")).toBeNull();
    expect(receiver.counts().pendingBytes).toBe(0);
    expect(await kept()).toEqual([]);
  });

  test("large bodies that go bad in the worker", { timeout: 60_000 }, async () => {
    const { url } = await start();
    const packed = gzipSync(traceBytes(20_000_000));
    const headers = { ...PROTOBUF, "content-encoding": "gzip" };
    expect((await post(url, gzipSync(Buffer.alloc(70 * 2 ** 20)), headers)).status).toBe(413);
    expect((await post(url, packed.subarray(0, packed.length - 100), headers)).status).toBe(400);
    expect((await post(url, packed, headers)).status).toBe(200);
    expect(await kept()).toHaveLength(1);
  });

  test("another method, another path", async () => {
    const { url } = await start();
    const get = await fetch(`${url}/v1/traces`);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await fetch(`${url}/v1/metrics`, { method: "POST", body: "x" })).status).toBe(404);
    expect((await fetch(`${url}/other`)).status).toBe(404);
  });

  test("a name that is not on the list", async () => {
    const { url } = await start({ hosts: ["collector.example"] });
    const { hostname, port } = new URL(url);
    const ask = async (host: string) => {
      const socket = connect(Number(port), hostname);
      socket.end(`GET /v1/reenact HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      const [head] = (await once(socket, "data")) as [Buffer];
      return Number(head.toString().split(" ")[1]);
    };
    const hosts = ["rebound.example", "collector.example:4318", "localhost:1", "[::1]:80", "127.0.0.1"];
    expect(await Promise.all(hosts.map(ask))).toEqual([403, 200, 200, 200, 200]);
  });
});

describe("keys", () => {
  const make = (scopes: Scope[], tenant: string) => {
    const { key, sha256 } = newKey();
    return { key, entry: { name: tenant, sha256, scopes, tenant } };
  };
  const ingest = make(["ingest"], "acme");
  const read = make(["read"], "acme");
  const keys = createKeys({ keys: [ingest.entry, read.entry] });

  test("none, unknown, without the scope, good", async () => {
    const { url } = await start({ keys });
    const send = (authorization?: string) =>
      post(url, traceBytes(10), { ...PROTOBUF, ...(authorization && { authorization }) });
    const answers = await Promise.all([
      send(),
      send("Bearer wrong"),
      send(`Basic ${ingest.key}`),
      send(`Bearer ${read.key}`),
      send(`Bearer ${ingest.key}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 403, 200]);
    expect(answers[0]!.headers.get("www-authenticate")).toBe("Bearer");
    const entries = await running!.stop();
    running = null;
    expect(entries.map(({ tenant }) => tenant)).toEqual(["acme"]);
  });

  test("the handshake says what it is, and whether the key is good", async () => {
    const { url } = await start({ keys });
    const shake = async (headers: Record<string, string>) => (await fetch(`${url}/v1/reenact`, { headers })).json();
    expect(await shake({})).toMatchObject({
      reenact: 1,
      authentication: "key",
      authorized: false,
      maxBodyBytes: 2 ** 26,
    });
    expect(await shake({ authorization: `Bearer ${ingest.key}` })).toMatchObject({ authorized: true });
  });
});

describe("not now: what a retry mends", () => {
  test.each([
    ["NO_SPACE", new JournalError("NO_SPACE", "full")],
    ["IO", new JournalError("IO", "broken")],
    ["CLOSED", new JournalError("CLOSED", "closed")],
    ["a fault of ours", new TypeError("bug")],
  ])("%s: 503, with when to come again", async (_name, error) => {
    const { url } = await start({ wrap: () => ({ append: () => Promise.reject(error) }) });
    const response = await post(url, traceBytes(10));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await statusOf(response)).code).toBe(14);
  });

  test("more waits for the disk than may, of one tenant and of all; room again afterwards", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const made = ["one", "two"].map((tenant) => ({ tenant, ...newKey() }));
    const entries = made.map(({ tenant, sha256 }) => ({ name: tenant, sha256, tenant, scopes: ["ingest" as const] }));
    const body = traceBytes(100_000);
    const { url, receiver } = await start({
      bodyBytes: 120_000,
      pendingBytes: 2 * body.length,
      tenantShare: 0.5,
      keys: createKeys({ keys: entries }),
      wrap: (journal) => ({ append: (each) => gate.then(() => journal.append(each)) }),
    });
    const send = (who: 0 | 1) => post(url, body, { ...PROTOBUF, authorization: `Bearer ${made[who]!.key}` });
    const refusal = async (who: 0 | 1) => {
      const { status, headers } = await send(who);
      return [status, headers.get("retry-after")];
    };
    const first = send(0);
    await expect.poll(() => receiver.counts().pendingBytes).toBe(body.length);
    expect(await refusal(0)).toEqual([429, "1"]);
    const second = send(1);
    await expect.poll(() => receiver.counts().pendingBytes).toBe(2 * body.length);
    expect(await refusal(1)).toEqual([503, "1"]);
    open();
    expect([(await first).status, (await second).status, (await send(0)).status]).toEqual([200, 200, 200]);
    expect(receiver.counts().pendingBytes).toBe(0);
  });

  test("two bodies of 63 MB at a time fit; a third is kept or told to come again", { timeout: 60_000 }, async () => {
    const { url, receiver } = await start();
    const body = traceBytes(63 * 2 ** 20);
    const answers = await Promise.all([post(url, body), post(url, body), post(url, body)]);
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThanOrEqual(2);
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(receiver.counts().pendingBytes).toBe(0);
    const stored = await kept();
    expect(stored.map((each) => each.equals(body))).toEqual(taken.map(() => true));
  });

  test("draining", async () => {
    const { url, receiver } = await start();
    receiver.drain();
    expect((await post(url, traceBytes(10))).status).toBe(503);
  });
});

test("the end tells a connection that has a request under way not to stay", async () => {
  const { url, stop } = await start();
  const body = traceBytes(1000);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let heard = "";
  socket.on("data", (piece: Buffer) => (heard += piece.toString("latin1")));
  socket.write(
    `POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, 100));
  await sleep(100);
  const [ended] = [stop(), await sleep(50)];
  socket.write(body.subarray(100));
  await once(socket, "close");
  expect(heard).toContain("HTTP/1.1 200");
  expect(heard).toContain("Connection: close");
  await ended;
});

describe("senders that do not send", () => {
  test("a body slower than a sender that is alive: 408, and the connection ends", async () => {
    const { url, receiver } = await start({ bodyGraceMs: 200, minBodyRate: 1_000_000 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\n");
    socket.write("Content-Length: 60000000\r\n\r\nslow");
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toContain("408");
    await once(socket, "close");
    expect(receiver.counts()).toMatchObject({ pendingBytes: 0, refused: { tooSlow: 1 } });
  });

  test("nearly all of a body at once and then nothing: 408 all the same", async () => {
    const { url, receiver } = await start({ bodyGraceMs: 500 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\n");
    socket.write("Content-Length: 20000000\r\n\r\n");
    socket.write(Buffer.alloc(19_999_999));
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toContain("408");
    expect(receiver.counts()).toMatchObject({ pendingBytes: 0, refused: { tooSlow: 1 } });
    socket.destroy();
  });

  test.each([
    ["a short body that trickles", "Content-Length: 10000"],
    ["pieces that trickle", "Transfer-Encoding: chunked"],
  ])("%s after its 408 does not keep its connection", { timeout: 20_000 }, async (_, framing) => {
    const { url } = await start({ bodyGraceMs: 200, minBodyRate: 1_000_000 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const drip = framing.startsWith("C") ? "x" : "1\r\nx\r\n";
    socket.write(`POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
    const drops = setInterval(() => socket.write(drip), 100);
    socket.on("error", () => {});
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString()).toContain("408");
    const began = Date.now();
    await once(socket, "close");
    clearInterval(drops);
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  test("idle ones that declared much shut nobody out; one that goes away leaves nothing", async () => {
    const { url, receiver } = await start({ pendingBytes: 64 * 2 ** 20 });
    const idle = Array.from({ length: 5 }, () => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.write("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\n");
      socket.write("Content-Length: 60000000\r\n\r\nx");
      return socket;
    });
    await expect.poll(() => receiver.counts().pendingBytes).toBe(5);
    expect((await post(url, traceBytes(10_000_000))).status).toBe(200);
    for (const socket of idle) socket.destroy();
    await expect.poll(() => receiver.counts().pendingBytes).toBe(0);
    expect(await kept()).toHaveLength(1);
  });
});
