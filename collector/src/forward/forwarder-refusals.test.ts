import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scanTraces } from "@reenact/envelope";
import { expect, test } from "vitest";
import { folder, ids, OK, setUp, until } from "./forwarder.test.fixture.ts";
import { sampleTraces, spanId } from "./sample-traces.test.fixture.ts";
import type { SeenRequest } from "./scripted-destination.test.fixture.ts";

test("a request that is too large is split until its parts are taken; a single span that is too large is kept aside", async () => {
  const { destination, receive, start, saved } = await setUp(({ body }) => (body.length > 600 ? { status: 413 } : OK));
  for (let n = 1; n <= 12; n++)
    await receive(n, undefined, sampleTraces(n, n === 5 ? { attributes: { "input.value": "x".repeat(700) } } : {}));
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(destination.taken).toEqual(ids(1, 12).filter((id) => id !== spanId(5)));
  expect(forwarder.state()).toMatchObject({ sent: 11, deadLettered: 1 });
  const letters = readdirSync(join(folder, "letters")).filter((name) => name.endsWith(".otlp"));
  expect(letters).toHaveLength(1);
  const kept = scanTraces(readFileSync(join(folder, "letters", letters[0]!)));
  expect(kept.map((each) => each.spanId)).toEqual([spanId(5)]);
  const index = readFileSync(join(folder, "letters", "index.jsonl"), "utf8");
  expect(JSON.parse(index)).toMatchObject({ file: letters[0], spans: 1, reason: "status 413" });
});

test("a batch over the configured size is split before it is sent", async () => {
  const { destination, receive, start, saved } = await setUp(() => OK, { maxBytes: 400 });
  for (let n = 1; n <= 12; n++) await receive(n);
  await start();
  await until(() => saved.length > 0);
  expect(destination.taken).toEqual(ids(1, 12));
  expect(destination.requests.length).toBeGreaterThan(4);
});

test("one span that is answered with 400 does not take its batch with it", async () => {
  const bad = (request: SeenRequest) => request.spans.some((each) => each.spanId === spanId(9));
  const { destination, receive, start, saved, lines } = await setUp((request) =>
    bad(request) ? { status: 400, headers: { "content-type": "text/plain" }, body: "no such\n thing" } : OK,
  );
  for (let n = 1; n <= 16; n++) await receive(n);
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(destination.taken).toEqual(ids(1, 16).filter((id) => id !== spanId(9)));
  expect(forwarder.state()).toMatchObject({ deadLettered: 1, lastFailure: "status 400: no such thing" });
  expect(lines.filter(({ event, level }) => event === "forward.given-up" && level === "error")).toHaveLength(1);
});

test("a destination that refuses everything costs a bounded number of requests", async () => {
  const { destination, receive, start, saved } = await setUp(() => ({ status: 400 }));
  for (let n = 1; n <= 500; n++) await receive(n);
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(forwarder.state().deadLettered).toBe(500);
  expect(destination.requests.length).toBeLessThan(150);
});

test("a 500 is tried three times, then it is a refusal", async () => {
  const { destination, receive, start, saved } = await setUp(() => ({ status: 500 }));
  await receive(1);
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(destination.requests).toHaveLength(3);
  expect(forwarder.state().deadLettered).toBe(1);
});

test("401 is told loudly and waited out, since a key can be mended", async () => {
  let key = false;
  const { destination, receive, start, lines } = await setUp(() => (key ? OK : { status: 401 }));
  await receive(1);
  const forwarder = await start();
  await until(() => forwarder.state().retries >= 5);
  expect(lines).toContainEqual(expect.objectContaining({ level: "error", event: "forward.failed", why: "status 401" }));
  key = true;
  await until(() => destination.taken.length === 1);
  expect(forwarder.state()).toMatchObject({ deadLettered: 0 });
});
