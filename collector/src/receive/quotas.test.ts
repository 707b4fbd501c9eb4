import { connect } from "node:http2";
import { expect, test } from "vitest";
import { listenGrpc } from "./grpc-server.ts";
import { createKeys } from "./keys.ts";
import { otlpMessage } from "./otlp-schema.test.fixture.ts";
import type { Quota } from "./quota.ts";
import { createQuotas } from "./quotas.ts";
import { grpcPrefix, rawAnswer, rawCall } from "./raw-grpc.test.fixture.ts";
import { newKey, post, PROTOBUF, startReceiver, traceBytes } from "./receiver.test.fixture.ts";

const identity = (quota: Quota | undefined, key = "k") => ({ key, tenant: "t", scopes: new Set<never>(), quota });

function setUp() {
  let time = 0;
  const quotas = createQuotas(() => time);
  return { quotas, pass: (seconds: number) => void (time += seconds * 1000) };
}

test("requests: ten seconds' worth at once, then as they come in", () => {
  const { quotas, pass } = setUp();
  const who = identity({ requestsPerSecond: 2 });
  for (let at = 0; at < 20; at++) expect(quotas.ask(who)).toBeNull();
  expect(quotas.ask(who)).toBe(1);
  expect(quotas.ask(identity({ requestsPerSecond: 2 }, "another"))).toBeNull();
  expect(quotas.ask(identity(undefined))).toBeNull();
  pass(1);
  expect([quotas.ask(who), quotas.ask(who), quotas.ask(who)]).toEqual([null, null, 1]);
  pass(1000);
  for (let at = 0; at < 20; at++) expect(quotas.ask(who)).toBeNull();
  expect(quotas.ask(who)).toBe(1);
});

test("bytes: a debt is waited for, and one request always fits", () => {
  const { quotas, pass } = setUp();
  const who = identity({ bytesPerSecond: 100 });
  expect(quotas.ask(who)).toBeNull();
  quotas.charge(who, 5000);
  expect(quotas.ask(who)).toBe(40);
  pass(39);
  expect(quotas.ask(who)).toBe(1);
  pass(1);
  expect(quotas.ask(who)).toBeNull();
  const rare = identity({ requestsPerSecond: 0.01 }, "rare");
  expect([quotas.ask(rare), quotas.ask(rare)]).toEqual([null, 100]);
});

test("over HTTP 429 with Retry-After, over gRPC RESOURCE_EXHAUSTED with RetryInfo; other keys go on", async () => {
  const [small, large] = [newKey(), newKey()];
  const keys = createKeys({
    keys: [
      { name: "small", sha256: small.sha256, scopes: ["ingest"], tenant: "t", quota: { bytesPerSecond: 1000 } },
      { name: "large", sha256: large.sha256, scopes: ["ingest"], tenant: "t" },
    ],
  });
  const { url, receiver, stop } = await startReceiver({ keys });
  const grpc = await listenGrpc({ host: "127.0.0.1", port: 0, bodyBytes: 2 ** 20 }, receiver);
  const session = connect(`http://127.0.0.1:${grpc.port}`);
  const body = traceBytes(30_000);
  const send = ({ key }: { key: string }) => post(url, body, { ...PROTOBUF, authorization: `Bearer ${key}` });
  const call = ({ key }: { key: string }) => {
    const stream = rawCall(session, { authorization: `Bearer ${key}` });
    stream.end(Buffer.concat([grpcPrefix(body.length), body]));
    return rawAnswer(stream);
  };
  expect((await send(small)).status).toBe(200);
  const refused = await send(small);
  expect(refused.status).toBe(429);
  const after = Number(refused.headers.get("retry-after"));
  expect(after).toBeGreaterThan(15);
  expect(after).toBeLessThan(25);

  const answer = await call(small);
  expect(answer.grpc).toBe(8);
  const rpc = otlpMessage("RpcStatus");
  const details = Buffer.from(String(answer.headers["grpc-status-details-bin"]), "base64");
  const [detail] = (rpc.toObject(rpc.decode(details)) as { details: { value: Uint8Array }[] }).details;
  const info = otlpMessage("RetryInfo");
  const delay = info.toObject(info.decode(detail!.value), { longs: Number }) as { retryDelay: { seconds: number } };
  expect(delay.retryDelay.seconds).toBeGreaterThan(15);

  expect((await send(large)).status).toBe(200);
  expect(await call(large)).toMatchObject({ grpc: 0 });
  session.destroy();
  await grpc.close(100);
  await stop();
});
