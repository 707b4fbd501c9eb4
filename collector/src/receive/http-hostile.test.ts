import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { otlpJson } from "@reenact/envelope";
import { afterEach, expect, test } from "vitest";
import { post, startReceiver, type TestReceiver, traceBytes } from "./receiver.test.fixture.ts";

let running: TestReceiver | null = null;
afterEach(async () => {
  await running?.stop().catch(() => undefined);
  running = null;
});

const body = traceBytes(1000);
const CRLF = "\r\n";

/** Writes bytes, half-closes where asked, and gives the begin of what is answered; empty if nothing is within `wait` milliseconds. */
async function raw(
  port: number,
  pieces: readonly (string | Uint8Array)[],
  end: boolean,
  wait: number,
): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  let text = "";
  socket.on("data", (piece: Buffer) => (text += piece.toString("latin1")));
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(20);
  }
  if (end) socket.end();
  const events = ["close", "end", "data"].map((event) => once(socket, event).catch(() => {}));
  if (text === "") await Promise.race([...events, sleep(wait)]);
  socket.destroy();
  return text;
}

const head = (...more: string[]) => ["POST /v1/traces HTTP/1.1", "Host: 127.0.0.1", ...more].join(CRLF) + CRLF + CRLF;
const PROTO = "Content-Type: application/x-protobuf";
const LENGTH = `Content-Length: ${body.length}`;

test.each<[string, number | null, readonly (string | Uint8Array)[], boolean]>([
  ["a sender that half-closes in its body", null, [head(PROTO, LENGTH), body.subarray(0, 500)], true],
  [
    "a body in chunks",
    200,
    [head(PROTO, "Transfer-Encoding: chunked"), `${body.length.toString(16)}${CRLF}`, body, `${CRLF}0${CRLF}${CRLF}`],
    false,
  ],
  ["a chunk size that is no number", 400, [head(PROTO, "Transfer-Encoding: chunked"), `zz${CRLF}`], false],
  ["a length and chunks at once", 400, [head(PROTO, LENGTH, "Transfer-Encoding: chunked"), body], false],
  ["two lengths that differ", 400, [head(PROTO, LENGTH, "Content-Length: 3"), body], false],
  ["a negative length", 400, [head(PROTO, "Content-Length: -1")], false],
  ["a length of four thousand gigabytes", 413, [head(PROTO, "Content-Length: 4398046511104")], false],
  ["headers of 100 KB, of which the answer may be lost", null, [head(PROTO, `X-A: ${"a".repeat(100_000)}`)], false],
  ["a line feed in a header", 400, ["POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: a\nb\r\n\r\n"], false],
  ["no host", 400, [`POST /v1/traces HTTP/1.1${CRLF}${PROTO}${CRLF}${LENGTH}${CRLF}${CRLF}`, body], false],
  ["another host", 403, [head(PROTO, LENGTH).replace("127.0.0.1", "evil.example"), body], false],
  ["two hosts", 400, [head("Host: evil.example", PROTO, LENGTH), body], false],
  ["an origin", 403, [head("Origin: https://evil.example", PROTO, LENGTH), body], false],
  ["the origin of a sandboxed page", 403, [head("Origin: null", PROTO, LENGTH), body], false],
  ["a form, as pages may send without asking", 415, [head("Content-Type: text/plain", LENGTH), body], false],
  ["no content type", 415, [head(LENGTH), body], false],
  [
    "two content types in one",
    415,
    [head("Content-Type: application/json, application/x-protobuf", LENGTH), body],
    false,
  ],
  ["an encoding twice over", 415, [head(PROTO, "Content-Encoding: gzip, gzip", LENGTH), body], false],
  [
    "an address of its own in the request line",
    404,
    [head(PROTO, LENGTH).replace("/v1/traces", "http://127.0.0.1/v1/traces"), body],
    false,
  ],
  ["a method that nobody has", 400, [`BREW /v1/traces HTTP/1.1${CRLF}Host: 127.0.0.1${CRLF}${CRLF}`], false],
  ["CONNECT", null, [`CONNECT evil.example:443 HTTP/1.1${CRLF}Host: evil.example${CRLF}${CRLF}`], false],
  ["TLS on a plain port", 400, [Buffer.from("160301010001000100", "hex")], false],
  ["HTTP/2 on a port that has none", 400, [`PRI * HTTP/2.0${CRLF}${CRLF}SM${CRLF}${CRLF}`], false],
])("%s: %s", async (_, status, pieces, end) => {
  running = await startReceiver();
  const answer = await raw(Number(new URL(running.url).port), pieces, end, status === null ? 1000 : 10_000);
  if (status === null) expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
  else expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(running.receiver.counts().pendingBytes).toBe(0);
  expect((await post(running.url, body)).status).toBe(200);
});

const text = JSON.stringify(otlpJson(body));
test.each<[string, number, Uint8Array | string, Record<string, string>]>([
  ["UTF-8", 200, text, {}],
  ["UTF-8 with a byte order mark", 200, `\ufeff${text}`, {}],
  ["UTF-16", 400, Buffer.from(text, "utf16le"), {}],
  ["bytes that are no UTF-8", 400, Buffer.from(text.replace("chat", "\xff\xfe"), "latin1"), {}],
  ["two documents", 400, text + text, {}],
  ["comments", 400, `/* a */${text}`, {}],
  ["nothing", 400, "", {}],
  ["null", 400, "null", {}],
  ["a list", 400, `[${text}]`, {}],
  ["a number that is none", 400, text.replace('"chat"', "NaN"), {}],
  ["a member called __proto__", 200, text.replace("{", '{"__proto__":{"x":1},'), {}],
  ["the encoding of gRPC", 415, deflateSync(text), { "content-encoding": "deflate" }],
  ["gzip with a length that lies", 400, lied(gzipSync(text)), { "content-encoding": "gzip" }],
])("JSON, %s: %i", async (_, status, sent, headers) => {
  running = await startReceiver();
  const answer = await post(running.url, sent, { "content-type": "application/json", ...headers });
  expect(answer.status).toBe(status);
  expect(({} as { x?: number }).x).toBeUndefined();
});

function lied(packed: Buffer): Buffer {
  packed.writeUInt32LE(0xfffffff0, packed.length - 4);
  return packed;
}
