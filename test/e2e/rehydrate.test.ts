import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { type CollectorChild, collectorBin, startCollectorChild } from "./collector-child.ts";
import { bin, type Ended, launch, Store } from "./reenact.ts";
import { requestOf, until } from "./running-collector.ts";

const programs = fileURLToPath(new URL("../programs", import.meta.url));
const desk = [process.execPath, join(programs, "forwarded-desk.mjs")];
const several = [process.execPath, join(programs, "concurrent-agents.mjs")];
const KEY = "a-key-that-stays-in-production";

const production = new Store();
let url: string;
/** of a desk that failed, and of one process with several runs */
let failed: Envelope;
let together: Envelope[];

beforeAll(async () => {
  const provider = await startProvider();
  ({ url } = provider);
  const env = { PROVIDER_URL: url, REENACT_REDACTION_KEY: KEY };
  try {
    const read = (run: string) => readEnvelope(readFileSync(production.path(run)));
    failed = read((await production.run(desk, { env })).summary.run!);
    together = (await production.run(several, { env })).summary.runs.map(read);
  } finally {
    await provider.stop();
  }
});
afterAll(() => production.remove());

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "reenact-rehydrate-"));
  undo.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Place {
  readonly cwd: string;
  readonly packs: string;
  start(more?: { env?: Record<string, string>; preload?: string }): Promise<CollectorChild>;
}

function place(): Place {
  const cwd = folder();
  const packs = join(cwd, "store");
  const start: Place["start"] = async ({ env = {}, preload } = {}) => {
    const command = preload === undefined ? [collectorBin] : ["--import", preload, collectorBin];
    const folders = { REENACT_COLLECTOR_DATA: join(cwd, "data"), REENACT_COLLECTOR_STORE: packs };
    const started = await startCollectorChild(command, { cwd, env: { ...folders, ...env } });
    undo.push(() => started.stop());
    return started;
  };
  return { cwd, packs, start };
}

const sealedIn = (collector: CollectorChild, count: number) =>
  until(`${count} sealed runs`, async () => {
    const { runs } = await collector.get<{ runs: unknown[] }>("/api/v1/runs?filter=state:sealed");
    return runs.length === count;
  });

/** The command in a folder with neither key nor provider. */
const reenact = (cwd: string, ...args: string[]): Promise<Ended> =>
  launch([process.execPath, bin, ...args], {
    cwd,
    env: { REENACT_REDACTION_KEY: undefined, REENACT_STORE: undefined },
  });

async function replayed(cwd: string, reference: string, command: string[], ...flags: string[]) {
  const report = join(cwd, "report.json");
  const ended = await launch(
    [process.execPath, bin, "replay", reference, ...flags, "--json-file", report, "--", ...command],
    { cwd, env: { PROVIDER_URL: url, REENACT_REDACTION_KEY: undefined, REENACT_STORE: undefined } },
  );
  if (!existsSync(report)) throw new Error(`no report; exit ${ended.code}: ${ended.stderr}`);
  return { ...ended, report: JSON.parse(readFileSync(report, "utf8")) as Record<string, unknown> };
}

/** The same spans as another run, with other attributes on its root. */
function copyOf({ root, spans }: Envelope, run: string, more: Record<string, unknown> = {}, laterMs = 0): Uint8Array {
  const later = BigInt(laterMs) * 1_000_000n;
  const pieces = spans.map(({ span, scanned }) => {
    const attributes = { ...span.attributes, "reenact.run.id": run, ...(span === root && more) };
    const moved = { startUnixNano: span.startUnixNano + later, endUnixNano: span.endUnixNano + later };
    return encodeTraces({ ...span, ...moved, traceId: run, attributes }, scanned);
  });
  return Buffer.concat(pieces);
}

