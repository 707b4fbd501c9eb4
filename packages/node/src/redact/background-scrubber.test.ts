import { spawnSync } from "node:child_process";
import { readTexts, type ReadTexts, type StepTexts } from "@reenact/capture/recorder";
import { createScrubber, type ScrubberOptions } from "@reenact/redaction";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type BackgroundScrubber, backgroundScrubber } from "./background-scrubber.ts";

const key = Buffer.alloc(32, 9);
const long = (content: string): string => JSON.stringify([[1], content.repeat(4000)]);
/** The agent's thread reads no more. UTF-16 units. */
const LONG = 64 * 1024;
const open: BackgroundScrubber[] = [];
afterEach(() => {
  for (const scrubber of open.splice(0)) scrubber.close();
});

/** A tool's arguments. */
function texts(args: string): StepTexts {
  const none = { result: null, error: null, yields: null, generator: null, input: args, output: null, same: null };
  return {
    exchange: null,
    call: { args, sync: false, ...none },
    error: null,
    lossy: [],
    head: null,
    underWay: false,
    isLong: args.length > LONG,
    at: null,
  };
}

function opened(options: ScrubberOptions): { scrubber: BackgroundScrubber; reads: () => number } {
  const inner = createScrubber(options);
  let reads = 0;
  const scrub: typeof inner.scrub = (text, hint) => {
    if (text.length > LONG) reads++;
    return inner.scrub(text, hint);
  };
  const scrubber = backgroundScrubber({ ...inner, scrub }, options);
  open.push(scrubber);
  return { scrubber, reads: () => reads };
}

const text = (bytes: string | Uint8Array | null | undefined): string => Buffer.from(bytes ?? "").toString();
const argsOf = (read: ReadTexts | null): string =>
  (JSON.parse(text(read?.members)) as { call: { args: string } }).call.args;

test("a long step is read by another thread, with the same outcome", { timeout: 60_000 }, async () => {
  const options = { key, known: [{ name: "K", value: "zebra-crossing-77" }] };
  const { scrubber, reads } = opened(options);
  for (let i = 0; i < 5; i++) {
    const args = long(`${i}: bob${i}@example.com zebra-crossing-77, `);
    const read = await scrubber.readElsewhere(texts(args));
    const here = readTexts(texts(args), createScrubber(options));
    expect(argsOf(read)).toBe(here.record.call?.args);
    expect(text(read?.input)).toBe(here.input);
    expect({ ...read?.counts }).toEqual(here.counts);
  }
  expect(reads()).toBe(0);
});

test("an exchange comes back as it is read here: text, bytes, compressed, cut", { timeout: 60_000 }, async () => {
  const { scrubber } = opened({ key });
  const answer = Buffer.from("mail alice@example.com, ".repeat(5000));
  const headers: [string, string][] = [["content-type", "text/plain"]];
  for (const chunks of [[answer], [answer.subarray(0, 1000), answer.subarray(1000)], [Buffer.alloc(100_000, 0xff)]]) {
    const cuts = chunks.map((chunk, at): [number, number, number] => [at, chunk.length, at]);
    const url = "http://provider.test/v1?email=bob@example.com";
    const response = { status: 200, reason: "OK", headers, url, redirected: false, type: "basic", hasBody: true };
    const head = { via: "fetch", method: "POST", url, requestHeaders: headers, requestBody: text(answer) } as const;
    const exchange = { ...head, bodyKnown: true, response, chunks, cuts, end: "complete", error: null } as const;
    const given = {
      exchange,
      call: null,
      error: null,
      lossy: ["a line"],
      head: null,
      underWay: false,
      isLong: true,
    } as never;
    const read = await scrubber.readElsewhere(given);
    const here = readTexts(given, createScrubber({ key }));
    expect(JSON.parse(text(read?.members))).toEqual(JSON.parse(JSON.stringify(here.record)));
    expect(text(read?.request?.text)).toBe(here.request?.text);
    expect(text(read?.answer?.text)).toBe(here.answer?.text ?? "");
    expect(read?.answer?.bytes?.length).toBe(here.answer?.bytes?.length);
    expect(read?.answer?.cuts).toEqual(here.answer?.cuts);
    expect([read?.counts, read?.requestCounts, read?.lossy, read?.head]).toEqual([
      here.counts,
      here.requestCounts,
      here.lossy,
      here.head,
    ]);
  }
});

