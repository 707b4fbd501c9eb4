import { randomInt } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { JOURNAL_START, type Position } from "../../journal.ts";
import { numberedBody, numberOf } from "../../numbered-body.test.fixture.ts";

const POINTS = [
  "create:before",
  "create:after",
  "write:before",
  "write:half",
  "write:after",
  "sync:before",
  "sync:after",
  "syncFolder:before",
  "syncFolder:after",
  "truncate:before",
  "truncate:after",
  "close:before",
  "close:after",
  "remove:before",
  "remove:after",
];

const level = process.env["TEST_SCALE"] ?? "small";
/** for every point, for kills and for power losses alike: journals, and how often each of them dies */
const rounds = level === "full" ? 120 : level === "ci" ? 2 : 1;
const deaths = level === "small" ? 1 : 3;

// a journal opens its thread some thousand times: from plain JavaScript that takes a third of the time
const compiled = mkdtempSync(join(tmpdir(), "crash-built-"));
const source = join(import.meta.dirname, "../../..");
for (const name of globSync("{journal/*,journal/drivers/local/*,log}.ts", { cwd: source, exclude: ["**/*.test.ts"] })) {
  const text = stripTypeScriptTypes(readFileSync(join(source, name), "utf8"));
  mkdirSync(dirname(join(compiled, name)), { recursive: true });
  writeFileSync(join(compiled, name.replace(/\.ts$/, ".js")), text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}
writeFileSync(join(compiled, "package.json"), '{"type":"module"}');
const { createLocalJournal } = (await import(
  pathToFileURL(join(compiled, "journal/drivers/local/local-journal.js")).href
)) as typeof import("./local-journal.ts");

afterAll(() => {
  rmSync(compiled, { recursive: true, force: true });
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crash-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What the senders of one journal know. */
interface Sent {
  next: number;
  acknowledged: Map<number, Position>;
  refused: Set<number>;
}

const open = (plan: Record<string, string | number> | null) =>
  createLocalJournal({
    folder,
    minFreeBytes: 0,
    ringBytes: 32 * 1024,
    segmentBytes: 20_000,
    lingerMs: 0,
    ...(plan && {
      files: `${pathToFileURL(join(compiled, "journal/drivers/local/crash-files.test.fixture.js")).href}?${new URLSearchParams(text(plan))}`,
    }),
  });

const text = (plan: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(plan).map(([name, value]) => [name, String(value)]));

/** As often a sender goes on behind a last body that was refused. */
const MORE = 20;

/**
 * Four senders, each of so many bodies, and on until one is taken, or until the journal has died. False: it would not open.
 */
async function load(plan: Record<string, string | number> | null, sent: Sent, each: number): Promise<boolean> {
  let journal: Awaited<ReturnType<typeof open>>;
  try {
    journal = await open(plan);
  } catch {
    return false;
  }
  let dead = false;
  const sender = async () => {
    let refused = false;
    for (let count = 0; !dead && (count < each || (refused && count < each + MORE)); count++) {
      const number = sent.next++;
      try {
        const entry = { tenant: "t", kind: 1, receivedAt: number, body: numberedBody(number) };
        sent.acknowledged.set(number, await journal.append(entry));
        refused = false;
      } catch (error) {
        refused = true;
        sent.refused.add(number);
        dead = (error as { code?: string }).code === "CLOSED";
      }
    }
  };
  await Promise.all([sender(), sender(), sender(), sender()]);
  await journal.close();
  return true;
}

/** Every acknowledged body is there where it was said to be, byte for byte, once; and nothing that was never sent. */
async function judge(sent: Sent): Promise<number> {
  const journal = await open(null);
  await journal.close();
  const seen = new Set<number>();
  let last = JOURNAL_START;
  for await (const { body, position, tenant } of journal.read(JOURNAL_START)) {
    const number = numberOf(body);
    expect(number).toBeLessThan(sent.next);
    expect(seen.has(number), `${number} twice`).toBe(false);
    seen.add(number);
    expect(numberedBody(number).equals(body), `bytes of ${number}`).toBe(true);
    expect(tenant).toBe("t");
    expect(last < position).toBe(true);
    last = position;
    const said = sent.acknowledged.get(number);
    if (said) expect(position).toEqual(said);
  }
  for (const number of sent.acknowledged.keys()) expect(seen.has(number), `${number} was acknowledged`).toBe(true);
  return seen.size;
}

describe.each(["worker", "power"])("%s dies", (fate) => {
  // in the small run every point is tried with one of the two
  const points = POINTS.filter((_, at) => level !== "small" || (at % 2 === 0) === (fate === "power"));
  test.each(points)("at %s", { timeout: 600_000 }, async (point) => {
    let crashes = 0;
    for (let round = 0; round < rounds; round++) {
      rmSync(folder, { recursive: true, force: true });
      const sent: Sent = { next: 0, acknowledged: new Map(), refused: new Set() };
      // each death meets what the one before has left
      for (let death = 0; death < deaths; death++) {
        const atStart = /^(truncate|remove)/.test(point);
        const often = /^(write|sync:)/.test(point);
        // a tail to cut, a segment without a record to remove
        if (point.startsWith("truncate")) await load({ point: "write:half", fate: "worker", count: 3 }, sent, 3);
        else await load(null, sent, point.startsWith("remove") ? 0 : 1);
        const plan = { point, fate, count: atStart ? 1 : randomInt(1, often ? 8 : 4), seed: randomInt(2 ** 31 - 1) };
        const opened = await load(plan, sent, 10);
        if (!opened || sent.refused.size > 0 || point.startsWith("close")) crashes++;
        sent.refused.clear();
      }
      await judge(sent);
    }
    expect(crashes).toBeGreaterThan(0);
    process.stdout.write(`journal: ${fate} died ${crashes} times at ${point}\n`);
  });
});

describe.each(level === "small" ? ["ENOSPC"] : ["ENOSPC", "EIO"])("%s", (fate) => {
  test.each(["create:before", "write:before", "write:half", "sync:before", "syncFolder:before", "truncate:before"])(
    "at %s: refused, nothing lost before, and it goes on afterwards",
    { timeout: 600_000 },
    async (point) => {
      for (let round = 0; round < rounds; round++) {
        rmSync(folder, { recursive: true, force: true });
        const sent: Sent = { next: 0, acknowledged: new Map(), refused: new Set() };
        const plan = { point, fate, count: randomInt(3, 9), times: randomInt(1, 4) };
        // a truncate comes only after another failure: what it leaves is refused and unreadable
        if (!(await load(plan, sent, 25))) continue;
        expect(sent.acknowledged.size + sent.refused.size).toBe(sent.next);
        if (point !== "truncate:before") expect(sent.refused.size).toBeGreaterThan(0);
        // the last ones were sent when the disk took something again
        expect(sent.acknowledged.has(sent.next - 1)).toBe(true);
        await judge(sent);
      }
      expect(readdirSync(folder).filter((name) => name.endsWith(".damaged"))).toEqual([]);
    },
  );
});