test("from an agent in production, through a collector that is gone, to an identical replay without key and network", async () => {
  const { packs, start } = place();
  const collector = await start();
  await collector.send(requestOf(failed));
  await sealedIn(collector, 1);
  expect(await collector.stop()).toBe(0);

  const laptop = folder();
  const ended = await reenact(laptop, "rehydrate", failed.id.slice(0, 8), "--from", packs, "--json");
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ended.stdout)).toEqual({
    schemaVersion: 1,
    run: failed.id,
    runs: [failed.id],
    skipped: [],
    from: packs,
    store: ".reenact",
  });
  const here = readEnvelope(readFileSync(join(laptop, ".reenact/runs", `${failed.id}.reenact`)));
  expect(here.header.content).toBe(failed.header.content);

  const { code, report, stdout } = await replayed(laptop, failed.id.slice(0, 6), desk);
  expect(report).toMatchObject({ verdict: "identical", recorded: 7, live: 0, refused: 0, sockets: 0 });
  expect([code, stdout]).toEqual([0, "2\n400\n"]);
  expect(readdirSync(join(laptop, ".reenact")).toSorted()).not.toContain("redaction.key");
});

test("replay of a remote run fetches it; the other runs of its process come along, and every one of them replays", async () => {
  const { packs, start } = place();
  const collector = await start();
  for (const run of together) await collector.send(requestOf(run));
  await sealedIn(collector, together.length);
  const laptop = folder();
  const [first] = together;
  const served = await replayed(laptop, first!.id, several, "--server", collector.http);
  expect(served.report, served.stderr).toMatchObject({ verdict: "identical", sockets: 0 });
  expect(served.code).toBe(0);
  expect(served.stderr).toContain(`run ${first!.id.slice(0, 6)} from ${collector.http}`);
  const held = readdirSync(join(laptop, ".reenact/runs")).map((name) => name.slice(0, 32));
  expect(held).toEqual(expect.arrayContaining(together.map(({ id }) => id)));
  await collector.stop();

  const other = folder();
  const only = await reenact(other, "rehydrate", first!.id, "--from", packs, "--only");
  expect([only.code, only.stdout]).toEqual([0, `${first!.id}\n`]);
  const all = await reenact(other, "rehydrate", first!.id, "--from", packs);
  expect(all.stdout.trim().split("\n").toSorted()).toEqual(together.map(({ id }) => id).toSorted());
});

test("the earlier runs of a session come with a run, the later ones do not", async () => {
  const { packs, start } = place();
  const collector = await start();
  const ids = ["a", "b", "c"].map((digit) => digit.repeat(32));
  const own = { ...failed.root!.attributes };
  const facts = (n: number) => ({
    "session.id": "session-7",
    "reenact.root": String(own["reenact.root"]).replace(/"instance":"[^"]*"/, `"instance":"process-${n}"`),
  });
  for (const [n, id] of ids.entries()) await collector.send(copyOf(failed, id, facts(n), n * 1000));
  await sealedIn(collector, 3);
  const ask = (cwd: string, ...where: string[]) => reenact(cwd, "rehydrate", ids[1]!, ...where);
  expect((await ask(folder(), "--server", collector.http)).stdout.trim().split("\n")).toEqual([ids[0], ids[1]]);
  await collector.stop();
  expect((await ask(folder(), "--from", packs)).stdout.trim().split("\n")).toEqual([ids[0], ids[1]]);
});