test(
  "a conversation that the other thread has read goes on here: only what is new is read",
  { timeout: 60_000 },
  async () => {
    const { scrubber } = opened({ key });
    const mime = "application/json";
    const head = { via: "fetch", method: "POST", url: "http://a.test/", requestHeaders: [["content-type", mime]] };
    const exchange = { ...head, bodyKnown: true, response: null, chunks: [], cuts: [], end: null, error: null };
    const messages = [{ content: "mail alice@example.com, ".repeat(4000) }, { content: "bob@example.com" }];
    const body = JSON.stringify({ messages });
    const given = {
      ...texts(""),
      call: null,
      exchange: { ...exchange, requestBody: body },
      underWay: true,
      isLong: true,
    };
    expect(scrubber.unread(body, { mime })).toBe(body.length);
    await scrubber.readElsewhere(given as never);
    const next = JSON.stringify({ messages: [...messages, { content: "carol@example.com" }] });
    expect(scrubber.unread(next, { mime })).toBeLessThan(200);
    expect(scrubber.scrub(next, { mime })).toEqual(createScrubber({ key }).scrub(next, { mime }));
  },
);

test("a value that becomes known meanwhile is found all the same", { timeout: 60_000 }, async () => {
  const { scrubber } = opened({ key });
  scrubber.addKnown("known-from-the-start-1");
  const asked = scrubber.readElsewhere(texts(long("known-from-the-start-1 became-known-later-2, ")));
  scrubber.addKnown("became-known-later-2");
  expect(argsOf((await asked) ?? null)).not.toMatch(/known-from|became-known/);
});

test("a policy that cannot go to another thread is read here", () => {
  const find = (): { start: number; end: number }[] => [];
  const { scrubber } = opened({ key, policy: { detectors: [{ name: "names", type: "NAME", find }] } });
  expect(scrubber.readElsewhere(texts(long("mail alice@example.com, ")))).toBeNull();
});

test("a thread that dies is replaced; a step at which two have died is not read, and others are", async () => {
  const { scrubber } = opened({ key });
  // it has no call and no exchange to read
  const fatal = { ...texts("[[]]"), call: null, underWay: true, exchange: {} } as unknown as StepTexts;
  const [dead, before, after] = [
    scrubber.readElsewhere(fatal),
    scrubber.readElsewhere(texts(long("mail alice@example.com, "))),
    scrubber.readElsewhere(texts(long("mail bob@example.com, "))),
  ];
  expect(await dead).toBeNull();
  expect(argsOf((await before) ?? null)).toMatch(/EMAIL_/);
  expect(argsOf((await after) ?? null)).toMatch(/EMAIL_/);
}, 60_000);

test("where no thread is to be had nothing long is read, and nobody waits for ever", { timeout: 60_000 }, async () => {
  // each thread dies of it when it starts
  const policy = { patterns: [{ type: "SLOW", pattern: "(a+)+b" }] };
  const scrubber = backgroundScrubber(createScrubber({ key }), { key, policy });
  open.push(scrubber);
  const asked = Array.from({ length: 5 }, () => scrubber.readElsewhere(texts(long("mail alice@example.com, "))));
  expect(await Promise.all(asked)).toEqual([null, null, null, null, null]);
  expect(await scrubber.readElsewhere(texts(long("mail alice@example.com, ")))).toBeNull();
});

