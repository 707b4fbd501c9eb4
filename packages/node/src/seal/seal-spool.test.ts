import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EndedSpan, RunFacts, StepDraft, StepFacts } from "@reenact/capture/recorder";
import { ATTR } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { encodeEndedSpan } from "../span/encode-ended-span.ts";
import { draftParts } from "../spool/draft-frame.ts";
import { CLOSED, encodeFrame } from "../spool/frame.ts";
import { sealSpool } from "./seal-spool.ts";

const run = "5a".repeat(16);
const rootSpanId = "00000000000000ff";
const resource = { "service.name": "svc" };
const started = 1_700_000_000_000;

const facts: RunFacts = {
  id: run,
  traceId: run,
  rootSpanId,
  trigger: "process",
  name: "agent",
  parent: null,
  sequence: 0,
  started,
};
const opening = encodeFrame("open", JSON.stringify({ v: 1, instance: "i", pid: 1, launch: null, resource }));
const runStarted = encodeFrame("started", JSON.stringify(facts));

function stepFacts(step: number): StepFacts {
  return {
    run,
    step,
    spanId: `00000000000000${String(step).padStart(2, "0")}`,
    parentSpanId: rootSpanId,
    kind: "LLM",
    name: "chat",
    op: "openai.chat",
    path: "",
    n: step,
    attempt: 0,
    under: null,
    order: { start: step },
    started: started + step,
  };
}
const begin = (step: number) => encodeFrame("begin", JSON.stringify(stepFacts(step)));
const settle = (step: number) => encodeFrame("settle", JSON.stringify([run, step, step + 10, started + step + 5]));

function span(from: Partial<EndedSpan>, attributes: [string, string | number][]): Buffer {
  const whole: EndedSpan = {
    run,
    traceId: run,
    spanId: "",
    parentSpanId: rootSpanId,
    name: "chat",
    client: true,
    started,
    ended: started + 9,
    ok: true,
    message: "",
    attributes: [[ATTR.schema, 1], [ATTR.runId, run], ...attributes],
    events: [],
    link: null,
    ...from,
  };
  return encodeFrame("span", `${run}\n`, encodeEndedSpan(whole, { resource, scope: { name: "t" } }));
}
function draft(step: number, over: Partial<StepDraft> = {}): StepDraft {
  return {
    run,
    traceId: run,
    spanId: stepFacts(step).spanId,
    parentSpanId: rootSpanId,
    kind: "LLM",
    name: "chat",
    recognised: true,
    started,
    ended: started + 9,
    link: null,
    record: {
      v: 1,
      op: "openai.chat",
      path: "",
      n: step,
      attempt: 0,
      step,
      under: null,
      order: { start: step, settle: step + 10 },
    },
    error: null,
    request: null,
    answer: null,
    input: null,
    output: null,
    ...over,
  };
}
const stepSpan = (step: number): Buffer => encodeFrame("step", ...draftParts(draft(step), false));
const rootSpan = (steps: number) =>
  span({ spanId: rootSpanId, parentSpanId: null, name: "agent" }, [
    [ATTR.runStatus, "ok"],
    [ATTR.kind, "AGENT"],
    [ATTR.root, JSON.stringify({ v: 1, name: "agent", steps, lanes: { "0": { events: 0, sha256: "" } } })],
  ]);

function store(files: Record<string, Buffer[]>, age = 60_000): string {
  const folder = mkdtempSync(join(tmpdir(), "reenact-seal-"));
  mkdirSync(join(folder, "spool"));
  for (const [name, frames] of Object.entries(files)) put(folder, name, frames, age);
  return folder;
}
function put(folder: string, name: string, frames: Buffer[], age = 60_000): void {
  const path = join(folder, "spool", name);
  writeFileSync(path, Buffer.concat(frames));
  const then = new Date(Date.now() - age);
  utimesSync(path, then, then);
}
const spooled = (folder: string) => readdirSync(join(folder, "spool"));
const read = (folder: string) => readEnvelope(readFileSync(join(folder, "runs", `${run}.reenact`)));
const message = (folder: string, step: number) =>
  read(folder).steps.find((s) => s.record.step === step)?.span.status.message;

