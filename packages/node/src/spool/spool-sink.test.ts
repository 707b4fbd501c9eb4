import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunFacts, StepDraft, StepFacts } from "@reenact/capture/recorder";
import { createScrubber } from "@reenact/redaction";
import { afterEach, expect, test } from "vitest";
import { storeLayout } from "../config/store-layout.ts";
import { readFrames } from "./frame.ts";
import { spoolSink, type SpoolSink, type SpoolSinkOptions } from "./spool-sink.ts";

const run = "5a".repeat(16);
const started: RunFacts = {
  id: run,
  traceId: run,
  rootSpanId: "ff".repeat(8),
  trigger: "process",
  name: "bob@example.com",
  parent: null,
  sequence: 0,
  started: 1,
};
const step: StepFacts = {
  run,
  step: 0,
  spanId: "01".repeat(8),
  parentSpanId: "ff".repeat(8),
  kind: "TOOL",
  name: "mail",
  op: "tool:mail",
  path: "tool:bob@example.com#0",
  n: 0,
  attempt: 0,
  under: null,
  order: { start: 0 },
  started: 1,
};
const sinks: SpoolSink[] = [];
afterEach(() => {
  for (const sink of sinks.splice(0)) sink.close();
});

function sinkIn(folder: string, over: Partial<SpoolSinkOptions> = {}): SpoolSink {
  const sink = spoolSink({
    layout: storeLayout(folder),
    instance: "i",
    opening: () => ({ v: 1 }),
    earlyFacts: () => ({}),
    earlyFactsVersion: () => 0,
    scrubber: createScrubber({ key: Buffer.alloc(32, 1) }),
    problem: () => null,
    encode: () => Buffer.from("bytes"),
    maxMbPerMin: null,
    ...over,
  });
  sinks.push(sink);
  return sink;
}
const fresh = () => join(mkdtempSync(join(tmpdir(), "reenact-sink-")), ".reenact");
const frames = (path: string) => readFrames(readFileSync(path)).frames.map((f) => [f.kind, f.payload.toString()]);
const kinds = (path: string) => frames(path).map(([kind]) => kind);

