import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { type GrpcListening, listenGrpc } from "./grpc-server.ts";
import { grpcPrefix, rawAnswer, rawCall } from "./raw-grpc.test.fixture.ts";
import { post, PROTOBUF, startReceiver, type TestReceiver, traceBytes } from "./receiver.test.fixture.ts";

const MOST = 40;
const folder = mkdtempSync(join(tmpdir(), "room-"));
const tls = selfSigned();
let running: TestReceiver | null = null;
let grpc: GrpcListening | null = null;
const silent: Socket[] = [];

afterEach(async () => {
  for (const socket of silent.splice(0)) socket.destroy();
  await grpc?.close(200);
  await running?.stop().catch(() => undefined);
  running = grpc = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function selfSigned(): { cert: string; key: string } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...make, "-keyout", key, "-out", cert, "-days", "2", ...subject], { stdio: "ignore" });
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
}

/** Connections that say nothing, or the begin of something. */
async function silence(port: number, count: number, said: string): Promise<void> {
  for (let at = 0; at < count; at++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    silent.push(socket);
    socket.resume();
    await once(socket, "connect");
    if (said !== "") socket.write(said);
  }
}

const closed = () => silent.filter((socket) => socket.closed || socket.destroyed || socket.readableEnded).length;
const body = traceBytes(1000);

test.each(["", "POST /v1/traces HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: "])(
  "HTTP: silent connections (%j) make room for a sender, the oldest first; one at work stays",
  async (said) => {
    running = await startReceiver({ connections: MOST, bodyGraceMs: 60_000 });
    const port = Number(new URL(running.url).port);
    const slow = connect(port, "127.0.0.1");
    silent.push(slow);
    slow.write(
      `POST /v1/traces HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-protobuf\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await sleep(100);
    await silence(port, MOST * 3, said);
    expect((await post(running.url, body)).status).toBe(200);
    await sleep(100);
    expect(closed()).toBeGreaterThanOrEqual(MOST * 2);
    slow.write(body);
    const [answer] = (await once(slow, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
  },
);

test("HTTP over TLS: connections that do not even shake hands", async () => {
  running = await startReceiver({ connections: MOST, tls });
  const port = Number(new URL(running.url).port);
  await silence(port, MOST * 2, "");
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", path: "/v1/traces", method: "POST", headers: PROTOBUF, ca: tls.cert },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
  expect(status).toBe(200);
});

test.each([false, true])("gRPC (TLS: %s)", async (secure) => {
  running = await startReceiver();
  const options = { host: "127.0.0.1", port: 0, bodyBytes: 2 ** 20, connections: MOST };
  grpc = await listenGrpc(secure ? { ...options, tls } : options, running.receiver);
  await silence(grpc.port, MOST * 2, secure ? "" : "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  const session = connectHttp2(`${secure ? "https" : "http"}://127.0.0.1:${grpc.port}`, { ca: tls.cert });
  session.on("error", () => {});
  const stream = rawCall(session);
  stream.end(Buffer.concat([grpcPrefix(body.length), body]));
  expect(await rawAnswer(stream)).toMatchObject({ grpc: 0 });
  session.destroy();
  await sleep(100);
  expect(closed()).toBeGreaterThanOrEqual(MOST);
});

test("a connection that sends no request is closed within seconds", { timeout: 30_000 }, async () => {
  running = await startReceiver();
  const port = Number(new URL(running.url).port);
  await silence(port, 1, "");
  await silence(port, 1, "POST /v1/traces HTTP/1.1\r\nhost: ");
  for (const socket of silent) socket.resume();
  await Promise.all(silent.map((socket) => socket.closed || once(socket, "close")));
});
