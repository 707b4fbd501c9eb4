import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { type Recorded, type Replayed } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/effects/writes-output.mjs");
const folder = mkdtempSync(join(tmpdir(), "effects-output-"));
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;
let recorded: Recorded;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  recorded = await store.run([process.execPath, program], { env });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const replay = (...args: string[]): Promise<Replayed> =>
  store.replay(recorded.summary.run ?? "", [process.execPath, program, ...args], { env });

test("unchanged code is identical: what a served tool prints is not expected, and warnings name another process", async () => {
  const { code, report } = await replay();
  expect({ code, divergence: report.divergence, findings: report.findings }).toEqual({
    code: 0,
    divergence: null,
    findings: [],
  });
});

test("the first line of standard output that differs is shown", async () => {
  const { code, report } = await replay("text");
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ verdict: "output-changed", cause: expect.stringContaining("line 2") });
  expect(report.divergence?.recorded).toMatch(/^question: /);
  expect(report.divergence?.now).toMatch(/^question: [^a-z]*$/);
});

test("a changed line of standard error is a divergence of its own", async () => {
  const { code, report } = await replay("error");
  expect(code).toBe(10);
  expect(report.divergence?.verdict).toBe("missing");
  expect(report.findings).toContain("stderr-changed");
});

test("what a tool body prints that runs in a replay is compared", async () => {
  const { report } = await replay("composite");
  expect(report.divergence).toMatchObject({
    verdict: "output-changed",
    recorded: "a sum",
    now: "another sum",
    cause: expect.stringContaining("of sum"),
  });
});

test("output that comes before the answer of a call that is no longer awaited is a divergence", async () => {
  const { code, stdout, report } = await replay("unawaited");
  expect(stdout).toContain("done\n");
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ verdict: "output-changed" });
  expect(report.divergence?.cause).toMatch(
    /`done` .* was written before the answer of step 5 was delivered; when recorded, after it/,
  );
});

test("an error that nobody catches is part of standard error", async () => {
  const { report } = await replay("throw");
  expect(report.divergence?.cause).toContain("TypeError: thrown at the end");
  expect(report.findings).toContain("stderr-changed");
});

test("lines behind those that are kept are compared by their digests", async () => {
  const long = await store.run([process.execPath, program, "long"], { env });
  const again = (edit: string) => store.replay(long.summary.run ?? "", [process.execPath, program, edit], { env });
  expect((await again("long")).report.verdict).toBe("identical");
  expect((await again("")).report.divergence).toMatchObject({ recorded: "row 0", now: "done" });
  const late = (await again("long-late")).report.divergence;
  expect(late).toMatchObject({ cause: expect.stringContaining("line 2503"), now: "another row" });
});
