import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { connect as connectPlain } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { type GrpcListening, type GrpcOptions, listenGrpc } from "./grpc-server.ts";
import { createKeys } from "./keys.ts";
import { grpcPrefix, rawAnswer, rawCall } from "./raw-grpc.test.fixture.ts";
import { newKey, startReceiver, type TestReceiver, traceBytes } from "./receiver.test.fixture.ts";

let running: TestReceiver | null = null;
let listening: GrpcListening | null = null;
const sessions: ClientHttp2Session[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await listening?.close(200);
  await running?.stop().catch(() => undefined);
  running = listening = null;
});

async function start(options: Partial<GrpcOptions> & Parameters<typeof startReceiver>[0] = {}) {
  running = await startReceiver({ bodyBytes: 2 ** 20, ...options });
  listening = await listenGrpc({ host: "127.0.0.1", port: 0, bodyBytes: 2 ** 20, ...options }, running.receiver);
  return open();
}

function open(): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${listening!.port}`);
  session.on("error", () => {});
  sessions.push(session);
  return session;
}

const body = traceBytes(1000);
const whole = Buffer.concat([grpcPrefix(body.length), body]);

async function send(session: ClientHttp2Session, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const stream = rawCall(session, headers);
  stream.end(bytes);
  return rawAnswer(stream);
}

test.each<[string, number, Uint8Array, Record<string, string>]>([
  ["a message", 0, whole, {}],
  ["in single bytes of a header that others send too", 0, whole, { "grpc-timeout": "10S", "user-agent": "x/1" }],
  ["packed with gzip", 0, packed(gzipSync(body)), { "grpc-encoding": "gzip" }],
  ["packed with deflate", 0, packed(deflateSync(body)), { "grpc-encoding": "deflate" }],
  ["packed with something else", 12, packed(body), { "grpc-encoding": "snappy" }],
  ["packed, and nothing says with what", 13, packed(gzipSync(body)), {}],
  ["said to be packed, and it is not", 0, whole, { "grpc-encoding": "gzip" }],
  ["gzip cut short", 3, packed(gzipSync(body).subarray(0, -9)), { "grpc-encoding": "gzip" }],
  ["bytes behind deflate", 3, packed(Buffer.concat([deflateSync(body), body])), { "grpc-encoding": "deflate" }],
  ["a gzip bomb", 8, packed(gzipSync(Buffer.alloc(20 * 2 ** 20))), { "grpc-encoding": "gzip" }],
  ["a deflate bomb", 8, packed(deflateSync(Buffer.alloc(20 * 2 ** 20))), { "grpc-encoding": "deflate" }],
  ["no message", 13, Buffer.alloc(0), {}],
  ["half a prefix", 13, whole.subarray(0, 3), {}],
  ["half a message", 13, whole.subarray(0, 100), {}],
  ["two messages", 13, Buffer.concat([whole, whole]), {}],
  ["a flag that gRPC does not have", 13, Buffer.concat([grpcPrefix(4, 2), Buffer.alloc(4)]), {}],
  ["no OTLP", 3, Buffer.concat([grpcPrefix(5), Buffer.from("hello")]), {}],
  ["an empty request", 0, grpcPrefix(0), {}],
  ["too large by its prefix", 8, grpcPrefix(2 ** 20 + 1), {}],
  ["four gigabytes by its prefix", 8, grpcPrefix(0xffffffff), {}],
  ["a timeout of no form", 13, whole, { "grpc-timeout": "soon" }],
  ["another method", 12, whole, { ":path": "/opentelemetry.proto.collector.logs.v1.LogsService/Export" }],
  ["an origin", 7, whole, { origin: "https://evil.example" }],
  ["another name", 7, whole, { ":authority": "evil.example" }],
])("%s: %i", async (_, status, bytes, headers) => {
  const answer = await send(await start(), bytes, headers);
  expect(answer).toMatchObject({ http: 200, grpc: status });
  expect(answer.headers["content-type"]).toBe("application/grpc");
  if (status === 12 && "grpc-encoding" in headers)
    expect(answer.headers["grpc-accept-encoding"]).toBe("identity,gzip,deflate");
  // the next one is taken as if nothing had been
  expect(await send(sessions[0]!, whole)).toMatchObject({ grpc: 0 });
});

function packed(bytes: Uint8Array): Buffer {
  return Buffer.concat([grpcPrefix(bytes.length, 1), bytes]);
}

test("what is no gRPC is answered in HTTP", async () => {
  const session = await start();
  expect(await send(session, whole, { "content-type": "application/json" })).toMatchObject({ http: 415 });
  expect(await send(session, whole, { "content-type": "application/grpc-web" })).toMatchObject({ http: 415 });
  expect(await send(session, whole, { ":method": "PUT" })).toMatchObject({ http: 405 });
});

test("a size above the limit and a missing key are told before the message comes", async () => {
  const ingest = newKey();
  const session = await start({
    keys: createKeys({ keys: [{ name: "i", sha256: ingest.sha256, scopes: ["ingest"], tenant: "t" }] }),
  });
  const withoutKey = rawCall(session);
  expect(await rawAnswer(withoutKey)).toMatchObject({ grpc: 16 });
  const tooLarge = rawCall(session, { authorization: `Bearer ${ingest.key}` });
  tooLarge.write(grpcPrefix(2 ** 30));
  expect(await rawAnswer(tooLarge)).toMatchObject({ grpc: 8 });
});

test("a message byte by byte, and one of a long text in its error, come through", async () => {
  const session = await start();
  const stream = rawCall(session);
  for (const byte of whole) stream.write(Buffer.of(byte));
  stream.end();
  expect(await rawAnswer(stream)).toMatchObject({ grpc: 0 });
});

test("the caller's deadline: DEADLINE_EXCEEDED, also while it sends", async () => {
  const session = await start();
  const began = performance.now();
  const stream = rawCall(session, { "grpc-timeout": "200m" });
  stream.write(whole.subarray(0, 100));
  expect(await rawAnswer(stream)).toMatchObject({ grpc: 4 });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(running!.receiver.counts().pendingBytes).toBe(0);
});

test("a message that stops in its middle, however much of it has come", async () => {
  const session = await start({ graceMs: 1000 });
  for (const size of [1000, 900_000]) {
    const stream = rawCall(session);
    stream.write(Buffer.concat([grpcPrefix(size), Buffer.alloc(size - 1)]));
    expect(await rawAnswer(stream)).toMatchObject({ grpc: 4 });
  }
  expect(running!.receiver.counts().pendingBytes).toBe(0);
});

test("a large message that stops loses its turn to one that waits, which is told to come again only if it has to", async () => {
  const session = await start({ bodyBytes: 2 ** 20, graceMs: 60_000 });
  const stalled = rawCall(session);
  stalled.write(Buffer.concat([grpcPrefix(900_000), Buffer.alloc(500_000)]));
  await sleep(300);
  const large = traceBytes(800_000);
  const good = send(session, Buffer.concat([grpcPrefix(large.length), large]));
  const lost = await rawAnswer(stalled);
  expect(lost.grpc).toBe(14);
  expect(lost.headers["grpc-status-details-bin"]).toBeDefined();
  expect(await good).toMatchObject({ grpc: 0 });
});

test("a caller that resets its calls leaves nothing, and a flood of resets ends its connection", async () => {
  const session = await start({ graceMs: 60_000 });
  for (let at = 0; at < 50; at++) {
    const stream = rawCall(session);
    stream.write(whole.subarray(0, 200));
    await sleep(2);
    stream.close(constants.NGHTTP2_CANCEL);
  }
  await sleep(300);
  expect(running!.receiver.counts().pendingBytes).toBe(0);
  expect(await send(session, whole)).toMatchObject({ grpc: 0 });

  for (let at = 0; at < 5000 && !session.destroyed; at++) {
    const stream = rawCall(session);
    stream.close(constants.NGHTTP2_CANCEL);
    if (at % 50 === 0) await sleep(1);
  }
  for (let waited = 0; waited < 50 && !session.destroyed; waited++) await sleep(50);
  expect(session.destroyed).toBe(true);
  expect(await send(open(), whole)).toMatchObject({ grpc: 0 });
});

test("a connection that says nothing is closed, and so is one that speaks HTTP/1", async () => {
  await start({ greetMs: 300 });
  for (const said of ["", "GET / HTTP/1.1\r\nhost: a\r\n\r\n", "PRI * HTTP/2.0\r\n"]) {
    const socket = connectPlain(listening!.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.resume();
    if (said !== "") socket.write(said);
    await once(socket, "close");
  }
});
