import { decodeSpan, WireWriter } from "@reenact/envelope";
import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";
import { fastClock, HOUR, ids, OK, setUp, until } from "./forwarder.test.fixture.ts";
import { sampleTraces, spanId, unreadableTraces } from "./sample-traces.test.fixture.ts";
import type { ScriptedAnswer } from "./scripted-destination.test.fixture.ts";

test("all spans arrive once, in order, many entries to a request, with the headers of the configuration", async () => {
  const { destination, receive, start, saved, journal } = await setUp(() => OK);
  for (let n = 1; n <= 40; n++) await receive(n);
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(destination.taken).toEqual(ids(1, 40));
  expect(destination.requests).toHaveLength(1);
  expect(destination.requests[0]?.headers).toMatchObject({
    "content-type": "application/x-protobuf",
    authorization: "Bearer secret",
  });
  expect(forwarder.state()).toMatchObject({ sent: 40, lagMs: 0, behindBytes: 0, state: "working" });
  await receive(41);
  await until(() => destination.taken.length === 41);
  const end = journal.durable();
  await until(() => saved.at(-1) === end);
});

test("a root has the counts of calls that went in an earlier request", async () => {
  const run = { "reenact.run.id": "a".repeat(32) };
  const model = { "openinference.span.kind": "LLM", "llm.model_name": "gpt-4o" };
  const step = sampleTraces(1, { attributes: { ...run, ...model, "reenact.record": "{}" } });
  const root = sampleTraces(2, { attributes: { ...run, "reenact.root": '{"v":1,"steps":1}' } });
  const { destination, receive, start } = await setUp(() => OK, { batchBytes: 1 });
  await receive(1, undefined, step);
  await receive(2, undefined, root);
  await start();
  await until(() => destination.taken.length === 2);
  expect(destination.requests).toHaveLength(2);
  const { span } = destination.requests[1]!.spans[0]!;
  expect(decodeSpan(span).attributes["metadata"]).toBe('{"calls":1,"models":["gpt-4o"]}');
});

test("a destination that is down for an hour gets everything when it is back, and receiving never waited", async () => {
  const clock = fastClock();
  const back = clock.now() + HOUR;
  const { destination, receive, start, lines } = await setUp(() => (clock.now() < back ? { status: 503 } : OK), {
    clock,
    batchBytes: 1,
  });
  const forwarder = await start();
  for (let n = 1; n <= 10; n++) await receive(n);
  await until(() => forwarder.state().sent === 10);
  expect(destination.taken).toEqual(ids(1, 10));
  expect(forwarder.state()).toMatchObject({ sent: 10, deadLettered: 0, dropped: 0 });
  // 1, 2, 4 … 60 seconds apart: some 65 requests in an hour, not thousands
  expect(destination.requests.length).toBeLessThan(90);
  expect(Math.max(...clock.slept)).toBe(60_000);
  expect(lines.filter(({ event }) => event === "forward.failed").length).toBeLessThan(12);
});

test("no connection at all is waited out like a 503", async () => {
  const clock = fastClock();
  const { start, receive } = await setUp(() => OK, { clock, url: "http://127.0.0.1:9/v1/traces" });
  await receive(1);
  const forwarder = await start();
  await until(() => forwarder.state().retries > 3);
  expect(forwarder.state()).toMatchObject({ state: "waiting", sent: 0 });
  expect(forwarder.state().lastFailure).toContain("ECONNREFUSED");
  expect(forwarder.state().lagMs).toBeGreaterThan(1000);
});

test.each([
  ["seconds", "7", 7000],
  ["a date", new Date(1_000_000 + 90_000).toUTCString(), 90_000],
])("Retry-After in %s is kept to", async (_name, header, ms) => {
  const clock = fastClock();
  const answers: ScriptedAnswer[] = [{ status: 429, headers: { "retry-after": header } }, OK];
  const { destination, receive, start } = await setUp(() => answers.shift() ?? OK, { clock });
  await receive(1);
  await start();
  await until(() => destination.taken.length === 1);
  expect(clock.slept.reduce((sum, each) => sum + each, 0)).toBe(ms);
});

test("what is refused for the stated time goes to the dead letters, what came later is still tried", async () => {
  const clock = fastClock();
  const { destination, receive, start, saved } = await setUp(
    ({ spans }) => (spans[0]?.spanId === spanId(1) ? { status: 503 } : OK),
    { clock, giveUpAfter: HOUR, batchBytes: 1 },
  );
  const began = clock.now();
  await receive(1);
  await receive(2, began + HOUR * 3);
  const forwarder = await start();
  await until(() => saved.length === 2);
  expect(destination.taken).toEqual([spanId(2)]);
  expect(forwarder.state()).toMatchObject({ sent: 1, deadLettered: 1, dropped: 0 });
  expect(clock.now() - began).toBeGreaterThanOrEqual(HOUR);
  expect(clock.now() - began).toBeLessThan(HOUR + 120_000);
});

