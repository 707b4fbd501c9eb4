import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { launch } from "./reenact.ts";
import { recordDesk, requestOf, type RunningCollector, startCollector, until } from "./running-collector.ts";

const EMAIL = "alice.plant@north.harbour.test";
const BIN = join(import.meta.dirname, "../../collector/bin/reenact-collector.js");
let receivers: OtlpReceiver[];
let collector: RunningCollector | null = null;
beforeEach(async () => (receivers = [await startReceiver(), await startReceiver()]));
afterEach(async () => {
  await collector?.stop();
  collector = null;
  for (const each of receivers) await each.stop();
});
const traces = (url: string) => `${url}/v1/traces`;
const text = ({ requests }: OtlpReceiver) => requests.map(({ body }) => body.toString("latin1")).join("\n");

/** As another instrumentation sends it: nobody has redacted it. */
const foreign = JSON.stringify({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: "a".repeat(32),
              spanId: "b".repeat(16),
              name: "chat",
              startTimeUnixNano: "1",
              endTimeUnixNano: "2",
              attributes: [
                { key: "input.value", value: { stringValue: JSON.stringify({ to: EMAIL, diagnosis: "asthma" }) } },
                { key: "patient.age", value: { intValue: "41" } },
              ],
            },
          ],
        },
      ],
    },
  ],
});

test("each destination gets what its own policy leaves, of foreign spans and of a run; the store keeps all", async () => {
  const [open, closed] = receivers as [OtlpReceiver, OtlpReceiver];
  collector = await startCollector({
    forward: [
      { name: "open", url: traces(open.url), view: "openinference" },
      {
        name: "closed",
        url: traces(closed.url),
        view: "openinference",
        redaction: { paths: { deny: ["**/diagnosis", "patient", "llm/output_messages/**"] } },
      },
    ],
  });
  const sent = await fetch(`${collector.address.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: foreign,
  });
  expect(sent.status).toBe(200);
  const run = await recordDesk();
  await collector.send(requestOf(run));
  const count = run.spans.length + 1;
  await until("both have all", async () => receivers.every((each) => each.taken().length >= count));
  expect(text(open)).toContain(EMAIL);
  expect(text(closed)).not.toMatch(/alice|asthma/);
  expect(text(closed)).toMatch(/EMAIL_[a-z]{4}_[a-z]{16}/);
  const found = closed.taken().find(({ traceId }) => traceId === "a".repeat(32));
  expect(found?.attributes["patient.age"]).toBe(0);
  const messages = closed
    .taken()
    .flatMap(({ attributes }) =>
      Object.entries(attributes).flatMap(([key, value]) =>
        /^llm\.output_messages\..*content$/.test(key) ? [value] : [],
      ),
    );
  expect(messages.length).toBeGreaterThan(0);
  for (const each of messages) expect(each).toMatch(/^FIELD_/);
  // what viewers count with stays
  const tokens = (of: OtlpReceiver) => of.taken().map(({ attributes }) => attributes["llm.token_count.prompt"]);
  expect(tokens(closed).toSorted()).toEqual(tokens(open).toSorted());
  expect(collector.lines.filter(({ event }) => event === "forward.own-key")).toHaveLength(1);
  const { destinations } = await collector.get<{ destinations: { name: string; deadLettered: number }[] }>(
    "/api/v1/destinations",
  );
  expect(destinations.map(({ name, deadLettered }) => [name, deadLettered])).toEqual([
    ["open", 0],
    ["closed", 0],
  ]);
});

test.each([
  ["a record is not redacted twice", { redaction: {} }, /forward\.0\.redaction: needs view: openinference/],
  ["a policy that is wrong", { view: "openinference", redaction: { paths: { denied: [] } } }, /forward\.0\.redaction/],
  ["a function", { view: "openinference", redaction: { detectors: [] } }, /forward\.0\.redaction: .*detectors/],
])("%s: the collector does not start, and says why", async (_, setting, why) => {
  const [one] = receivers as [OtlpReceiver];
  const forward = JSON.stringify([{ name: "sink", url: traces(one.url), ...setting }]);
  await expect(async () => {
    collector = await startCollector({ forward: JSON.parse(forward) as unknown });
  }).rejects.toThrow(why);
});

test("the real program does not start with a key that is too short, and sends nothing", async () => {
  const [one] = receivers as [OtlpReceiver];
  const cwd = mkdtempSync(join(tmpdir(), "reenact-forward-"));
  const forward = [{ name: "sink", url: traces(one.url), view: "openinference", redaction: {} }];
  writeFileSync(join(cwd, "collector.json"), JSON.stringify({ listen: { port: 0 }, forward }));
  const env = { REENACT_REDACTION_KEY: "abcd", REENACT_COLLECTOR_CONFIG: "collector.json" };
  const ended = await launch([process.execPath, BIN], { cwd, env });
  rmSync(cwd, { recursive: true, force: true });
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toMatch(/forward sink: redaction: REENACT_REDACTION_KEY/);
  expect(one.requests).toHaveLength(0);
});
