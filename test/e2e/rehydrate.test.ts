import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Laptop, packsIn, sealedIn } from "./laptop.ts";
import { Store } from "./reenact.ts";
import { requestOf } from "./running-collector.ts";

const programs = fileURLToPath(new URL("../programs", import.meta.url));
const desk = [process.execPath, join(programs, "forwarded-desk.mjs")];
const KEY = "5e".repeat(32);
const several = [process.execPath, join(programs, "concurrent-agents.mjs")];

const production = new Store();
const laptop = new Laptop();
let env: { PROVIDER_URL: string };
/** of a desk that failed, and of one process with several runs */
let failed: Envelope;
let together: Envelope[];

beforeAll(async () => {
  const provider = await startProvider();
  env = { PROVIDER_URL: provider.url };
  const keyed = { ...env, REENACT_REDACTION_KEY: KEY };
  try {
    const read = (run: string) => readEnvelope(readFileSync(production.path(run)));
    failed = read((await production.run(desk, { env: keyed })).summary.run!);
    together = (await production.run(several, { env: keyed })).summary.runs.map(read);
  } finally {
    await provider.stop();
  }
});
afterEach(() => laptop.clean());
afterAll(() => production.remove());

test("from an agent in production, through a collector that is gone, to an identical replay without key and network", async () => {
  const there = laptop.folder();
  const packs = join(there, "store");
  const collector = await laptop.collector(there);
  const provider = await startProvider();
  const sent = { ...env, PROVIDER_URL: provider.url, REENACT_REDACTION_KEY: KEY, REENACT_ENDPOINT: collector.http };
  const { summary, stderr } = await production.run(desk, { env: sent });
  expect(summary, stderr).toMatchObject({ sentTo: collector.http, waiting: 0, exitCode: 3 });
  const run = summary.run!;
  await sealedIn(collector, 1);
  const answer = await fetch(`${collector.http}/api/v1/runs/${run}/envelope`);
  const { content } = readEnvelope(new Uint8Array(await answer.arrayBuffer())).header;
  expect(await collector.stop()).toBe(0);
  await provider.stop();

  const here = laptop.folder();
  const ended = await laptop.reenact(here, ["rehydrate", run.slice(0, 8), "--from", packs, "--json"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ended.stdout)).toEqual({
    schemaVersion: 1,
    run,
    runs: [run],
    skipped: [],
    left: 0,
    from: packs,
    store: ".reenact",
  });
  const file = readEnvelope(readFileSync(join(here, ".reenact/runs", `${run}.reenact`)));
  expect(file.header.content).toBe(content);
  expect(readdirSync(join(here, ".reenact")).toSorted()).toEqual([".gitignore", "runs"]);

  const { code, report, stdout } = await laptop.replay(here, [run.slice(0, 6)], desk, {
    PROVIDER_URL: sent.PROVIDER_URL,
  });
  // this machine has no key of the recording
  expect(report).toMatchObject({
    verdict: "identical (1 value by place)",
    recorded: 7,
    live: 0,
    refused: 0,
    socketsRefused: 0,
  });
  expect([code, stdout]).toEqual([0, "2\n400\n"]);
});

test("replay of a remote run fetches it, and the other runs of its process come along", async () => {
  const there = laptop.folder();
  const collector = await laptop.collector(there);
  for (const run of together) await collector.send(requestOf(run));
  await sealedIn(collector, together.length);
  const ids = together.map(({ id }) => id);
  const here = laptop.folder();
  const served = await laptop.replay(here, [ids[0]!, "--server", collector.http], several, env);
  expect(served.report, served.stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
  expect(served.code).toBe(0);
  expect(served.stderr).toContain(`run ${ids[0]!.slice(0, 6)} from ${collector.http}`);
  const held = readdirSync(join(here, ".reenact/runs")).map((name) => name.slice(0, 32));
  expect(held).toEqual(expect.arrayContaining(ids));

  const link = `${collector.http}/api/v1/runs/${ids[0]}`;
  const only = await laptop.reenact(laptop.folder(), ["rehydrate", link, "--only"]);
  expect([only.code, only.stdout], only.stderr).toEqual([0, `${ids[0]}\n`]);
});

test("a failed run is still there, and replays, when short has expired", async () => {
  const there = laptop.folder();
  const first = await laptop.collector(there, { REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: "0" });
  await first.send(requestOf(failed));
  await first.send(requestOf(together[0]!));
  await sealedIn(first, 2);
  expect(packsIn(join(there, "store"))).toHaveLength(2);
  await first.stop();

  const clock = fileURLToPath(new URL("../shift-clock.mjs", import.meta.url));
  const sweeping = { CLOCK_SHIFT_MS: String(40 * 86_400_000), REENACT_COLLECTOR_RETENTION_SWEEP_EVERY: "50ms" };
  const later = await laptop.collector(there, sweeping, clock);
  await sealedIn(later, 1);
  const server = ["--server", later.http];
  const gone = await laptop.reenact(there, ["show", together[0]!.id, ...server]);
  expect(gone.stderr).toMatch(
    /it has expired \(short is kept 30 days, sample 180 days\)\. Next: .* \[REEN-NO-RUN\]\n$/,
  );
  const plan = await laptop.reenact(there, ["retention", ...server, "--json"]);
  expect(JSON.parse(plan.stdout)).toMatchObject({ stays: { short: { runs: 0 }, keep: { runs: 1 } } });
  const { code, report } = await laptop.replay(laptop.folder(), [failed.id, ...server], desk, env);
  expect([code, report.verdict, report.socketsRefused]).toEqual([0, "identical (1 value by place)", 0]);
});