test("a failed run is still there, and replays, when short has expired", async () => {
  const { cwd, packs, start } = place();
  const first = await start({ env: { REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: "0" } });
  await first.send(requestOf(failed));
  await first.send(requestOf(together[0]!));
  await sealedIn(first, 2);
  const kept = globSync("v1/runs/*/**/*", { cwd: packs, withFileTypes: true }).filter((each) => each.isFile());
  expect(kept).toHaveLength(2);
  await first.stop();

  const clock = fileURLToPath(new URL("shifted-clock.mjs", import.meta.url));
  const sweeping = { CLOCK_SHIFT_MS: String(40 * 86_400_000), REENACT_COLLECTOR_RETENTION_SWEEP_EVERY: "50ms" };
  const later = await start({ preload: clock, env: sweeping });
  await sealedIn(later, 1);
  const gone = await reenact(cwd, "show", together[0]!.id, "--server", later.http);
  expect(gone.stderr).toMatch(
    /it has expired \(short is kept 30 days, sample 180 days\)\. Next: .* \[REEN-NO-RUN\]\n$/,
  );
  const plan = await reenact(cwd, "retention", "--server", later.http, "--json");
  expect(JSON.parse(plan.stdout)).toMatchObject({ stays: { short: { runs: 0 }, keep: { runs: 1 } } });
  const { code, report } = await replayed(folder(), failed.id, desk, "--server", later.http);
  expect([code, report["verdict"], report["sockets"]]).toEqual([0, "identical", 0]);
});

test("a damaged pack is a named error, and nothing is written", async () => {
  const { packs, start } = place();
  const collector = await start();
  await collector.send(requestOf(failed));
  await sealedIn(collector, 1);
  await collector.stop();
  const [pack] = globSync("v1/runs/keep/**/*", { cwd: packs, withFileTypes: true }).filter((each) => each.isFile());
  const path = join(pack!.parentPath, pack!.name);
  const bytes = readFileSync(path);
  const laptop = folder();
  const flip = (at: number) => {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    writeFileSync(path, changed);
  };

  flip(Math.floor(bytes.length / 2));
  const payload = await reenact(laptop, "rehydrate", failed.id, "--from", packs);
  expect(payload.stderr).toMatch(new RegExp(`^reenact: ${packs}: .*${failed.id}.* \\[REEN-DAMAGED\\]\\n$`));
  expect([payload.code, payload.stdout]).toEqual([3, ""]);

  flip(bytes.length - 60);
  const index = await reenact(laptop, "rehydrate", failed.id, "--from", packs);
  expect(index.stderr).toMatch(
    /pack v1\/runs\/keep\/.* \[REEN-DAMAGED\]\n.*of which 1 pack cannot be read.* \[REEN-NO-RUN\]\n$/,
  );
  expect(index.code).toBe(3);
  expect(existsSync(join(laptop, ".reenact/runs"))).toBe(false);
});

test("from files: what export wrote, a sealed run, and what is neither", async () => {
  const laptop = folder();
  const otlp = join(laptop, "run.otlp");
  await production.command("export", failed.id, "--otlp", "--as-is", "-o", otlp);
  expect((await reenact(laptop, "rehydrate", "run.otlp")).stdout).toBe(`${failed.id}\n`);
  expect((await reenact(laptop, "rehydrate", production.path(together[0]!.id))).stdout).toBe(`${together[0]!.id}\n`);
  const { report } = await replayed(laptop, failed.id, desk);
  expect(report["verdict"]).toBe("identical");

  const cut = readFileSync(production.path(failed.id));
  writeFileSync(join(laptop, "cut.reenact"), cut.subarray(0, cut.length - 20));
  mkdirSync(join(laptop, "empty"));
  for (const [args, code] of [
    [["./cut.reenact"], "REEN-TRUNCATED"],
    [["./none.otlp"], "REEN-NO-FILE"],
    [["beef"], "REEN-USAGE"],
    [["beef", "--from", "empty"], "REEN-NO-RUN"],
    [["beef", "--from", "nowhere"], "REEN-NO-STORE"],
    [["yesterday", "--from", "empty"], "REEN-USAGE"],
    [["s3://bucket/runs"], "REEN-USAGE"],
    [["ftp://host/beef"], "REEN-USAGE"],
    [["s3://Not-A-Bucket/beef"], "REEN-NO-STORE"],
  ] as const) {
    const ended = await reenact(laptop, "rehydrate", ...args);
    expect(ended.stderr, args.join(" ")).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
    expect([ended.code, ended.stdout]).toEqual([3, ""]);
  }
});