test("too far behind, the oldest are given up at once, and without room for them they are counted as dropped", async () => {
  const { receive, start, saved } = await setUp(() => ({ status: 503 }), {
    batchBytes: 1,
    maxBehindBytes: sampleTraces(1).length * 3 + 10,
    letterBytes: sampleTraces(1).length * 2 + 10,
  });
  for (let n = 1; n <= 8; n++) await receive(n);
  const forwarder = await start();
  await until(() => saved.length >= 5);
  await until(() => forwarder.state().retries > 2);
  expect(forwarder.state()).toMatchObject({ sent: 0, deadLettered: 2, dropped: 3, state: "waiting" });
});

test("too far behind, a destination that never answers is not waited for by every batch", async () => {
  const attempts: number[] = [];
  const { destination, receive, start, saved } = await setUp(
    (_, number) => {
      attempts.push(number);
      return number < 3 ? new Promise(() => {}) : OK;
    },
    { clock: systemClock, batchBytes: 1, maxBehindBytes: sampleTraces(1).length * 3 + 10, timeout: 1500 },
  );
  for (let n = 1; n <= 60; n++) await receive(n);
  const forwarder = await start();
  await until(() => saved.length >= 56);
  expect(attempts.length).toBeLessThan(6);
  await until(() => destination.taken.length === 60 - forwarder.state().deadLettered);
  expect(destination.taken).toContain(spanId(60));
});

test("a header that cannot be sent is like a destination that is away: given up for bytes, and said", async () => {
  const { receive, start, lines } = await setUp(() => OK, {
    authorization: "Bearer secret\n",
    batchBytes: 1,
    maxBehindBytes: sampleTraces(1).length * 3 + 10,
  });
  for (let n = 1; n <= 8; n++) await receive(n);
  const forwarder = await start();
  await until(() => forwarder.state().deadLettered >= 4);
  expect(forwarder.state()).toMatchObject({
    sent: 0,
    state: "waiting",
    lastFailure: expect.stringContaining("header") as string,
  });
  expect(lines.some(({ level, event }) => level === "error" && event === "forward.failed")).toBe(true);
});

test("a span that cannot be read holds up none behind it", async () => {
  const { destination, receive, start } = await setUp(() => OK);
  await receive(1);
  await receive(2, undefined, unreadableTraces(2));
  await receive(3);
  const forwarder = await start();
  await until(() => forwarder.state().sent >= 2);
  expect(destination.taken).toEqual([spanId(1), spanId(3)]);
  expect(forwarder.state()).toMatchObject({ sent: 2, deadLettered: 1 });
});

test("a slow destination runs into the time limit of a request, and is tried again", async () => {
  const { destination, receive, start } = await setUp((_, number) => (number === 1 ? new Promise(() => {}) : OK), {
    timeout: 100,
  });
  await receive(1);
  const forwarder = await start();
  await until(() => destination.taken.length === 1);
  expect(forwarder.state().retries).toBe(1);
});

test("a partial success counts what the destination will never take", async () => {
  const partial = new WireWriter().message(1, new WireWriter().varint(1, 2).string(2, "two were odd")).finish();
  const { receive, start, saved } = await setUp(() => ({
    status: 200,
    headers: { "content-type": "application/x-protobuf" },
    body: partial,
  }));
  for (let n = 1; n <= 5; n++) await receive(n);
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(forwarder.state()).toMatchObject({ sent: 3, rejected: 2, deadLettered: 0 });
});

test("after a restart it goes on behind what was answered, even when it was stopped in the middle of waiting", async () => {
  let up = true;
  const { destination, receive, start, saved } = await setUp(() => (up ? OK : { status: 503 }));
  await receive(1);
  const first = await start();
  await until(() => saved.length === 1);
  up = false;
  await receive(2);
  await until(() => first.state().retries > 0);
  await first.close();
  expect(saved).toHaveLength(1);
  up = true;
  await start();
  await until(() => destination.taken.length === 2);
  expect(destination.taken).toEqual([spanId(1), spanId(2)]);
});

test("a link-local address is never called", async () => {
  for (const url of [
    "http://169.254.169.254/v1/traces",
    "http://[fe80::1]/v1/traces",
    "http://[::ffff:169.254.169.254]/",
  ]) {
    const { start, receive } = await setUp(() => OK, { url });
    await receive(1);
    const forwarder = await start();
    await until(() => forwarder.state().lastFailure !== null);
    expect(forwarder.state().lastFailure).toContain("link-local");
    await forwarder.close();
  }
});
