import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { startCollectorChild, type CollectorChild } from "./collector-child.ts";
import { copyOf, Laptop, packsIn } from "./laptop.ts";
import { bin, type Ended } from "./reenact.ts";
import { until } from "./running-collector.ts";
import { agent } from "./short-runs.ts";

const golden = new URL("../fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url);
const run: Envelope = readEnvelope(readFileSync(golden));
const ids = ["a", "b"].map((digit) => `${digit}${digit}${digit}${digit}`.padEnd(32, "0"));

const laptop = new Laptop();
let here: string;
let provider: ChildProvider;

beforeAll(async () => {
  here = laptop.folder();
  provider = await startChildProvider({ log: join(here, "provider.jsonl") });
  laptop.later(() => provider.stop());
});
afterAll(() => laptop.clean());

function expectError(ended: Ended, code: string, exit: number): void {
  expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: exit, stdout: "" });
}
async function startUp(store: string, ...more: string[]): Promise<CollectorChild> {
  const command = [bin, "up", "--json", "--port", "0", "--store", store, ...more];
  const up = await startCollectorChild(command, { cwd: here });
  laptop.later(() => up.stop());
  return up;
}

test("up: its runs are listed and read beside those of the store, with its key; the note goes with it", async () => {
  const store = laptop.folder();
  const env = { REENACT_API_KEY: "a-key-for-this-test" };
  const up = await startUp(store, "--token", env.REENACT_API_KEY);
  const ask = (args: string[], given: Record<string, string> = env) =>
    laptop.reenact(here, [...args, "--store", store], given);
  const authorization = `Bearer ${env.REENACT_API_KEY}`;
  const body = Buffer.from(copyOf(run, ids[0]!));
  const headers = { "content-type": "application/x-protobuf" };
  expect((await fetch(`${up.http}/v1/traces`, { method: "POST", headers, body })).status).toBe(401);
  expect(
    (await fetch(`${up.http}/v1/traces`, { method: "POST", headers: { ...headers, authorization }, body })).status,
  ).toBe(200);

  expectError(await ask(["ls"], {}), "REEN-UNAUTHORISED", 4);
  expectError(await ask(["ls", "--token", "wrong"], {}), "REEN-UNAUTHORISED", 4);
  await until("the run", async () => (await ask(["ls"])).stdout.includes(ids[0]!.slice(0, 6)));
  const copy = join(here, "copy.otlp");
  writeFileSync(copy, copyOf(run, ids[1]!, {}, 1000));
  expect((await ask(["import", copy])).code).toBe(0);
  expect((await ask(["ls"])).stdout.split("\n").filter(Boolean)).toHaveLength(2);
  expect((await ask(["show", "@last", "--json"])).stdout).toContain(ids[1]!);
  expect((await ask(["show", "@-2", "--json"])).stdout).toContain(ids[0]!);
  expect((await ask(["show", ids[0]!.slice(0, 5), "--json"])).stdout).toContain(ids[0]!);
  expect((await ask(["rehydrate", ids[0]!])).stdout).toBe(`${ids[0]}\n`);
  const hash = createHash("sha256").update(env.REENACT_API_KEY).digest("hex");
  expect(readFileSync(join(store, "collector/keys.json"), "utf8")).toContain(hash);
  expect(await up.stop()).toBe(0);
  expect((await ask(["ls"], {})).code).toBe(0);
});

test("up: runs that were recorded and replayed before are in the list, are read from their files, and are listed once", async () => {
  const store = laptop.folder();
  const env = { PROVIDER_URL: provider.url };
  const ask = (...args: string[]) => laptop.reenact(here, [args[0]!, "--store", store, ...args.slice(1)], env);
  await ask("run", "--", ...agent, "3");
  await ask("replay", "@last", "--", ...agent, "3");
  const { runs } = JSON.parse((await ask("ls", "--replays", "--json")).stdout) as {
    runs: { run: string; replayOf: string | null }[];
  };
  const [replay, failed] = runs.toSorted((a, b) => Number(a.replayOf === null) - Number(b.replayOf === null));
  const up = await startUp(store);
  const get = async <T>(path: string) => (await (await fetch(`${up.http}/api/v1${path}`)).json()) as T;
  const listed = await get<{ runs: Record<string, unknown>[]; count: object }>("/runs?filter=status:failed");
  expect(listed).toMatchObject({
    runs: [
      { run: replay?.run, replayOf: failed?.run, replay: { verdict: "identical" } },
      { run: failed?.run, state: "sealed", replay: null },
    ],
    count: { value: 2, exact: true },
  });
  expect(await get("/runs?local=false")).toMatchObject({ runs: [] });
  expect(await get(`/runs/${failed?.run.slice(0, 8)}/view`)).toMatchObject({ run: { run: failed?.run }, total: 2 });
  expect(await get(`/diff?a=${failed?.run}&b=${replay?.run}`)).toMatchObject({ summary: null });
  const envelope = await fetch(`${up.http}/api/v1/runs/${failed?.run}/envelope`);
  expect(Buffer.from(await envelope.arrayBuffer())).toEqual(
    readFileSync(join(store, "runs", `${failed?.run}.reenact`)),
  );
  const errors = await get<{ errors: { runs: number; newest: string }[] }>("/errors");
  expect(errors).toMatchObject({ errors: [{ runs: 2, newest: replay?.run, isNew: null }], exact: true });
  const flagged = await fetch(`${up.http}/api/v1/runs/${failed?.run}/flag`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason: "wrong" }),
  });
  expect([flagged.status, await flagged.json()]).toMatchObject([404, { error: { code: "NOT_FOUND" } }]);
  // what is recorded now goes to it; the list of the command line has each run once
  await ask("run", "--", ...agent);
  const now = JSON.parse((await ask("ls", "--json", "--limit", "1")).stdout) as { runs: object[]; count: number };
  expect([now.runs.length, now.count]).toEqual([1, 2]);
  expect(await up.stop()).toBe(0);
});

