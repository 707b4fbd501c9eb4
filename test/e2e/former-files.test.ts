import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { type Recorded, type Replayed } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/effects/keeps-state.mjs");
const folder = mkdtempSync(join(tmpdir(), "former-files-"));
const cwd = join(folder, "work");
/** where the program keeps the file that it makes the path of by itself */
const own = join(cwd, "own");
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;
const recorded: Recorded[] = [];

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  mkdirSync(own, { recursive: true });
  for (let n = 0; n < 3; n++) {
    writeFileSync(join(cwd, "todo.txt"), `to do ${n}`);
    writeFileSync(join(cwd, "large.txt"), "x".repeat(300_000));
    recorded.push(await store.run([process.execPath, program, "", own], { env, cwd }));
  }
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const replay = (n: number, options: { edit?: string; cwd?: string; folder?: string; flags?: string[] } = {}) =>
  store.replay(recorded[n]?.summary.run ?? "", [process.execPath, program, options.edit ?? "", options.folder ?? own], {
    env,
    cwd: options.cwd ?? cwd,
    flags: options.flags ?? [],
  });

const seen = ({ code, report, stdout }: Replayed): unknown => ({
  code,
  verdict: report.verdict,
  divergence: report.divergence,
  stdout,
});

const LARGE =
  "large.txt: what it held before the recorded run wrote it (300000 bytes) is not in the record; the program finds it as it lies here";

test.each([0, 1, 2])("run %i finds its files as they were, whatever later runs have made of them", async (n) => {
  writeFileSync(join(cwd, "large.txt"), "x".repeat(300_000));
  const replayed = await replay(n);
  expect(replayed.stderr).toBe(recorded[n]?.stderr);
  expect(seen(replayed)).toEqual({
    code: 0,
    verdict: "identical",
    divergence: null,
    stdout: recorded[n]?.stdout,
  });
  expect(replayed.report.notes).toContain(LARGE);
  expect(JSON.parse(readFileSync(join(own, "own.json"), "utf8"))).toMatchObject({ runs: 3 });
});

test("without the originals a program that takes redacted values apart diverges, and is told why", async () => {
  const replayed = await replay(1, { flags: ["--no-vault"] });
  expect(replayed.code).toBe(10);
  expect(replayed.report.divergence?.cause).toContain("redact");
});

test.each([
  ["own", "own/own.json: other content"],
  ["here", "here.json: other content"],
  ["large", "large.txt was written when recorded, is not now"],
])("%s: another content is told", async (edit, cause) => {
  const { code, report } = await replay(2, { edit });
  expect({ code, verdict: report.divergence?.verdict }).toEqual({ code: 10, verdict: "files-changed" });
  expect(report.divergence?.cause).toContain(cause);
});

test("in another working directory files are found where the program looks for them", async () => {
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "large.txt"), "x".repeat(300_000));
  const replayed = await replay(2, { cwd: elsewhere });
  expect(seen(replayed)).toEqual({ code: 0, verdict: "identical", divergence: null, stdout: recorded[2]?.stdout });
});

test("files beside a program that was started from its own folder, and was moved, are found there", async () => {
  const [before, after] = [join(folder, "before"), join(folder, "after")];
  const started = async (place: string, from: string, run?: string): Promise<Recorded | Replayed> => {
    mkdirSync(join(place, "bin"), { recursive: true });
    mkdirSync(join(place, "turns"), { recursive: true });
    copyFileSync(program, join(place, "bin", "agent.mjs"));
    copyFileSync(join(program, "../../turns/model.mjs"), join(place, "turns", "model.mjs"));
    const command = [process.execPath, join(place, "bin", "agent.mjs")];
    return run === undefined ? store.run(command, { env, cwd: from }) : store.replay(run, command, { env, cwd: from });
  };
  mkdirSync(before);
  for (const place of [before, folder]) writeFileSync(join(place, "large.txt"), "large");
  await started(before, before);
  writeFileSync(join(before, "large.txt"), "large");
  const second = (await started(before, before)) as Recorded;
  const replayed = (await started(after, folder, second.summary.run ?? "")) as Replayed;
  expect(seen(replayed)).toEqual({ code: 0, verdict: "identical", divergence: null, stdout: second.stdout });
});