test("a process that died: what had ended is whole, the rest is shown as what it was", () => {
  const asked = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
  const sent = draft(2);
  const request = encodeFrame(
    "request",
    ...draftParts(
      {
        ...sent,
        record: {
          ...sent.record,
          order: { start: 2 },
          exchange: {
            via: "fetch",
            request: {
              method: "POST",
              url: "https://h/v1/chat/completions",
              headers: [["Content-Type", "application/json; charset=utf-8"]],
            },
            end: "open",
          },
        },
        request: { text: asked, bytes: null, mime: "application/json", known: true },
      },
      false,
    ),
  );
  const torn = settle(2).subarray(0, 11);
  const folder = store({
    "i.spool": [opening, runStarted, begin(0), settle(0), stepSpan(0), begin(1), settle(1), begin(2), request, torn],
  });
  const [sealed, ...more] = sealSpool(folder);
  expect(more).toEqual([]);
  expect(sealed).toMatchObject({ run, died: true, damage: [], header: { status: "aborted", revision: 0 } });
  expect(spooled(folder)).toEqual([]);
  expect(statSync(join(folder, "runs", `${run}.reenact`)).mode & 0o777).toBe(0o600);
  const envelope = read(folder);
  expect(envelope.steps.map((s) => [s.record.step, s.span.status.code])).toEqual([
    [0, 1],
    [1, 2],
    [2, 2],
  ]);
  expect([message(folder, 1), message(folder, 2)]).toEqual(["ended, payload lost", "process died"]);
  expect(envelope.steps[2]?.span.attributes).toMatchObject({
    "input.value": asked,
    "input.mime_type": "application/json",
    "llm.input_messages.0.message.content": "hi",
  });
  expect(envelope.steps[2]?.record.exchange?.request.body).toEqual({ $: "input.value" });
  expect(envelope.steps[2]?.record.digests?.messages).toHaveLength(1);
  expect(envelope.facts).toMatchObject({ died: true, steps: 3, name: "agent" });
  expect(envelope.complete).toBe(false);
});

test("what a run was asked, and its journal behind the last step that ended, stand on the root that is made for it", () => {
  const input = (text: string) => encodeFrame("input", `${run}\n`, text);
  const beginWith = (step: number, from: number, at: number, events: string) =>
    encodeFrame("begin", JSON.stringify({ ...stepFacts(step), journal: { from, at, events } }));
  const ended = draft(0);
  const withJournal = { ...ended, record: { ...ended.record, journal: { lane: "0", from: 0, events: "sh" } } };
  const frames = [
    opening,
    runStarted,
    input('["a part"]'),
    beginWith(0, 0, 0, "s"),
    input('["all of it"]'),
    encodeFrame("step", ...draftParts(withJournal, false)),
    beginWith(1, 2, 0, "D1763800000000;s1"),
    beginWith(2, 2, 17, "s"),
  ];
  const folder = store({ "i.spool": frames });
  expect(sealSpool(folder)).toMatchObject([{ damage: [] }]);
  expect(read(folder).facts).toMatchObject({
    input: '["all of it"]',
    journal: { lane: "0", from: 2, events: "D1763800000000;s1s" },
  });
  expect(
    read(folder)
      .journals.get("0")
      ?.events.map(({ k }) => k),
  ).toEqual(["s", "h", "v", "s", "s"]);
  // the process went on in another file: the step brings the segment, and the input stays
  const late = draft(1);
  const segment = { lane: "0", from: 2, events: "D1763800000000;s1sh" };
  const lateStep = { ...late, record: { ...late.record, journal: segment } };
  put(folder, "i-1.spool", [opening, runStarted, encodeFrame("step", ...draftParts(lateStep, false))]);
  sealSpool(folder);
  expect(read(folder).facts).toMatchObject({ input: '["all of it"]' });
  expect(read(folder).facts?.journal).toBeUndefined();
  expect(read(folder).journals.get("0")?.events).toHaveLength(6);
});

test("metadata that a process added to its run before it died stands on the root that is made for it", () => {
  const metadata = (what: object) => encodeFrame("metadata", JSON.stringify({ run, ...what }));
  const saying = [metadata({ flags: ["a"], user: "bob" }), metadata({ tags: ["x"], session: "s" })];
  const more = [
    metadata({ flags: ["b"], user: "eve", tags: ["x", "y"] }),
    metadata({ flags: 7, tags: [1], user: null }),
  ];
  const folder = store({ "i.spool": [opening, runStarted, begin(0), ...saying, ...more] });
  const [sealed] = sealSpool(folder);
  expect(sealed?.manifest).toMatchObject({ flags: ["a", "b"], user: "eve", session: "s", status: "aborted" });
  expect(sealed?.damage).toEqual([]);
  expect(read(folder).root?.attributes).toMatchObject({ "tag.tags": ["x", "y"], "reenact.flag": ["a", "b"] });
  // the root of the process's own says all of it
  put(folder, "i-1.spool", [opening, runStarted, ...saying, stepSpan(0), rootSpan(1)]);
  expect(sealSpool(folder)[0]?.manifest).toMatchObject({ flags: [], status: "ok" });
});

test("spans that come later make the next revision and replace what was made for them", () => {
  const folder = store({ "i.spool": [opening, runStarted, begin(0)] });
  sealSpool(folder);
  expect(message(folder, 0)).toBe("process died");
  put(folder, "i-1.spool", [opening, runStarted, stepSpan(0), rootSpan(1)]);
  const [sealed] = sealSpool(folder);
  expect(sealed).toMatchObject({ died: false, header: { revision: 1, status: "ok" } });
  expect(read(folder).spans.length).toBe(2);
  expect(read(folder).steps[0]?.span.status.code).toBe(1);
  // the same once more changes nothing
  put(folder, "again.spool", [opening, runStarted, stepSpan(0), rootSpan(1)]);
  expect(sealSpool(folder)[0]?.header.revision).toBe(1);
});