test("the thread does not keep a process", { timeout: 60_000 }, () => {
  const program = `
    import { createScrubber } from "@reenact/redaction";
    import { backgroundScrubber } from "${new URL("background-scrubber.ts", import.meta.url).href}";
    const options = { key: Buffer.alloc(32, 9) };
    const scrubber = backgroundScrubber(createScrubber(options), options);
    const args = JSON.stringify(["mail alice@example.com, ".repeat(4000)]);
    const call = { args, result: null, error: null, yields: null, input: null, output: null };
    const asked = scrubber.readElsewhere({ exchange: null, call, error: null, lossy: [], head: null, underWay: false, isLong: true });
    setTimeout(() => {}, 1000); // long enough for the thread to be there
    console.log(asked === null ? "not asked" : "asked");`;
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--conditions=@reenact/source", "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, timeout: 20_000, encoding: "utf8" },
  );
  expect({ stdout, status }).toEqual({ stdout: "asked\n", status: 0 });
});

test(
  "a long text is scrubbed by another thread as it is here, with what becomes known meanwhile",
  { timeout: 60_000 },
  async () => {
    const { scrubber, reads } = opened({ key });
    const line = "mail bob@example.com or zebra-crossing-77, ".repeat(4000);
    const first = scrubber.scrubElsewhere(line);
    scrubber.addKnown("zebra-crossing-77");
    const here = createScrubber({ key, known: [{ name: "K", value: "zebra-crossing-77" }] }).scrub(line).text;
    expect(await first).toBe(here);
    expect(await scrubber.scrubElsewhere(line)).toBe(here);
    expect(reads()).toBe(0);
  },
);

/** Asks as capture does until the thread for short texts works. */
async function starts(scrubber: BackgroundScrubber): Promise<void> {
  for (const until = Date.now() + 30_000; !scrubber.readsSoon() && Date.now() < until;) await sleep(5);
  expect(scrubber.readsSoon()).toBe(true);
}

test("short texts go to their thread when it works and does not lag behind", { timeout: 60_000 }, async () => {
  const { scrubber } = opened({ key });
  // no thread is started for two of them
  expect([scrubber.readsSoon(), scrubber.readsSoon(), scrubber.readsSoon()]).toEqual([false, false, false]);
  await starts(scrubber);
  const short = scrubber.readElsewhere(texts("mail alice@example.com"));
  expect(scrubber.readsSoon()).toBe(true);
  await short;
  void scrubber.readElsewhere(texts("mail carol@example.com"));
  const until = performance.now() + 30;
  while (performance.now() < until);
  // nobody has heard an answer for so long
  expect(scrubber.readsSoon()).toBe(false);
  await scrubber.readElsewhere(texts("mail dave@example.com"));
  expect(scrubber.readsSoon()).toBe(true);
  // a long text is read by another thread: no short one stands behind it, nor is refused because of it
  const long4000 = scrubber.readElsewhere(texts(long("mail bob@example.com, ")));
  expect(scrubber.readsSoon()).toBe(true);
  await long4000;
  expect(scrubber.readsSoon()).toBe(true);
});

test(
  "a short step that is asked for after long ones is answered before they are done",
  { timeout: 60_000 },
  async () => {
    const { scrubber } = opened({ key });
    await starts(scrubber);
    // both threads work
    await scrubber.readElsewhere(texts(long("mail bob@example.com, ")));
    const order: string[] = [];
    const ask = async (name: string, args: string): Promise<void> => {
      const read = await scrubber.readElsewhere(texts(args));
      expect(argsOf(read)).toMatch(/EMAIL_/);
      order.push(name);
    };
    const megabytes = (from: number): string =>
      JSON.stringify([Array.from({ length: 100_000 }, (_, i) => `mail bob${from + i}@example.com, `).join("")]);
    await Promise.all([
      ask("long 1", megabytes(0)),
      ask("long 2", megabytes(1e6)),
      ask("short 1", '[["mail alice@example.com"]]'),
      ask("short 2", '[["mail carol@example.com"]]'),
    ]);
    expect(order).toEqual(["short 1", "short 2", "long 1", "long 2"]);
  },
);

