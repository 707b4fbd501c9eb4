import { once } from "node:events";
import http, { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { tool } from "../api/tool.ts";
import { recorder } from "../run/recorder.ts";
import { Run } from "../run/run.ts";
import { within } from "../run/context.ts";
import type { Sink } from "../run/sink.ts";
import type { DraftText, ReadDraft, ReadTexts, StepDraft, StepTexts } from "../span/draft.ts";
import { watchFetch } from "../transport/fetch/fetch.ts";
import { installHttp } from "../transport/http/http.ts";
import type { Scrubber } from "./scrubber.ts";
import { elsewhere, marking } from "./other-thread.test.fixture.ts";

const ANSWER = `secret ${"answer ".repeat(4000)}`;
const REQUEST = `secret ${"request ".repeat(3000)}`;
const before = { ...recorder };

let written: string[] = [];
let drafts: (StepDraft<DraftText> & Partial<ReadDraft>)[] = [];
/** texts that this thread has read */
let read: string[] = [];
let asked: StepTexts[] = [];
let version = 0;
let soon = true;
/** texts that the other thread could have been given */
let offers = 0;
/** how the other thread answers */
let answers: (texts: StepTexts) => Promise<ReadTexts | null> = elsewhere;
let undo = (): void => {};

beforeEach(() => {
  [written, drafts, read, asked, version, offers, soon, answers] = [[], [], [], [], 0, 0, true, elsewhere];
  const sink: Sink = {
    started: () => {},
    begin: () => {},
    settle: () => void written.push("settle"),
    yielded: () => undefined,
    answered: () => false,
    request: () => void written.push("request"),
    step(draft) {
      drafts.push(draft);
      return written.push("step") > 0;
    },
    metadata: () => {},
    input: () => {},
    span: () => {},
    over: () => void written.push("over"),
  };
  const scrubber: Scrubber = {
    ...marking((text) => read.push(text)),
    get version() {
      return version;
    },
    unread: (text) => text.length,
    readsSoon() {
      offers++;
      return soon;
    },
    readElsewhere(texts) {
      asked.push(texts);
      return answers(texts);
    },
  };
  // a slow machine is no lagging thread
  Object.assign(recorder, { scrubber, sink, patience: 20_000 });
  undo = installHttp();
});

afterEach(() => {
  undo();
  Object.assign(recorder, before);
});

const text = (value: DraftText | null | undefined): string => Buffer.from(value ?? "").toString();
const longest = (): number => Math.max(0, ...read.map(({ length }) => length));

type Ask = (url: string, body: string, during: () => void) => Promise<string>;

const byFetch: Ask = async (url, body, during) => {
  const response = await watchFetch(globalThis.fetch)(url, { method: "POST", body });
  during();
  return response.text();
};

const byHttp: Ask = (url, body, during) =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", agent: false }, (response) => {
      during();
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => resolve(text));
    });
    request.on("error", reject).end(body);
  });

const WAYS: { name: string; ask: Ask; headers: Record<string, string | number> }[] = [
  { name: "fetch", ask: byFetch, headers: {} },
  { name: "node:http, chunks", ask: byHttp, headers: { "transfer-encoding": "chunked" } },
  { name: "node:http, length", ask: byHttp, headers: { "content-length": ANSWER.length } },
  { name: "node:http, until the connection ends", ask: byHttp, headers: { connection: "close" } },
];

