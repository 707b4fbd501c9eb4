import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeSpan, scanTraces } from "@reenact/envelope";
import { afterEach, beforeEach, expect, test } from "vitest";
import { folder, ids, OK, setUp, until } from "./forwarder.test.fixture.ts";
import { type Redactor, startRedactor } from "./redactor.ts";
import { sampleTraces, spanId } from "./sample-traces.test.fixture.ts";

const EMAIL = "alice.plant@north.harbour.test";
const KEY = "5f".repeat(32);
const open: Redactor[] = [];
let data: string;
beforeEach(() => (data = mkdtempSync(join(tmpdir(), "redactor-"))));
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  rmSync(data, { recursive: true, force: true });
});
async function redactorOf(policy = {}, env: Record<string, string> = { REENACT_REDACTION_KEY: KEY }) {
  const redactor = await startRedactor(policy, { env, folder: data, destination: "sink" });
  open.push(redactor);
  return redactor;
}
const asking = (text: string) => ({ attributes: { "input.value": text, "user.id": EMAIL } });
const valueOf = (body: Uint8Array) => scanTraces(body).map(({ span }) => decodeSpan(span).attributes["input.value"]);

test("values are replaced by the tokens of the key in the environment; without one a key is made for this user alone", async () => {
  const [one, two, other] = [await redactorOf(), await redactorOf(), await redactorOf({}, {})];
  const body = sampleTraces(1, asking(`write to ${EMAIL}`));
  const [first, second, third] = await Promise.all([one, two, other].map((each) => each.redact(body)));
  expect(valueOf(first!)[0]).toMatch(/^write to EMAIL_[a-z]{4}_[a-z]{16}$/);
  expect(valueOf(second!)).toEqual(valueOf(first!));
  expect(valueOf(third!)).not.toEqual(valueOf(first!));
  expect([one.ownKey, other.ownKey]).toEqual([false, true]);
  expect(statSync(join(data, "redaction.key")).mode & 0o777).toBe(0o600);
});

test.each([
  ["a key that is too short", {}, { REENACT_REDACTION_KEY: "abcd" }, /redaction: .*32/],
  [
    "a policy that the thread cannot take",
    { patterns: [{ type: "X", pattern: "(" }] },
    undefined,
    /forward sink: redaction: /,
  ],
])("%s ends the start", async (_, policy, env, why) => {
  await expect(redactorOf(policy, env)).rejects.toThrow(why);
});

test("what is sent was redacted, and what cannot be redacted is not sent: it lies among the dead letters, and the log says so", async () => {
  const redactor = await redactorOf({ paths: { deny: ["**/diagnosis"] } });
  const fails = (body: Uint8Array) => Buffer.from(body).includes("question of the span that fails");
  const { destination, receive, start, saved, lines } = await setUp(() => OK, {
    redact: (body) => (fails(body) ? Promise.reject(new Error("a fault")) : redactor.redact(body)),
  });
  for (let n = 1; n <= 8; n++)
    await receive(
      n,
      undefined,
      sampleTraces(n, asking(n === 3 ? "question of the span that fails" : `{"to":"${EMAIL}","diagnosis":"asthma"}`)),
    );
  const forwarder = await start();
  await until(() => saved.length > 0);
  expect(destination.taken).toEqual(ids(1, 8).filter((id) => id !== spanId(3)));
  for (const { body } of destination.requests) expect(body.toString("latin1")).not.toMatch(/alice|asthma|fails/);
  expect(forwarder.state()).toMatchObject({ sent: 7, deadLettered: 1, lastFailure: "cannot be redacted: a fault" });
  expect(lines.find(({ event }) => event === "forward.unsent")).toMatchObject({
    level: "error",
    why: "cannot be redacted: a fault",
  });
  const index = readFileSync(join(folder, "letters", "index.jsonl"), "utf8");
  expect(JSON.parse(index)).toMatchObject({ spans: 1, reason: "cannot be redacted: a fault" });
  expect(readdirSync(join(folder, "letters")).filter((name) => name.endsWith(".otlp"))).toHaveLength(1);
});

test("a text that takes longer than its policy allows is replaced whole", async () => {
  const redactor = await redactorOf({ budgetMs: 10 });
  const long = Array.from({ length: 60_000 }, (_, n) => `tax id ${n}47823${n}9 `).join("");
  const [text] = valueOf(await redactor.redact(sampleTraces(1, asking(`${EMAIL} ${long}`))));
  expect(text).toMatch(/UNSCANNED_\d+/);
  expect(text).not.toContain(EMAIL);
});

test("bytes that are no request are rejected, and the next request is redacted", async () => {
  const redactor = await redactorOf();
  await expect(redactor.redact(Uint8Array.of(10, 200))).rejects.toThrow();
  expect(valueOf(await redactor.redact(sampleTraces(1, asking(EMAIL))))[0]).toMatch(/^EMAIL_/);
});

test("requests that wait when it is closed are rejected, and so are later ones", async () => {
  const redactor = await redactorOf();
  const waiting = redactor.redact(sampleTraces(1, asking("x ".repeat(500_000))));
  const [ended] = await Promise.allSettled([waiting, redactor.close()]);
  expect(ended).toMatchObject({ status: "rejected" });
  await expect(redactor.redact(sampleTraces(1))).rejects.toThrow("closed");
});
