import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createMemoryJournal } from "../journal/memory-journal.test.fixture.ts";
import { createLog } from "../log.ts";
import type { Clock } from "./clock.ts";
import { openDeadLetters } from "./dead-letters.ts";
import { type ForwarderOptions, startForwarder } from "./forwarder.ts";
import { createJournalSource } from "./journal-source.ts";
import { createPost, type PostOptions } from "./post-otlp.ts";
import { sampleTraces, spanId } from "./sample-traces.test.fixture.ts";
import { type SeenRequest, type ScriptedAnswer, startDestination } from "./scripted-destination.test.fixture.ts";
import { viewOf } from "@reenact/envelope/transfer";

type Script = (request: SeenRequest, number: number) => ScriptedAnswer | Promise<ScriptedAnswer>;
export const OK = { status: 200 };
export const HOUR = 3_600_000;

export let folder: string;
const closing: (() => Promise<void> | void)[] = [];
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "forward-"))));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Time passes as fast as it is slept. */
export function fastClock(start = 1_000_000): Clock & { slept: number[] } {
  let time = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    async sleep(ms) {
      slept.push(ms);
      time += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

interface Setup extends Partial<ForwarderOptions>, Partial<Pick<PostOptions, "timeout">> {
  clock?: Clock;
  maxBytes?: number;
  letterBytes?: number;
  batchBytes?: number;
  redact?: (body: Uint8Array) => Promise<Uint8Array>;
  url?: string;
  authorization?: string;
}

export async function setUp(script: Script, setup: Setup = {}) {
  const destination = await startDestination(script);
  const journal = createMemoryJournal();
  const lines: { level: string; event: string }[] = [];
  const log = createLog({ write: (line) => void lines.push(JSON.parse(line) as never) });
  const clock = setup.clock ?? fastClock();
  const saved: string[] = [];
  const post = createPost({
    url: setup.url ?? destination.url,
    headers: { authorization: setup.authorization ?? "Bearer secret" },
    compression: "gzip",
    timeout: setup.timeout ?? 5000,
    now: clock.now,
  });
  const start = async () => {
    const forwarder = startForwarder(
      { name: "sink", giveUpAfter: 24 * HOUR, maxBehindBytes: 1e12, ...setup },
      {
        source: createJournalSource(journal, log, { linger: 20, batchBytes: setup.batchBytes ?? 1_000_000 }),
        post,
        view: viewOf({ view: "full", bytesAsText: true }),
        redact: setup.redact ?? null,
        clock,
        log,
        letters: await openDeadLetters(join(folder, "letters"), setup.letterBytes ?? 1_000_000),
        maxBytes: setup.maxBytes ?? 1_000_000,
        prices: null,
        random: () => 0.5,
        cursor: { load: () => Promise.resolve(saved.at(-1) ?? null), save: async (each) => void saved.push(each) },
      },
    );
    closing.push(() => forwarder.close());
    return forwarder;
  };
  closing.push(
    () => destination.close(),
    () => post.close(),
  );
  const receive = (n: number, at = clock.now(), traces = sampleTraces(n)) =>
    journal.append({ tenant: "default", kind: 1, receivedAt: at, body: traces });
  return { destination, journal, lines, clock, saved, start, receive };
}

export async function until(condition: () => boolean, what = "condition"): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`${what} did not come true`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => spanId(from + at));