describe.each(WAYS)("over $name", ({ ask, headers }) => {
  /** Runs an agent that asks once; returns what stood in the record when it had the whole answer. */
  async function asks(during: () => void = () => {}, delay = 40, sent = REQUEST): Promise<string[]> {
    const server = createServer((request, response) => {
      response.useChunkedEncodingByDefault = "transfer-encoding" in headers;
      const answer = (): unknown => response.writeHead(200, headers).end(ANSWER);
      request.resume().on("end", () => setTimeout(answer, delay));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const run = new Run({ trigger: "function", name: "test", sequence: 0 });
    run.activate();
    let seen: string[] = [];
    await within(run.frame, async () => {
      expect(await ask(url, sent, during)).toBe(ANSWER);
      seen = [...written];
    });
    run.end({ status: "ok" });
    for (const until = Date.now() + 5000; !written.includes("over") && Date.now() < until;) await sleep(5);
    server.closeAllConnections();
    server.close();
    return seen;
  }

  test("the agent gets the end of an answer when its step is written, which another thread has read", async () => {
    expect(await asks()).toEqual(["request", "step"]);
    expect(longest()).toBeLessThan(1024);
    expect(
      asked.map(({ exchange, head, underWay }) => [exchange?.requestBody?.length, head === null, underWay]),
    ).toEqual([
      [REQUEST.length, true, true],
      // the request is not read again
      [undefined, false, false],
    ]);
    const [draft] = drafts;
    expect(text(draft?.request?.text)).toBe(REQUEST.replace("secret", "SECRET"));
    expect(text(draft?.answer?.text)).toBe(ANSWER.replace("secret", "SECRET"));
    expect(text(draft?.members)).not.toContain("secret");
    expect(draft?.record.redacted?.counts).toEqual({ KEY: 2 });
  });

  test("an answer that comes before its request is read waits for both", async () => {
    const order: string[] = [];
    answers = async (texts) => {
      // until the answer has come whole
      await vi.waitFor(() => expect(offers).toBe(2));
      order.push(texts.underWay ? "request" : "answer");
      return elsewhere(texts);
    };
    expect(await asks(() => {}, 0)).toEqual(["step"]);
    expect(order).toEqual(["request", "answer"]);
    expect(longest()).toBeLessThan(1024);
    expect(text(drafts[0]?.request?.text)).toContain("SECRET");
  });

  test("an answer does not wait for a request that is more than this thread may read", async () => {
    answers = async (texts) => {
      if (texts.underWay) await vi.waitFor(() => expect(written).toContain("settle"));
      return elsewhere(texts);
    };
    expect(await asks(() => {}, 0, REQUEST.repeat(4))).toEqual(["settle"]);
    expect(asked.map(({ underWay, isLong }) => [underWay, isLong])).toEqual([
      [true, true],
      // by then only the answer is to be read
      [false, false],
    ]);
    expect(longest()).toBeLessThan(1024);
    expect(text(drafts[0]?.request?.text)).toBe(REQUEST.repeat(4).replaceAll("secret", "SECRET"));
  });

  test.each<[string, () => void]>([
    ["does not answer", () => ((recorder.patience = 5), (answers = () => new Promise(() => {})))],
    ["cannot read it", () => (answers = () => Promise.resolve(null))],
    ["fails", () => (answers = () => Promise.reject(new Error("gone")))],
    ["lags behind", () => (soon = false)],
  ])("where the other thread %s, this one reads it before the agent gets the end", async (_, happens) => {
    expect((await asks(happens)).at(-1)).toBe("step");
    expect(written).not.toContain("settle");
    expect(text(drafts[0]?.answer?.text)).toBe(ANSWER.replace("secret", "SECRET"));
    expect(longest()).toBe(ANSWER.length);
  });

  test("what became known meanwhile counts: an answer that was read without it is read again", async () => {
    answers = async (texts) => {
      const found = await elsewhere(texts);
      if (!texts.underWay) version++;
      return found;
    };
    expect((await asks()).at(-1)).toBe("step");
    // the version was another one when the step was read: its result is not used
    expect(longest()).toBe(ANSWER.length);
  });
});

test("a run that ends while an answer is read keeps what came, as an answer without its end", async () => {
  const run = new Run({ trigger: "function", name: "test", sequence: 0 });
  run.activate();
  let isAsked = (): void => {};
  const wasAsked = new Promise<void>((resolve) => (isAsked = resolve));
  answers = (texts) => {
    if (!texts.underWay) isAsked();
    return elsewhere(texts);
  };
  const server = createServer((_, response) => void response.end(ANSWER)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const fetch = watchFetch(globalThis.fetch);
  let whole = false;
  const body = within(run.frame, async () => {
    await (await fetch(url)).text();
    whole = true;
  });
  await wasAsked;
  run.end({ status: "aborted", message: "the process ended first" });
  run.finish();
  expect([whole, drafts.length, drafts[0]?.record.exchange?.end]).toEqual([false, 1, "open"]);
  await body;
  await sleep(20);
  expect(drafts).toHaveLength(1);
  server.close();
});

test("an answer whose end the agent no longer waits for is not recorded as a whole one", async () => {
  const run = new Run({ trigger: "function", name: "test", sequence: 0 });
  run.activate();
  const controller = new AbortController();
  const server = createServer((_, response) => void response.end(ANSWER)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const fetch = watchFetch(globalThis.fetch);
  answers = async (texts) => {
    const found = await elsewhere(texts);
    // the turn is in use: the end comes in the next one, and the agent aborts before
    run.source.gate.touch();
    process.nextTick(() => process.nextTick(() => controller.abort()));
    return found;
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await within(run.frame, async () => {
    const response = await fetch(url, { signal: controller.signal });
    await expect(response.text()).rejects.toThrow();
  });
  expect(drafts.map(({ record }) => record.exchange?.end)).toEqual(["cancelled"]);
  expect(longest()).toBe(ANSWER.length);
  run.end({ status: "ok" });
  server.close();
});

describe("a text that a tool returns", () => {
  async function calls(body: () => Promise<unknown>): Promise<{ value: unknown; seen: string[] }> {
    const run = new Run({ trigger: "function", name: "test", sequence: 0 });
    run.activate();
    const value = await within(run.frame, tool("look", body));
    const seen = [...written];
    run.end({ status: "ok" });
    for (const until = Date.now() + 5000; !written.includes("over") && Date.now() < until;) await sleep(5);
    return { value, seen };
  }
  const later = async <T>(value: T): Promise<T> => {
    await sleep(10);
    return value;
  };

  test("is read by another thread, and reaches the agent when its step is written", async () => {
    expect(await calls(() => later(ANSWER))).toEqual({ value: ANSWER, seen: ["request", "step"] });
    expect(longest()).toBeLessThan(1024);
    expect(text(drafts[0]?.members)).toContain("SECRET answer");
    expect(text(drafts[0]?.output)).toBe(JSON.stringify(ANSWER.replace("secret", "SECRET")));
    expect(drafts[0]?.record.redacted?.counts).toEqual({ KEY: 1 });
  });

  test.each<[string, () => void]>([
    ["does not answer", () => ((recorder.patience = 5), (answers = () => new Promise(() => {})))],
    ["cannot read it", () => (answers = () => Promise.resolve(null))],
    ["lags behind", () => (soon = false)],
  ])("is read by this thread before the agent gets it where the other one %s", async (_, happens) => {
    happens();
    expect((await calls(() => later(ANSWER))).seen).toEqual(["request", "step"]);
    expect(longest()).toBeGreaterThan(ANSWER.length);
    expect(JSON.stringify(drafts[0]?.record)).toContain("SECRET answer");
  });

  test("is the only result read ahead: another one the program may change before it is delivered", async () => {
    const list = [ANSWER];
    const { value } = await calls(async () => {
      setTimeout(() => list.push("secret, added"), 12);
      return later(list);
    });
    expect(asked).toEqual([]);
    expect(value).toBe(list);
  });
});
