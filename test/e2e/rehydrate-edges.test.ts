import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { copyOf, Laptop, packsIn, sealedIn } from "./laptop.ts";
import { Store } from "./reenact.ts";
import { requestOf } from "./running-collector.ts";

const agent = [process.execPath, fileURLToPath(new URL("../programs/short-agent.mjs", import.meta.url))];
const production = new Store();
const laptop = new Laptop();
let env: { PROVIDER_URL: string };
let run: Envelope;

beforeAll(async () => {
  const provider = await startProvider();
  env = { PROVIDER_URL: provider.url };
  const { summary } = await production.run(agent, { env });
  run = readEnvelope(readFileSync(production.path(summary.run!)));
  await provider.stop();
});
afterEach(() => laptop.clean());
afterAll(() => production.remove());

test("the earlier runs of a session come with a run, the later ones do not", async () => {
  const there = laptop.folder();
  const collector = await laptop.collector(there);
  const ids = ["a", "b", "c"].map((digit) => digit.repeat(32));
  const root = String(run.root!.attributes["reenact.root"]);
  const facts = (n: number) => ({
    "session.id": "session-7",
    "reenact.root": root.replace(/"instance":"[^"]*"/, `"instance":"process-${n}"`),
  });
  for (const [n, id] of ids.entries()) await collector.send(copyOf(run, id, facts(n), n * 1000));
  await sealedIn(collector, 3);
  const ask = async (...where: string[]) => {
    const { stdout } = await laptop.reenact(laptop.folder(), ["rehydrate", ids[1]!, ...where]);
    return stdout.trim().split("\n");
  };
  expect(await ask("--server", collector.http)).toEqual([ids[0], ids[1]]);
  await collector.stop();
  expect(await ask("--from", join(there, "store"))).toEqual([ids[0], ids[1]]);
  expect(await ask("--from", join(there, "store"), "--only")).toEqual([ids[1]]);
});

test("a damaged pack is a named error, and nothing is written", async () => {
  const there = laptop.folder();
  const packs = join(there, "store");
  const collector = await laptop.collector(there);
  await collector.send(requestOf(run));
  await sealedIn(collector, 1);
  await collector.stop();
  const path = packsIn(packs)[0]!;
  const bytes = readFileSync(path);
  const here = laptop.folder();
  const flip = (at: number) => {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    writeFileSync(path, changed);
    return laptop.reenact(here, ["rehydrate", run.id, "--from", packs]);
  };

  const payload = await flip(Math.floor(bytes.length / 2));
  expect(payload.stderr).toMatch(new RegExp(`^reenact: ${packs}: .*${run.id}.* \\[REEN-DAMAGED\\]\\n$`));
  expect([payload.code, payload.stdout]).toEqual([3, ""]);
  const index = await flip(bytes.length - 60);
  expect(index.stderr).toMatch(
    /pack v1\/runs\/.* \[REEN-DAMAGED\]\n.*of which 1 pack cannot be read.* \[REEN-NO-RUN\]\n$/,
  );
  expect(index.code).toBe(3);
  expect(existsSync(join(here, ".reenact/runs"))).toBe(false);
});

test("from files: what export wrote, a sealed run, and what is neither", async () => {
  const here = laptop.folder();
  const otlp = join(here, "run.otlp");
  await production.command("export", run.id, "--otlp", "--as-is", "-o", otlp);
  expect((await laptop.reenact(here, ["rehydrate", "run.otlp"])).stdout).toBe(`${run.id}\n`);
  const { report } = await laptop.replay(here, [run.id], agent, env);
  expect(report.verdict).toBe("identical");
  expect((await laptop.reenact(here, ["rehydrate", production.path(run.id)])).stdout).toBe(`${run.id}\n`);

  const cut = readFileSync(production.path(run.id));
  writeFileSync(join(here, "cut.reenact"), cut.subarray(0, cut.length - 20));
  mkdirSync(join(here, "empty"));
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
    const ended = await laptop.reenact(here, ["rehydrate", ...args]);
    expect(ended.stderr, args.join(" ")).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
    expect([ended.code, ended.stdout]).toEqual([3, ""]);
  }
});