test("nothing is there before the first run starts; then one private file, each frame written at once", () => {
  const folder = fresh();
  const sink = sinkIn(folder);
  sink.begin(step);
  expect(existsSync(folder)).toBe(false);
  sink.started(started);
  sink.begin(step);
  sink.settle(run, 0, 3, 5);
  const path = join(folder, "spool", "i.spool");
  expect(kinds(path)).toEqual(["open", "started", "begin", "settle"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  expect(readFileSync(path, "utf8")).not.toContain("bob@example.com");
  sink.over(run);
  sink.close();
  expect(kinds(path).slice(-2)).toEqual(["over", "closed"]);
});

test("a file that a sealer took away is followed by another one, in which all is said again", () => {
  const folder = fresh();
  const sink = sinkIn(folder);
  sink.started(started);
  sink.metadata(run, { flags: ["odd"], user: "u" });
  sink.metadata(run, { tags: ["t"] });
  const path = join(folder, "spool", "i.spool");
  renameSync(path, `${path}.gone`);
  // a heartbeat comes every second: a process this busy has sent none
  for (const until = performance.now() + 4100; performance.now() < until;);
  sink.begin(step);
  expect(readdirSync(join(folder, "spool")).toSorted()).toEqual(["i-1.spool", "i.spool.gone"]);
  const again = frames(join(folder, "spool", "i-1.spool"));
  expect(again.map(([kind]) => kind)).toEqual(["open", "started", "metadata", "begin"]);
  expect(JSON.parse(again[2]?.[1] ?? "")).toEqual({ run, flags: ["odd"], tags: ["t"], user: "u" });
});

test("what is said of a run is written when it is said", () => {
  const folder = fresh();
  const sink = sinkIn(folder);
  sink.metadata(run, { flags: ["nobody's"] });
  sink.started(started);
  sink.metadata(run, { flags: ["odd"], user: "u" });
  const all = frames(join(folder, "spool", "i.spool"));
  expect(all.slice(2)).toEqual([["metadata", JSON.stringify({ run, flags: ["odd"], user: "u" })]]);
});

const asked: StepDraft = {
  ...step,
  traceId: run,
  recognised: false,
  ended: 2,
  link: null,
  record: { v: 1, op: "http:POST h", path: "", n: 0, attempt: 0, step: 0, under: null, order: { start: 0 } },
  error: null,
  request: { text: "what was asked", bytes: null, mime: "text/plain", known: true },
  answer: null,
  input: null,
  output: null,
};

test("a request that was written when it went out is not written again, unless it is another one or another file", () => {
  const folder = fresh();
  const sink = sinkIn(folder);
  sink.started(started);
  const path = join(folder, "spool", "i.spool");
  const count = (text: string): number => readFileSync(path, "utf8").split(text).length - 1;
  sink.request(asked);
  sink.step({ ...asked }, null);
  expect(count("what was asked")).toBe(1);
  // nothing stands for it any more
  sink.step(asked, null);
  expect(count("what was asked")).toBe(2);
  sink.request(asked);
  sink.step({ ...asked, request: { text: "redacted further", bytes: null, mime: "text/plain", known: true } }, null);
  expect(count("redacted further")).toBe(1);
  sink.request(asked);
  renameSync(path, `${path}.gone`);
  for (const until = performance.now() + 4100; performance.now() < until;);
  sink.step(asked, null);
  expect(readFileSync(join(folder, "spool", "i-1.spool"), "utf8")).toContain("what was asked");
});

test("a store that cannot be written ends the recording with one line, and nothing is thrown", () => {
  const folder = fresh();
  writeFileSync(folder, "a file");
  const sink = sinkIn(folder);
  expect(() => sink.started(started)).not.toThrow();
  expect(() => sink.begin(step)).not.toThrow();
  expect(sink.written.count).toBe(0);
});

test("without a key nothing is written", () => {
  const folder = fresh();
  const sink = sinkIn(folder, { problem: () => "no key" });
  sink.started(started);
  expect(existsSync(folder)).toBe(false);
});

test("above the rate a new run is left out, whole, and counted", () => {
  const folder = fresh();
  const sink = sinkIn(folder, { maxMbPerMin: 0.0001 });
  sink.started(started);
  sink.begin(step);
  sink.started({ ...started, id: "6b".repeat(16) });
  sink.begin({ ...step, run: "6b".repeat(16) });
  expect(sink.written).toEqual({ count: 1, first: run, last: run });
  expect(sink.left).toEqual({ runs: 1, payloads: 0 });
  expect(readFileSync(join(folder, "spool", "i.spool"), "utf8")).not.toContain("6b6b");
});

test("a run stays in the file in which it started; a large file takes no more, and is closed when its runs are over", () => {
  const folder = fresh();
  const sink = sinkIn(folder, { largeBytes: 2000 });
  const [one, two, three] = ["01", "02", "03"].map((digits) => digits.repeat(16)) as [string, string, string];
  const fill = (id: string) => {
    for (let n = 0; n < 30; n++) sink.begin({ ...step, run: id, step: n });
  };
  const path = (name: string) => join(folder, "spool", name);
  sink.started({ ...started, id: one });
  sink.started({ ...started, id: two });
  fill(one);
  sink.started({ ...started, id: three });
  sink.begin({ ...step, run: one, step: 99 });
  sink.begin({ ...step, run: three });
  expect(readdirSync(join(folder, "spool")).toSorted()).toEqual(["i-1.spool", "i.spool"]);
  expect(frames(path("i.spool")).at(-1)).toEqual(["begin", expect.stringContaining('"step":99')]);
  expect(kinds(path("i-1.spool")).filter((kind) => kind === "started")).toHaveLength(1);
  sink.over(one);
  expect(kinds(path("i.spool")).at(-1)).toBe("over");
  sink.over(two);
  expect(kinds(path("i.spool")).slice(-2)).toEqual(["over", "closed"]);
  // small and idle: it stays open
  sink.over(three);
  expect(kinds(path("i-1.spool")).at(-1)).toBe("over");
  sink.started({ ...started, id: one });
  fill(one);
  sink.over(one);
  expect(kinds(path("i-1.spool")).at(-1)).toBe("closed");
  sink.started({ ...started, id: two });
  expect(readdirSync(join(folder, "spool")).toSorted()).toEqual(["i-1.spool", "i-2.spool", "i.spool"]);
  expect(sink.written.count).toBe(5);
});