test("a thread takes over what the other one has found in a long conversation", { timeout: 60_000 }, async () => {
  const inner = createScrubber({ key });
  let isMarked = false;
  const beginning: typeof inner.beginning = (given, hint) => {
    const begun = inner.beginning?.(given, hint) ?? null;
    if (begun === null || !isMarked) return begun;
    return { ...begun, changes: begun.changes.map((change) => ({ ...change, with: "EMAIL_handedover" })) };
  };
  const scrubber = backgroundScrubber({ ...inner, beginning }, { key });
  open.push(scrubber);
  await starts(scrubber);
  const mime = "application/json";
  const head = { via: "fetch", method: "POST", url: "http://a.test/", requestHeaders: [["content-type", mime]] };
  const exchange = { ...head, bodyKnown: true, response: null, chunks: [], cuts: [], end: null, error: null };
  const messages = Array.from({ length: 20 }, (_, i) => ({ content: `bob${i}@example.com `.repeat(400) }));
  const ask = async (isLong: boolean): Promise<{ body: string; read: string }> => {
    messages.push({ content: `carol${messages.length}@example.com` });
    const body = JSON.stringify({ messages });
    const given = { ...texts(""), call: null, exchange: { ...exchange, requestBody: body }, underWay: true, isLong };
    return { body, read: text((await scrubber.readElsewhere(given as never))?.request?.text) };
  };
  for (const isLong of [true, false, false, true]) {
    const { body, read } = await ask(isLong);
    expect(read).toBe(createScrubber({ key }).scrub(body, { mime }).text);
    expect(scrubber.unread(body, { mime })).toBeLessThan(200);
  }
  // now with a mark in what is handed over. The long thread has read the last text: the short one lacks the end of it
  isMarked = true;
  const { body, read } = await ask(false);
  const own = createScrubber({ key }).scrub(body, { mime }).text;
  expect(read).not.toBe(own);
  expect(read.replaceAll(/EMAIL_\w+/g, "")).toBe(own.replaceAll(/EMAIL_\w+/g, ""));
  expect(read.match(/EMAIL_handedover/g)).toHaveLength(20 * 400 + 4);
});

test("a value that becomes known is found by both threads", { timeout: 60_000 }, async () => {
  const { scrubber } = opened({ key });
  await starts(scrubber);
  await scrubber.readElsewhere(texts(long("mail bob@example.com, ")));
  const asked = [
    scrubber.readElsewhere(texts(long("became-known-later-2, "))),
    scrubber.readElsewhere(texts('[["became-known-later-2"]]')),
  ];
  scrubber.addKnown("became-known-later-2");
  for (const read of await Promise.all(asked)) expect(argsOf(read)).toMatch(/SECRET_/);
  for (const args of [long("and became-known-later-2, "), '[["and became-known-later-2"]]'])
    expect(argsOf(await scrubber.readElsewhere(texts(args)))).not.toContain("became");
});

test("a thread that dies takes no text of the other one with it", { timeout: 60_000 }, async () => {
  const { scrubber } = opened({ key });
  await starts(scrubber);
  for (const isLong of [true, false]) {
    const fatal = { ...texts("[[]]"), call: null, underWay: true, exchange: {}, isLong } as unknown as StepTexts;
    const other = isLong ? '[["mail alice@example.com"]]' : long("mail alice@example.com, ");
    const [dead, read] = await Promise.all([scrubber.readElsewhere(fatal), scrubber.readElsewhere(texts(other))]);
    expect(dead).toBeNull();
    expect(argsOf(read)).toMatch(/EMAIL_/);
  }
  await starts(scrubber);
});

test("a closed one leaves its texts to the agent's thread", async () => {
  const { scrubber } = opened({ key });
  const asked = scrubber.readElsewhere(texts(long("mail alice@example.com, ")));
  scrubber.close();
  expect(await asked).toBeNull();
  expect(scrubber.readElsewhere(texts(long("mail alice@example.com, ")))).toBeNull();
  expect(scrubber.scrubElsewhere("mail alice@example.com")).toBeNull();
  expect(scrubber.readsSoon()).toBe(false);
});
