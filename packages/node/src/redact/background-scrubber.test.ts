import { spawnSync } from "node:child_process";
import { readTexts, type ReadTexts, type StepTexts } from "@reenact/capture/recorder";
import { createScrubber, type ScrubberOptions } from "@reenact/redaction";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type BackgroundScrubber, backgroundScrubber } from "./background-scrubber.ts";

const key = Buffer.alloc(32, 9);
const long = (content: string): string => JSON.stringify([[1], content.repeat(4000)]);
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
    at: null,
  };
}

function opened(options: ScrubberOptions): { scrubber: BackgroundScrubber; reads: () => number } {
  const inner = createScrubber(options);
  let reads = 0;
  const scrub: typeof inner.scrub = (text, hint) => {
    if (text.length > 64 * 1024) reads++;
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
    const given = { exchange, call: null, error: null, lossy: ["a line"], head: null, underWay: false } as never;
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
    const given = { ...texts(""), call: null, exchange: { ...exchange, requestBody: body }, underWay: true };
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
    const asked = scrubber.readElsewhere({ exchange: null, call, error: null, lossy: [], head: null, underWay: false });
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

test("short texts go to the thread when it works and reads nothing long", { timeout: 60_000 }, async () => {
  const { scrubber } = opened({ key });
  // no thread is started for two of them
  expect([scrubber.readsSoon(), scrubber.readsSoon(), scrubber.readsSoon()]).toEqual([false, false, false]);
  for (const until = Date.now() + 30_000; !scrubber.readsSoon() && Date.now() < until;) await sleep(5);
  expect(scrubber.readsSoon()).toBe(true);
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
  await scrubber.readElsewhere(texts(long("mail bob@example.com, ")));
  // where there was one long text there are more, and no short one may keep them
  expect(scrubber.readsSoon()).toBe(false);
});
