import { spawnSync } from "node:child_process";
import { createScrubber, type ScrubberOptions } from "@reenact/redaction";
import { afterEach, expect, test } from "vitest";
import { type BackgroundScrubber, backgroundScrubber } from "./background-scrubber.ts";

const key = Buffer.alloc(32, 9);
const mime = "application/json";
const long = (content: string): string => JSON.stringify({ messages: [{ content: content.repeat(4000) }] });
const open: BackgroundScrubber[] = [];
afterEach(() => {
  for (const scrubber of open.splice(0)) scrubber.close();
});

/** How often the scrubber behind it was asked for a long text is counted. */
function scrubberWith(options: ScrubberOptions): { scrubber: BackgroundScrubber; reads: () => number } {
  const inner = createScrubber(options);
  let reads = 0;
  const counting: typeof inner = {
    ...inner,
    scrub(text, hint) {
      if (text.length > 64 * 1024) reads++;
      return inner.scrub(text, hint);
    },
  };
  const scrubber = backgroundScrubber(counting, options);
  open.push(scrubber);
  return { scrubber, reads: () => reads };
}

/** However busy the machine is, the thread answers within this. */
const LONG_MS = 30_000;

/** The thread takes a moment to start. */
async function warm(scrubber: BackgroundScrubber): Promise<void> {
  await scrubber.prepare(long("mail carol@example.com, "), { mime }, LONG_MS);
}

test("a long text is read by another thread, with the same outcome", { timeout: 60_000 }, async () => {
  const { scrubber, reads } = scrubberWith({ key, known: [{ name: "K", value: "zebra-crossing-77" }] });
  await warm(scrubber);
  for (let i = 0; i < 10; i++) {
    const text = long(`${i}: bob${i}@example.com zebra-crossing-77, `);
    await scrubber.prepare(text, { mime }, LONG_MS);
    const seen = scrubber.scrub(text, { mime });
    expect(seen).toEqual(
      createScrubber({ key, known: [{ name: "K", value: "zebra-crossing-77" }] }).scrub(text, { mime }),
    );
  }
  expect(reads()).toBe(0);
});

test("a value that becomes known meanwhile is found all the same", { timeout: 60_000 }, async () => {
  const { scrubber } = scrubberWith({ key });
  scrubber.addKnown("known-from-the-start-1");
  await warm(scrubber);
  const text = long("known-from-the-start-1 became-known-later-2, ");
  const asked = scrubber.prepare(text, { mime });
  scrubber.addKnown("became-known-later-2");
  await asked;
  expect(scrubber.scrub(text, { mime }).text).not.toMatch(/known-from|became-known/);
  await scrubber.prepare(text, { mime });
  expect(scrubber.scrub(text, { mime }).text).not.toMatch(/known-from|became-known/);
});

test("short texts, and long ones of which little is new, are not handed over", async () => {
  const { scrubber } = scrubberWith({ key });
  expect(scrubber.prepare("short")).toBeNull();
  const messages = [{ content: "x".repeat(200_000) }, { content: "y" }];
  scrubber.scrub(JSON.stringify({ messages }), { mime });
  expect(scrubber.prepare(JSON.stringify({ messages: [...messages, { content: "z" }] }), { mime })).toBeNull();
  expect(scrubber.prepare(JSON.stringify({ messages: [{ content: "q" }, ...messages] }), { mime })).not.toBeNull();
});

test(
  "a request may wait longer; who waits for the same text is not a second question",
  { timeout: 60_000 },
  async () => {
    const { scrubber, reads } = scrubberWith({ key });
    const text = long("mail alice@example.com, ");
    const first = scrubber.prepare(text, { mime }, LONG_MS);
    // the thread is not there yet: this one goes away with nothing
    await scrubber.prepare(text, { mime }, 0);
    await first;
    expect(scrubber.prepare(text, { mime })).toBeNull();
    expect(scrubber.scrub(text, { mime }).text).not.toContain("alice");
    expect(reads()).toBe(0);
  },
);

test("an answer that nobody waits for any more is not kept", { timeout: 60_000 }, async () => {
  const { scrubber, reads } = scrubberWith({ key });
  const text = long("mail alice@example.com, ");
  await scrubber.prepare(text, { mime }, 0);
  scrubber.scrub(text, { mime });
  expect(reads()).toBe(1);
  await warm(scrubber);
  scrubber.scrub(text, { mime });
  expect(reads()).toBe(2);
});

test("a policy that cannot go to another thread is no loss", async () => {
  const find = (): { start: number; end: number }[] => [];
  const { scrubber, reads } = scrubberWith({ key, policy: { detectors: [{ name: "names", type: "NAME", find }] } });
  const text = long("mail alice@example.com, ");
  expect(scrubber.prepare(text, { mime })).toBeNull();
  expect(scrubber.scrub(text, { mime }).text).not.toContain("alice");
  expect(reads()).toBe(1);
});

test("the thread does not keep a process", { timeout: 60_000 }, () => {
  const program = `
    import { createScrubber } from "@reenact/redaction";
    import { backgroundScrubber } from "${new URL("background-scrubber.ts", import.meta.url).href}";
    const options = { key: Buffer.alloc(32, 9) };
    const scrubber = backgroundScrubber(createScrubber(options), options);
    const asked = scrubber.prepare("mail alice@example.com, ".repeat(4000), {});
    setTimeout(() => {}, 1000); // long enough for the thread to be there
    console.log(asked === null ? "not asked" : "asked");`;
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--conditions=@reenact/source", "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, timeout: 20_000, encoding: "utf8" },
  );
  expect({ stdout, status }).toEqual({ stdout: "asked\n", status: 0 });
});

test("who would stand behind two others does not wait, but for a request", { timeout: 60_000 }, async () => {
  const { scrubber, reads } = scrubberWith({ key });
  const [first, second, third] = ["first", "second", "third"].map((name) => long(`${name} mail alice@example.com, `));
  const waits = [first, second].map((text) => scrubber.prepare(text as string, { mime }, LONG_MS));
  expect(scrubber.prepare(third as string, { mime })).toBeNull();
  expect(scrubber.prepare(second as string, { mime })).not.toBeNull();
  waits.push(scrubber.prepare(third as string, { mime }, LONG_MS));
  await Promise.all(waits);
  expect(scrubber.scrub(third as string, { mime }).text).not.toContain("alice");
  expect(reads()).toBe(0);
  // what is read here meanwhile is still before the thread, which is told nothing of that
  const large = ["fourth", "fifth"].map((name) => long(`${name} mail alice@example.com, ${"and more ".repeat(100)}`));
  await Promise.all(large.map((text) => scrubber.prepare(text, { mime }, 0)));
  for (const text of large) scrubber.scrub(text, { mime });
  expect(scrubber.prepare(long("sixth mail alice@example.com, "), { mime })).toBeNull();
});
