import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { decodeValue } from "@reenact/envelope";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { type Recorded, difference } from "./trial.ts";

const programs = join(import.meta.dirname, "../programs");
const nested = join(programs, "nested.mjs");
const concurrent = join(programs, "concurrent-agents.mjs");
const folder = mkdtempSync(join(tmpdir(), "divergence-nested-"));
const store = new Store();
let env: Record<string, string>;
let recorded: Recorded;
let agents: Recorded;
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
  recorded = await store.run([process.execPath, nested], { env, input: "yes, do\nbecause\n" });
  agents = await store.run([process.execPath, concurrent], { env });
  await provider.stop();
});

afterAll(() => {
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe("sub-agents, branches, steps, questions, generators", () => {
  const processRun = (): string => {
    const found = recorded.summary.runs.find(
      (run) => readEnvelope(readFileSync(store.path(run))).facts?.trigger === "process",
    );
    if (found === undefined) throw new Error("no process run");
    return found;
  };
  const replay = (...args: string[]) =>
    store.replay(processRun(), [process.execPath, nested, ...args.slice(0, 1)], {
      env,
      flags: ["--timeout", "20", ...args.slice(1)],
    });

  test("the terminal is asked while recording", () => {
    expect(recorded.code).toBe(0);
    expect(recorded.stdout).toContain("yes, do\nbecause\n");
  });

  test("they replay identically, and nobody is asked", async () => {
    const replayed = await replay("");
    expect(difference({ ...recorded, stderr: "" }, replayed) ?? "").toBe("");
  });

  test("the inner steps of a served tool are covered, those of a composite one are served", async () => {
    const { report } = await replay("", "--serve", "composite");
    expect(report.calls.filter(({ verdict }) => verdict === "covered").length).toBeGreaterThan(0);
    expect(report.missing).toBe(0);
  });

  test("a changed prompt inside a composite tool is named there", async () => {
    const { code, report } = await replay("inner");
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ verdict: "changed", pointer: "/messages/0/content" });
    expect(report.divergence?.slot).toContain("tool:composite");
  });

  test("a question that is not asked any more is missing", async () => {
    const { code, report } = await replay("unasked");
    expect(code).toBe(10);
    expect(report.divergence).toMatchObject({ verdict: "missing" });
    expect(report.divergence?.slot).toContain("input:reason");
  });

  test("a sensitive value is nowhere in the record", async () => {
    const { stdout } = await store.command("export", processRun(), "--json");
    expect(stdout).toContain("the word is");
    expect(stdout).not.toContain("swordfish-9-4-1");
  });
});

describe("concurrent agent() runs", () => {
  test("each is a run of its own, and each replays by command beside the others", async () => {
    const runs = agents.summary.runs.filter(
      (run) => readEnvelope(readFileSync(store.path(run))).facts?.trigger === "function",
    );
    expect(runs).toHaveLength(3);
    for (const run of runs) {
      const { code, stdout, report } = await store.replay(run, [process.execPath, concurrent], {
        env,
        flags: ["--timeout", "20"],
      });
      expect({ code, stdout, divergence: report.divergence }).toEqual({
        code: 0,
        stdout: agents.stdout,
        divergence: null,
      });
      expect(report.steps).toBe(6);
    }
  });

  test("each replays in process, alone, with what it returned", async () => {
    const { replay } = await import("@reenact/replay");
    process.argv[2] = "import";
    process.env["PROVIDER_URL"] = env["PROVIDER_URL"];
    const { answer } = (await import(concurrent)) as { answer: (name: string) => Promise<string> };
    for (const run of agents.summary.runs) {
      const envelope = readEnvelope(readFileSync(store.path(run)));
      if (envelope.facts?.trigger !== "function") continue;
      const replayed = await replay(store.path(run), answer, { timeoutMs: 10_000 });
      expect({ verdict: replayed.verdict, divergence: replayed.divergence }).toEqual({
        verdict: "identical",
        divergence: null,
      });
      expect(agents.stdout).toContain(`${String(replayed.output)}\n`);
      expect(replayed.output).toBe(decodeValue(String(envelope.facts["output"])));
      const other = await replay(store.path(run), async (name: string) => `${name}: nothing`, { timeoutMs: 10_000 });
      expect(other).toMatchObject({ verdict: "diverged", divergence: { verdict: "missing", step: 1 } });
    }
  });
});
