import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeTraces, scanTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCollectorChild, type CollectorChild } from "./collector-child.ts";
import { copyOf, Laptop } from "./laptop.ts";
import { bin, type Ended } from "./reenact.ts";
import { until } from "./running-collector.ts";

const golden = new URL("../fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url);
const run: Envelope = readEnvelope(readFileSync(golden));
const EACH = 60;
const FAILED = { "reenact.run.status": "failed" };
/** Every second run is here, the others are there; the newest one is here. */
const hereIds = Array.from({ length: EACH }, (_, n) =>
  `aaaa${(2 * n + 1).toString(16).padStart(4, "0")}`.padEnd(32, "0"),
);
const thereIds = Array.from({ length: EACH }, (_, n) => `aaaa${(2 * n).toString(16).padStart(4, "0")}`.padEnd(32, "1"));
const newestFirst = hereIds.flatMap((here, n) => [thereIds[n]!, here]).toReversed();

const laptop = new Laptop();
let store: string;
let up: CollectorChild;

beforeAll(async () => {
  store = laptop.folder();
  mkdirSync(join(store, "runs"));
  for (const [n, id] of hereIds.entries()) putHere(id, (2 * n + 1) * 1000, n === EACH - 1 ? FAILED : {});
  up = await startCollectorChild([bin, "up", "--json", "--port", "0", "--store", store], { cwd: store });
  laptop.later(() => up.stop());
  for (const [n, id] of thereIds.entries()) await up.send(copyOf(run, id, n === 3 ? FAILED : {}, 2 * n * 1000));
  // it stays open: its root never comes
  const open = run.spans.find(({ span }) => span !== run.root)!;
  const id = openId();
  const attributes = { "reenact.run.id": id };
  const old = { startUnixNano: open.span.startUnixNano - 10n ** 12n, endUnixNano: open.span.endUnixNano - 10n ** 12n };
  await up.send(encodeTraces({ ...open.span, ...old, traceId: id, attributes }, open.scanned));
  await until("the runs there", async () => {
    // a page of one is sure of their number once they are packed
    const { count } = await up.get<{ count: { value: number; exact: boolean } }>("/api/v1/runs?limit=1&local=false");
    return count.value === EACH + 1 && count.exact;
  });
});
afterAll(() => laptop.clean());

const openId = (): string => "eeee".padEnd(32, "2");
const reenact = (...args: string[]): Promise<Ended> => laptop.reenact(store, [...args, "--store", store]);

function putHere(id: string, laterMs: number, facts: Record<string, unknown> = {}): void {
  const spans = scanTraces(copyOf(run, id, facts, laterMs));
  writeFileSync(join(store, "runs", `${id}.reenact`), writeEnvelope({ spans, run: id }).bytes);
}
interface Page {
  runs: { run: string }[];
  next: string | null;
  count: number | null;
}
async function page(...args: string[]): Promise<Page> {
  const ended = await reenact("ls", "--json", ...args);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout) as Page;
}
async function pages(...args: string[]): Promise<Page[]> {
  const found: Page[] = [];
  for (let after: string[] = []; ; after = ["--after", found.at(-1)!.next!]) {
    found.push(await page(...args, ...after));
    if (found.at(-1)!.next === null) return found;
    expect(found.length).toBeLessThan(30);
  }
}
const idsOf = (found: readonly Page[]): string[] => found.flatMap(({ runs }) => runs.map((each) => each.run));
function expectError(ended: Ended, code: string): void {
  expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 3, stdout: "" });
}

test("ls tells that there are more, and its pages hold every run of both places once, the open one too", async () => {
  const ended = await reenact("ls", "--limit", "7");
  expect(ended.stdout.trim().split("\n")).toHaveLength(7);
  expect(ended.stderr).toMatch(/^more: --after \S+\n$/);
  const found = await pages("--limit", "13");
  expect(found[0]!.count).toBe(2 * EACH + 1);
  expect(found.every(({ runs }) => runs.length <= 13)).toBe(true);
  expect(idsOf(found)).toEqual([...newestFirst, openId()]);
  const whole = await page("--limit", "500");
  expect([idsOf([whole]), whole.next, whole.count]).toEqual([idsOf(found), null, 2 * EACH + 1]);
});