test("a run beside it goes to it, and is found in the packs when it has stopped", async () => {
  const store = laptop.folder();
  const up = await startUp(store);
  const env = { PROVIDER_URL: provider.url };
  const ask = (...args: string[]) => laptop.reenact(here, [args[0]!, "--store", store, ...args.slice(1)], env);

  const second = await ask("up", "--port", "0");
  expectError(second, "REEN-STORE", 5);
  expect(second.stderr).toContain(`already, at ${up.http}. `);

  const recorded = await ask("run", "--", ...agent);
  const id = /✓ run ([0-9a-f]{6}) /.exec(recorded.stderr)?.[1] ?? "none";
  expect(recorded.stderr).toContain(`run ${id} → ${up.http}\n`);
  expect(existsSync(join(store, "runs"))).toBe(false);
  expect((await ask("keep", "@last")).stdout).toMatch(new RegExp(`^run ${id} `));
  await until("a pack", async () => packsIn(join(store, "packs")).length > 0);
  expect(await up.stop()).toBe(0);

  const packs = join(store, "packs");
  const next = `Next: reenact ls --from ${packs}`;
  expect((await ask("ls")).stderr).toBe(`${packs} holds runs of a collector that has stopped. ${next}\n`);
  const missing = await ask("show", id);
  expectError(missing, "REEN-NO-RUN", 3);
  expect(missing.stderr).toContain(next);
  expect((await ask("ls", "--from", packs)).stdout).toContain(id);
});

test("a run beside one that takes no records without a key stays here, with a line", async () => {
  const store = laptop.folder();
  const up = await startUp(store, "--token", "a-key-for-this-test");
  const args = ["run", "--store", store, "--", ...agent];
  const recorded = await laptop.reenact(here, args, { PROVIDER_URL: provider.url, REENACT_API_KEY: undefined });
  expect(recorded.stderr).toMatch(/^reenact: http:\S+: .*stays in \S+\. Next: set REENACT_API_KEY .*\n✓ run /);
  expect(readdirSync(join(store, "runs"))).toHaveLength(1);
  await up.stop();
});

test("what it received is in its packs when it is stopped at once; what is still open waits, and ls and show say where", async () => {
  const store = laptop.folder();
  const ask = (...args: string[]) => laptop.reenact(here, [args[0]!, "--store", store, ...args.slice(1)]);
  const packs = join(store, "packs");
  for (const id of ids) {
    const up = await startUp(store);
    await up.send(copyOf(run, id));
    expect(await up.stop()).toBe(0);
    expect((await ask("ls", "--from", packs)).stdout).toContain(id.slice(0, 6));
    expect((await ask("ls")).stderr).not.toContain("wait");
  }
  const other = laptop.folder();
  const up = await startUp(other);
  const open = run.spans.find(({ span }) => span !== run.root)!;
  const id = "e".repeat(32);
  await up.send(encodeTraces({ ...open.span, traceId: id, attributes: { "reenact.run.id": id } }, open.scanned));
  await up.stop();
  const waits = `1 run waits in ${join(other, "collector")} for the collector that has stopped to seal them`;
  const next = `Next: reenact up --store ${other}`;
  const at = ["--store", other];
  expect((await laptop.reenact(here, ["ls", ...at])).stderr).toBe(`${waits}. ${next}\n`);
  const missing = await laptop.reenact(here, ["show", "@last", ...at]);
  expectError(missing, "REEN-NO-RUN", 3);
  expect(missing.stderr).toContain(`${waits}. ${next} `);

  const killed = await startUp(other);
  process.kill(killed.pid, "SIGKILL");
  await until("its end", async () => !isAlive(killed.pid));
  expect((await laptop.reenact(here, ["ls", ...at])).stderr).toContain("runs may wait in ");
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
