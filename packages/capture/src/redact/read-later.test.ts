import { once } from "node:events";
import http, { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { within } from "../run/context.ts";
import type { DraftText, ReadDraft, ReadTexts, StepDraft, StepTexts } from "../span/draft.ts";
import { recorder } from "../run/recorder.ts";
import { Run } from "../run/run.ts";
import type { Scrubber } from "./scrubber.ts";
import { elsewhere, marking } from "./other-thread.test.fixture.ts";
import type { Sink } from "../run/sink.ts";
import { tool } from "../api/tool.ts";
import { installHttp } from "../transport/http/http.ts";
import { watchFetch } from "../transport/fetch/fetch.ts";

const LIMIT = 64 * 1024;
const long = "x".repeat(LIMIT);
const before = { ...recorder };

/** lengths of the texts that this thread has read */
let read: number[] = [];
/** what was written, in order */
let written: string[] = [];
let drafts: (StepDraft<DraftText> & Partial<ReadDraft>)[] = [];
let asked: StepTexts[] = [];
let root: { input?: string; output?: string } = {};
/** how the other thread answers */
let answers: (texts: StepTexts) => Promise<ReadTexts | null> | null = elsewhere;

beforeEach(() => {
  [read, written, drafts, asked, answers] = [[], [], [], [], elsewhere];
  const sink: Sink = {
    started: () => void written.push("started"),
    begin: ({ step }) => void written.push(`begin ${step}`),
    settle: (_, step) => void written.push(`settle ${step}`),
    yielded: () => undefined,
    answered: () => false,
    request: ({ record }) => void written.push(`request ${record.step}`),
    step(draft) {
      drafts.push(draft);
      return written.push(`step ${draft.record.step}`) > 0;
    },
    metadata: () => {},
    input: () => {},
    span({ attributes }) {
      written.push("root");
      root = JSON.parse(String(attributes.find(([key]) => key === "reenact.root")?.[1])) as typeof root;
    },
    over: () => void written.push("over"),
  };
  const scrubber: Scrubber = {
    ...marking(({ length }) => read.push(length)),
    unread: (text) => text.length,
    readElsewhere(texts) {
      asked.push(texts);
      return answers(texts);
    },
  };
  Object.assign(recorder, { scrubber, sink });
});

afterEach(() => void Object.assign(recorder, before));

/** Runs `body` as an agent does; returns when all is written, unless the process ends with it. */
async function recorded(body: () => Promise<unknown>, ends = false, typed?: string): Promise<void> {
  const run = new Run({ trigger: "function", name: "test", sequence: 0, ...(typed !== undefined && { input: typed }) });
  run.activate();
  await within(run.frame, body);
  run.end({ status: "ok", output: typed ?? null });
  if (ends) run.finish();
  for (const until = Date.now() + 5000; !written.includes("over") && Date.now() < until;) await sleep(5);
}

const text = (value: DraftText | null | undefined): string => Buffer.from(value ?? "").toString();

function failing(): Promise<never> {
  return Promise.reject(new Error(`secret ${long}`));
}

async function* pieces(): AsyncGenerator<string> {
  for (let n = 0; n < 40; n++) yield await Promise.resolve(`secret ${n} ${"y".repeat(4000)}`);
}

async function readPieces(): Promise<void> {
  for await (const piece of tool("pieces", pieces)()) if (piece === "") break;
}

test.each<[string, () => Promise<unknown>]>([
  ["arguments", async () => tool("take", async (text: string) => text.length)(`secret ${long}`)],
  ["a result", async () => tool("give", async () => ({ deep: [`secret ${long}`] }))()],
  ["bytes", async () => tool("give", async () => Buffer.from(`secret ${long}`))()],
  ["an error", async () => tool("fail", failing)().catch(() => {})],
  ["many small pieces", readPieces],
])("of %s this thread reads no more than it may", async (_, body) => {
  await recorded(body);
  expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(LIMIT);
  expect(drafts).toHaveLength(1);
  expect(text(drafts[0]?.members)).not.toContain("secret");
  expect(text(drafts[0]?.members).length).toBeGreaterThan(LIMIT);
  expect(written.slice(-3)).toEqual(["step 0", "root", "over"]);
});

test("of an exchange this thread reads no more than it may, and its request is read once", async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => setTimeout(() => response.end(`secret ${long}`), 60));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const fetch = watchFetch(globalThis.fetch);
  const post = async (): Promise<string> => (await fetch(url, { method: "POST", body: `secret ${long}` })).text();
  await recorded(post);
  server.close();
  expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(LIMIT);
  expect(written).toEqual(["started", "begin 0", "request 0", "settle 0", "step 0", "root", "over"]);
  expect(asked.map(({ exchange, head }) => [exchange?.requestBody?.length, head === null])).toEqual([
    [long.length + 7, true],
    [undefined, false],
  ]);
  const [draft] = drafts;
  expect(text(draft?.request?.text).slice(0, 6)).toBe("SECRET");
  expect(text(draft?.answer?.text).slice(0, 6)).toBe("SECRET");
  expect(draft?.record.redacted?.counts).toEqual({ KEY: 2 });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("of bodies in %s, which are short, this thread reads no more than it may", async (encoding, pack) => {
  const packed = pack(`secret ${long}`);
  const headers = { "content-type": "text/plain", "content-encoding": encoding };
  const server = createServer((request, response) => {
    request.resume().on("end", () => setTimeout(() => response.writeHead(200, headers).end(packed), 60));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const undo = installHttp();
  const post = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const call = http.request({ port, host: "127.0.0.1", method: "POST", headers }, (response) =>
        response.resume().on("end", resolve),
      );
      call.on("error", reject).end(packed);
    });
  for (const how of [elsewhere, () => Promise.resolve(null)]) {
    [read, written, drafts, answers] = [[], [], [], how];
    await recorded(post);
    expect(packed.length).toBeLessThan(LIMIT);
    expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(LIMIT);
    expect(drafts).toHaveLength(1);
  }
  undo();
  server.closeAllConnections();
  server.close();
});

test("an agent that makes text faster than it is read waits: little of it is in memory at any time", async () => {
  let most = 0;
  let waiting = 0;
  let before: Promise<unknown> = Promise.resolve();
  answers = async (texts) => {
    most = Math.max(most, ++waiting);
    // one after another
    await (before = before.then(() => sleep(40)));
    waiting--;
    return elsewhere({ ...texts, call: null });
  };
  const give = tool("give", async (n: number) => `${n} ${"y".repeat(4 * 1024 * 1024)}`);
  await recorded(async () => {
    for (let n = 0; n < 40; n++) await give(n);
  });
  expect(drafts).toHaveLength(40);
  // 32 MB, the one that is being read, and the one that made it too much
  expect(most).toBeLessThanOrEqual(10);
  expect(most).toBeGreaterThan(2);
});

test("a process that ends in the middle has all read here at once, and an answer that comes then is nothing", async () => {
  await recorded(async () => tool("give", async () => `secret ${long}`)(), true);
  expect(written).toEqual(["started", "begin 0", "settle 0", "step 0", "root", "over"]);
  await sleep(30);
  expect(drafts).toHaveLength(1);
  expect(JSON.stringify(drafts)).not.toContain("secret");
  expect(drafts[0]?.record.call?.result?.length).toBeGreaterThan(LIMIT);
});

test("what the other thread cannot read is replaced, and what is short is read here", async () => {
  answers = () => Promise.resolve(null);
  await recorded(async () => tool("give", async (text: string) => `${text} ${long}`)("secret args"));
  const [draft] = drafts;
  expect(Math.max(...read)).toBeLessThan(LIMIT);
  expect(draft?.record.call?.result).toMatch(/^\["UNSCANNED_\d+"\]$/);
  expect(draft?.output).toMatch(/^"UNSCANNED_\d+"$/);
  expect(draft?.record.call?.args).toContain("SECRET args");
  expect(draft?.record.redacted?.counts["UNSCANNED"]).toBe(2);
  expect(draft?.record.lossy).toEqual(["redaction: long texts could not be read"]);
});

test.each([
  ["is read there", elsewhere, /^\["SECRET x{65536}"\]$/],
  ["is left out where nobody can read it", () => Promise.resolve(null), /^\["UNSCANNED_65547"\]$/],
])("long input and output of a run: %s", async (_, how, expected) => {
  answers = how;
  await recorded(async () => {}, false, JSON.stringify([`secret ${long}`]));
  expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(LIMIT);
  expect([root.input, root.output]).toEqual([expect.stringMatching(expected), expect.stringMatching(expected)]);
  expect(written).toEqual(["started", "root", "over"]);
});

test("a process that ends while a root is read has it read here", async () => {
  await recorded(async () => {}, true, JSON.stringify([`secret ${long}`]));
  expect(written).toEqual(["started", "root", "over"]);
  expect(root.input).toMatch(/^\["SECRET x/);
});

test("a policy for which there is no other thread is read here", async () => {
  answers = () => null;
  await recorded(async () => tool("give", async () => `secret ${long}`)());
  expect(drafts[0]?.record.call?.result).toContain("SECRET");
});