test("ls of a collector alone gives at most --limit runs a page, and its pages hold every run once", async () => {
  const found = await pages("--server", up.http, "--limit", "7");
  expect(found.every(({ runs }) => runs.length <= 7)).toBe(true);
  expect(idsOf(found)).toEqual([...thereIds.toReversed(), openId()]);
});

test("a run that is in both places is listed once", async () => {
  const id = thereIds[5]!;
  putHere(id, 10_000);
  expect(idsOf(await pages("--limit", "50"))).toEqual([...newestFirst, openId()]);
});

test("--filter holds for the runs of both places, whatever it asks for", async () => {
  expect(idsOf([await page("--filter", "status:failed")])).toEqual([hereIds.at(-1), thereIds[3]]);
  expect(idsOf([await page("--filter", "status:failed")])).toEqual(idsOf([await page("--status", "failed")]));
  const tool = idsOf([await page("--filter", "tool:*", "--limit", "500")]);
  expect(tool.length === 0 ? 0 : tool.length).toBe(
    idsOf([await page("--filter", "tool:*", "--limit", "500", "--server", up.http)]).length * 2,
  );
  const started = Number(run.manifest.started.slice(0, -6)) + 117_500;
  expect(idsOf([await page("--filter", `started>${started} state:sealed`)])).toEqual(newestFirst.slice(0, 2));
  const words = run.root!.name;
  expect(idsOf([await page("--filter", `"${words}"`, "--limit", "500")])).toEqual(newestFirst);
});

test("keep and flag mean the run that show means, and are refused where it is only here", async () => {
  const newest = hereIds.at(-1)!;
  expect((await reenact("show", "@failed", "--json")).stdout).toContain(newest);
  for (const args of [
    ["keep", "@failed"],
    ["keep", "@last"],
    ["flag", "@last", "wrong"],
    ["keep", newest],
  ]) {
    const refused = await reenact(...args);
    expectError(refused, "REEN-USAGE");
    expect(refused.stderr).toContain(`run ${newest.slice(0, 8)} is only in ${store}, not in ${up.http}: `);
  }
  const { runs } = await up.get<{ runs: { flags: string[] }[] }>("/api/v1/runs?filter=rule:pinned");
  expect(runs).toEqual([]);
  expect((await reenact("keep", "@-2", "--json")).stdout).toContain(thereIds.at(-1)!);
  // here and there: what is there is meant
  expect((await reenact("keep", thereIds[5]!, "--json")).stdout).toContain(thereIds[5]!);
  expect((await reenact("keep", "@last", "--server", up.http, "--json")).stdout).toContain(thereIds.at(-1)!);
  expectError(await reenact("rehydrate", "@last"), "REEN-USAGE");
});

test("digits that begin a run here and another one there name none of them, for any command", async () => {
  putHere("bbbb1".padEnd(32, "0"), 0);
  await up.send(copyOf(run, "bbbb2".padEnd(32, "0")));
  for (const args of [
    ["show", "bbbb"],
    ["keep", "bbbb"],
    ["flag", "bbbb", "x"],
    ["export", "bbbb", "--json"],
  ]) {
    const refused = await reenact(...args);
    expectError(refused, "REEN-AMBIGUOUS");
    expect(refused.stderr).toMatch(/bbbb1000.*bbbb2000/);
  }
  expect((await reenact("show", "bbbb1", "--json")).code).toBe(0);
});

test("every id that ls prints names that one run, and fewer digits of it are refused with candidates", async () => {
  const ended = await reenact("ls", "--limit", "500");
  const shown = ended.stdout.split("\n").flatMap((line) => /^\S+ +([0-9a-f]+) /.exec(line)?.[1] ?? []);
  expect(shown.map((short) => newestFirst.filter((id) => id.startsWith(short)).length)).toEqual(
    shown.map((short) => (short.startsWith("aaaa") ? 1 : 0)),
  );
  const short = shown.find((each) => thereIds[7]!.startsWith(each))!;
  const served = await reenact("show", short, "--server", up.http);
  expect(served.stdout).toContain(`Next: reenact show ${short} --store `);
  for (const place of [[], ["--server", up.http], ["--from", join(store, "packs")]]) {
    const refused = await reenact("show", "aaaa", ...place);
    expectError(refused, "REEN-AMBIGUOUS");
    expect(refused.stderr.match(/aaaa[0-9a-f]{8,}/g)?.length).toBeGreaterThan(1);
  }
});