test("a damaged frame costs itself and is reported", () => {
  const bad = stepSpan(0);
  bad[40] = (bad[40] as number) ^ 1;
  const folder = store({
    "i.spool": [opening, runStarted, begin(0), settle(0), bad, begin(1), settle(1), stepSpan(1), rootSpan(2)],
  });
  const [sealed] = sealSpool(folder);
  expect(sealed?.damage.length).toBe(1);
  expect([message(folder, 0), message(folder, 1)]).toEqual(["ended, payload lost", ""]);
});

test("a file whose launcher lives is left to it, for a minute", () => {
  const launch = `${process.ppid}-L`;
  const launched = encodeFrame("open", JSON.stringify({ v: 1, instance: "i", pid: 2 ** 30, launch, resource }));
  const folder = store({ "i.spool": [launched, runStarted, stepSpan(0), rootSpan(1), CLOSED] }, 10_000);
  expect(sealSpool(folder)).toEqual([]);
  expect(sealSpool(folder, { launch: `${process.ppid}-other` })).toEqual([]);
  expect(spooled(folder)).toEqual(["i.spool"]);
  expect(sealSpool(folder, { launch }).length).toBe(1);
  put(folder, "j.spool", [launched, runStarted, stepSpan(0), rootSpan(1), CLOSED], 61_000);
  expect(sealSpool(folder).length).toBe(1);
  put(folder, "k.spool", [
    encodeFrame("open", JSON.stringify({ v: 1, instance: "i", pid: 2 ** 30, launch: `${2 ** 30}-L`, resource })),
    runStarted,
    CLOSED,
  ]);
  expect(sealSpool(folder).length).toBe(1);
});

test("a file that is being written is left alone; a closed one, and one of a dead launch, is taken at once", () => {
  const launched = encodeFrame("open", JSON.stringify({ v: 1, instance: "i", pid: 2 ** 30, launch: "L", resource }));
  const folder = store({ "i.spool": [launched, runStarted, begin(0)] }, 0);
  expect(sealSpool(folder)).toEqual([]);
  expect(sealSpool(folder, { launch: "other" })).toEqual([]);
  expect(sealSpool(folder, { launch: "L" }).length).toBe(1);
  put(folder, "j.spool", [opening, runStarted, encodeFrame("closed")], 0);
  expect(sealSpool(folder).length).toBe(1);
  put(folder, "k.spool", [opening, runStarted], 0);
  expect(sealSpool(folder, { instance: "k" }).length).toBe(1);
});

test("what a dead sealer had claimed is taken up again; what a living one holds is not", () => {
  const folder = store(
    {
      [`i.claimed-${2 ** 30}-00`]: [opening, runStarted, begin(0)],
      [`j.claimed-${process.ppid}-00`]: [opening, runStarted],
    },
    0,
  );
  expect(sealSpool(folder).length).toBe(1);
  expect(spooled(folder)).toEqual([`j.claimed-${process.ppid}-00`]);
});

test("a store that cannot be written keeps the spool", () => {
  const folder = store({ "i.spool": [opening, runStarted, begin(0)] });
  writeFileSync(join(folder, "runs"), "a file stands where the folder should be");
  expect(() => sealSpool(folder)).toThrow();
  expect(spooled(folder).length).toBe(1);
});

test("without time the newest run is sealed, the rest is counted and left, and nothing of it is lost", () => {
  const ids = Array.from({ length: 5 }, (_, n) => String(n).padStart(2, "0").repeat(16));
  const startedAs = (id: string) => encodeFrame("started", JSON.stringify({ ...facts, id, traceId: id }));
  const folder = store({ "a.spool": [opening, ...ids.slice(0, 2).map(startedAs), CLOSED] }, 120_000);
  put(folder, "b.spool", [opening, ...ids.slice(2).map(startedAs), CLOSED], 61_000);
  const left: number[] = [];
  const few = sealSpool(folder, { budgetMs: 0, left: (runs) => left.push(runs) });
  expect([few.map(({ run: id }) => id), left]).toEqual([[ids[4]], [4]]);
  expect(spooled(folder)).toEqual(["a.spool", "b.spool"]);
  const all = sealSpool(folder, { left: (runs) => left.push(runs) });
  expect([all.map(({ run: id }) => id).toSorted(), left, spooled(folder)]).toEqual([ids, [4], []]);
});

test("an empty store has nothing to seal, and is not created", () => {
  const folder = join(tmpdir(), "reenact-none", "x");
  expect(sealSpool(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});
