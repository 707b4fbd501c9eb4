import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { scale } from "../scale.ts";
import { golden } from "../services/made-runs.ts";
import { type CollectorChild, collectorBin, startCollectorChild } from "./collector-child.ts";
import { collectorSetUp } from "./collector-set-up.ts";
import { copyOf } from "./laptop.ts";
import { recordDesk, requestOf, until } from "./running-collector.ts";

const DAY = 86_400_000;
const clock = new URL("../shift-clock.mjs", import.meta.url).href;

let desk: Envelope;
let folder: string;
let collector: CollectorChild;
beforeAll(async () => void (desk = await recordDesk()));
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "reenact-retention-"))));
afterEach(async () => {
  await collector?.kill();
  rmSync(folder, { recursive: true, force: true });
});

interface Row {
  readonly run: string;
  readonly class: string;
  readonly bytes: number;
}
const list = () => collector.get<{ runs: Row[] }>("/api/v1/runs").then(({ runs }) => runs);
const digestOf = async (run: string) => {
  const answer = await fetch(`${collector.http}/api/v1/runs/${run}/envelope`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return answer.status === 200 ? readEnvelope(bytes).header.content : answer.status;
};

test("what has expired goes, with its row; failed and flagged runs stay, also in a catalog that is made again", async () => {
  const setUp = collectorSetUp(folder);
  const rules = join(folder, "rules.json");
  const sampled = { name: "some", class: "sample", when: { attribute: { name: "app.kind", equals: "sampled" } } };
  writeFileSync(rules, JSON.stringify({ rules: [sampled] }));
  const retention = { rules, sampleShare: 0, sweepEvery: 500 };
  const config = join(folder, "config.json");
  const settings = { data: join(folder, "data"), ...setUp.settings, assemble: { settle: 300 }, retention };
  writeFileSync(config, JSON.stringify(settings));
  /** Stops the collector, and starts it again with a clock that is so many days ahead. */
  async function goOn(days: number): Promise<void> {
    await collector?.stop();
    const env = { NODE_OPTIONS: `--import ${clock}`, CLOCK_SHIFT_MS: String(days * DAY) };
    collector = await startCollectorChild([collectorBin, "--config", config], { cwd: folder, env });
    const ready = async () => (await fetch(`${collector.http}/readyz`)).ok;
    await until("every part", ready, 60_000);
  }
  const ids = { flagged: "b".repeat(32), sampled: "c".repeat(32), plain: "d".repeat(32) };

  await goOn(0);
  await collector.send(requestOf(desk));
  await collector.send(copyOf(golden, ids.flagged));
  await collector.send(copyOf(golden, ids.sampled, { "app.kind": "sampled" }));
  await collector.send(copyOf(golden, ids.plain));
  const isPacked = (rows: readonly Row[]) => rows.length === 4 && rows.every(({ bytes }) => bytes > 0);
  await until("all runs in packs", async () => isPacked(await list()), 60_000);
  const flag = await fetch(`${collector.http}/api/v1/runs/${ids.flagged}/flag`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason: "wrong row" }),
  });
  expect(flag.status).toBe(200);
  const classes = async () => Object.fromEntries((await list()).map((row) => [row.run, row.class]));
  const all = { [desk.id]: "keep", [ids.flagged]: "keep", [ids.sampled]: "sample", [ids.plain]: "short" };
  await until("the flag", async () => (await classes())[ids.flagged] === "keep");
  expect(await classes()).toEqual(all);
  const digests = new Map(await Promise.all(Object.keys(all).map(async (run) => [run, await digestOf(run)] as const)));

  const { [ids.plain]: _plain, ...longer } = all;
  const { [ids.sampled]: _sampled, ...kept } = longer;
  const steps = [
    // the day on which it was received does not count
    [29, all],
    [32, longer],
    [179, longer],
    [182, kept],
    [4_000, kept],
  ] as const;
  const isShort = scale(true, true, false);
  for (const [days, left] of isShort ? [steps[0], steps[1], steps[3]] : steps) {
    await goOn(days);
    const gone = Object.keys(all).filter((run) => !(run in left));
    await until(`${gone.length} runs gone`, async () => (await list()).length === 4 - gone.length, 60_000);
    expect(await classes(), `day ${days}`).toEqual(left);
    for (const run of Object.keys(all))
      expect(await digestOf(run), `day ${days}`).toBe(run in left ? digests.get(run) : 404);
  }
  await collector.stop();
  await setUp.loseCatalog();
  const last = isShort ? 182 : 4_000;
  await goOn(last);
  // a topic that still has what has expired is read from its begin: that is sealed, and goes with the next sweep
  const isAsBefore = async () => isDeepStrictEqual(await classes(), kept);
  await until("the runs that are kept, and no other", isAsBefore, 60_000);
  process.stdout.write(`retention: 4 runs of 3 classes over ${last} days, by the clock of the process\n`);
}, 600_000);
