import { expect, test, vi } from "vitest";
import { createScrubber, type InspectingScrubber } from "../scrubber.ts";
import type { AsyncDetector } from "./detector.ts";
import type { DetectorQueue, Verdict } from "./detector-queue.ts";

const key = Buffer.alloc(32, 3);
const json = { mime: "application/json" };
const names = (text: string) =>
  [...text.matchAll(/Jane Roe|Roe Smith/g)].map((m) => ({ start: m.index, end: m.index + m[0].length }));
const detector = (findLater: AsyncDetector["findLater"]): AsyncDetector => ({ name: "names", type: "NAME", findLater });
const later = detector(async (text) => names(text));
const scrubberOf = (findLater: AsyncDetector["findLater"], detectorMs = 200): InspectingScrubber =>
  createScrubber({ key, policy: { detectors: [detector(findLater)], detectorMs } });
async function prepared(scrubber: InspectingScrubber, text: string, hint = {}): Promise<string> {
  await scrubber.prepare?.(text, hint);
  return scrubber.scrub(text, hint).text;
}

test.each<[string, AsyncDetector["findLater"]]>([
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no"))],
  ["never settles", () => new Promise(() => {})],
  [
    "is late",
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  ],
  ["answers nothing", async () => undefined as never],
  ["answers a number", async () => 7 as never],
  ["points behind the text", async () => [{ start: 0, end: 999 }]],
  ["points before it", async () => [{ start: -1, end: 3 }]],
  ["points backwards", async () => [{ start: 5, end: 2 }]],
  ["points at nothing", async () => [{ start: 2, end: 2 }]],
  ["points between characters", async () => [{ start: 0.5, end: 2 }]],
  ["names a type that cannot be", async () => [{ start: 0, end: 3, type: "no type" }]],
  ["is no list", async () => ({ length: 1 }) as never],
])("a detector that %s costs the text, the others stay", async (_, findLater) => {
  const scrubber = scrubberOf(
    (text, signal) => (text.startsWith("bad") ? findLater(text, signal) : later.findLater(text, signal)),
    50,
  );
  const body = JSON.stringify({ a: "bad Jane Roe", b: "ask Jane Roe" });
  const out = JSON.parse(await prepared(scrubber, body, json)) as { a: string; b: string };
  expect(out.a).toBe("UNSCANNED_12");
  expect(out.b).toMatch(/^ask NAME_[a-z]{4}_[a-z]{16}$/);
});

test("ranges that overlap each other or a rule of ours leave nothing of any", async () => {
  const scrubber = scrubberOf(async (text) => {
    const at = text.indexOf("Jane");
    return at === -1
      ? []
      : [
          { start: at, end: at + 8 },
          { start: at + 5, end: at + 14 },
          { start: at, end: at + 4 },
        ];
  });
  expect(await prepared(scrubber, "x Jane Roe Smith y")).toMatch(/^x NAME_\w+ y$/);
  const mail = await prepared(scrubber, "x Jane a@example.com y");
  expect(mail).not.toMatch(/Jane|example/);
});

test("what only an answer takes further apart is prepared too", async () => {
  const inside = Buffer.from("it is about Jane Roe").toString("base64");
  const out = await prepared(scrubberOf(later.findLater), JSON.stringify({ c: inside }), json);
  const { c } = JSON.parse(out) as { c: string };
  expect(Buffer.from(c, "base64").toString()).toMatch(/^it is about NAME_/);
});

test("ids, digests and signs are not asked about", async () => {
  const asked: string[] = [];
  const scrubber = scrubberOf(async (text) => (asked.push(text), names(text)));
  const body = {
    id: "0af7651916cd43dd8448eb211c80319c",
    of: "7f3a91c2-0d1e-4a5b-8c6d-9e0f1a2b3c4d",
    s: " - ",
    t: "Jane",
  };
  expect(await prepared(scrubber, JSON.stringify(body), json)).toBe(JSON.stringify(body));
  expect(asked.toSorted()).toEqual(["Jane", "id", "of", "s", "t"]);
});

test("a token that stands there is not taken apart, and nothing is asked twice", async () => {
  const find = vi.fn(later.findLater);
  const scrubber = scrubberOf(find);
  const once = await prepared(scrubber, "ask Jane Roe or bob@example.com");
  expect(await prepared(scrubber, once)).toBe(once);
  const calls = find.mock.calls.length;
  expect(scrubber.scrub(once).text).toBe(once);
  await Promise.all([
    prepared(scrubber, "one text"),
    prepared(scrubber, "one text"),
    prepared(scrubber, '["one text"]', json),
  ]);
  expect(find.mock.calls.length).toBe(calls + 1);
});

test("an answer that comes late is kept for the next time", async () => {
  const asked: ((verdict: Verdict) => void)[] = [];
  const queue: DetectorQueue = { ask: (_, done) => void asked.push(done), standStill: () => {} };
  const scrubber = createScrubber({ key, policy: { detectors: [later] }, queue });
  expect(scrubber.scrub("ask Jane Roe").text).toBe("UNSCANNED_12");
  expect(scrubber.scrub("ask Jane Roe").text).toBe("UNSCANNED_12");
  expect(asked.length).toBe(1);
  asked[0]?.([{ start: 4, end: 12, type: "NAME" }]);
  expect(scrubber.scrub("ask Jane Roe").text).toMatch(/^ask NAME_/);
  expect(asked.length).toBe(1);
});

test("no more than eight texts are asked about at once", async () => {
  let now = 0;
  let most = 0;
  const scrubber = scrubberOf(async (text) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
    return names(text);
  });
  const body = JSON.stringify(Array.from({ length: 40 }, (_, i) => `Jane Roe ${i}`));
  expect(await prepared(scrubber, body, json)).not.toContain("Jane");
  expect(most).toBe(8);
});

test("where the queue can, a scrub waits by itself, also for texts in texts", () => {
  const asked: string[] = [];
  const queue: DetectorQueue = {
    ask(text, done) {
      asked.push(text);
      done(text.includes("bad") ? null : names(text).map((hit) => ({ ...hit, type: "NAME" })));
    },
    standStill: (isDone) => expect(isDone()).toBe(true),
  };
  const scrubber = createScrubber({ key, policy: { detectors: [later] }, queue });
  const inside = JSON.stringify({ who: "Jane Roe" });
  const body = JSON.stringify({ a: inside, b: "bad", c: Buffer.from("it is about Jane Roe").toString("base64") });
  const out = JSON.parse(scrubber.scrub(body, json).text) as { a: string; b: string; c: string };
  expect(JSON.parse(out.a)).toEqual({ who: expect.stringMatching(/^NAME_/) });
  expect(out.b).toBe("UNSCANNED_3");
  expect(Buffer.from(out.c, "base64").toString()).toMatch(/^it is about NAME_/);
  const before = asked.length;
  scrubber.scrub(body.replace("bad", "fine"), json);
  expect(asked.slice(before)).toEqual(["fine"]);
});
