import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bin, launch } from "./reenact.ts";
import { agent, shortRuns, type ShortRuns } from "./short-runs.ts";

/** ok, failed, ok, and a replay of the first */
let runs: ShortRuns;

const json = async (...args: string[]): Promise<Record<string, unknown>> => {
  const ended = await runs.inStore(...args);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout.split("\n")).toHaveLength(2);
  return JSON.parse(ended.stdout) as Record<string, unknown>;
};

beforeAll(async () => {
  runs = await shortRuns([], ["3"], []);
  await runs.store.replay(runs.first.run as string, agent);
});

afterAll(() => runs.stop());

describe("data", () => {
  it("run --json-file", () => {
    expect(runs.first).toEqual({
      schemaVersion: 1,
      run: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      runs: [runs.first.run],
      status: "ok",
      steps: 2,
      complete: true,
      incompleteReasons: [],
      store: runs.store.folder,
      hindrances: [],
      exitCode: 0,
      sentTo: null,
      waiting: 0,
      waitingRuns: [],
    });
  });

  it("ls --json: newest first, without replays, unless they are asked for", async () => {
    const {
      schemaVersion,
      runs: rows,
      next,
    } = (await json("ls", "--json")) as {
      schemaVersion: number;
      runs: Record<string, unknown>[];
      next: null;
    };
    expect({ schemaVersion, next }).toEqual({ schemaVersion: 1, next: null });
    expect(rows.map(({ run }) => run)).toEqual(runs.ids.toReversed());
    expect(rows[1]).toMatchObject({
      run: runs.ids[1],
      name: "short-agent.mjs",
      status: "failed",
      complete: true,
      class: "keep",
      steps: 2,
      llm: 1,
      tools: 1,
      cost: null,
      error: "exit code 3",
    });
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(
        expect.arrayContaining([
          "run",
          "name",
          "status",
          "complete",
          "class",
          "steps",
          "llm",
          "tools",
          "started",
          "durationMs",
          "tokens",
          "cost",
          "error",
        ]),
      );
      expect(row["started"]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(typeof row["durationMs"] === "number" && typeof row["tokens"] === "number" && row["tokens"] > 0).toBe(
        true,
      );
    }
    const all = (await json("ls", "--json", "--replays")) as { runs: Record<string, unknown>[] };
    expect(all.runs.map(({ replayOf }) => replayOf)).toEqual([runs.ids[0], null, null, null]);
    expect(all.runs[0]).toMatchObject({ replay: { verdict: "identical", cause: null, step: null } });
    expect(((await json("ls", "--json", "--status", "failed")) as { runs: unknown[] }).runs).toHaveLength(1);
    expect(((await json("ls", "--json", "--limit", "2")) as { runs: unknown[] }).runs).toHaveLength(2);
  });

  it("show --json", async () => {
    const shown = (await json("show", "@last", "--json")) as {
      schemaVersion: number;
      manifest: object;
      steps: Record<string, unknown>[];
    };
    expect(shown).toMatchObject({
      schemaVersion: 1,
      manifest: { run: runs.ids[2], status: "ok", complete: true, counts: { LLM: 1, TOOL: 1 } },
    });
    const [llm, tool] = shown.steps;
    expect(llm).toMatchObject({
      step: 1,
      kind: "LLM",
      status: "ok",
      model: { asked: "scn-ok" },
      start: expect.any(Number) as number,
      settle: expect.any(Number) as number,
    });
    expect(String(llm?.["input"])).toContain("hello from Ada");
    expect(String(llm?.["output"])).toContain("You said: hello from Ada");
    expect(tool).toMatchObject({ step: 2, kind: "TOOL", name: "look", status: "ok" });
    for (const step of shown.steps)
      expect(Object.keys(step)).toEqual(
        expect.arrayContaining([
          "slot",
          "kind",
          "name",
          "status",
          "start",
          "settle",
          "model",
          "input",
          "output",
          "record",
        ]),
      );
    expect(((await json("show", "@last", "--json", "--step", "2")) as { steps: unknown[] }).steps).toEqual([tool]);
    expect(JSON.stringify(shown)).not.toContain("sk-proj-");
    // of a tool's step: what the model had read when it asked for the tool, or no such step where the program called it
    expect(await json("show", "@last", "1", "--context", "--json")).toMatchObject({
      context: { step: 1, before: null },
    });
    expect((await runs.inStore("show", "@last", "2", "--context")).stderr).toMatch(/\[REEN-NO-STEP\]\n$/);
    expect((await runs.inStore("show", "@last", "--context")).stderr).toMatch(/\[REEN-USAGE\]\n$/);
  });

  it("replay --json-file and --json, with numbers for counts", async () => {
    const { report, code, stdout: now } = await runs.store.replay(runs.ids[0] as string, agent, { flags: ["--json"] });
    expect(code).toBe(0);
    expect(now.startsWith(runs.stdout)).toBe(true);
    expect(JSON.parse(now.slice(runs.stdout.length))).toEqual(report);
    expect(report).toMatchObject({
      schemaVersion: 1,
      run: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      parent: runs.ids[0],
      verdict: "identical",
      steps: 2,
      recorded: 2,
      live: 0,
      edited: 0,
      refused: 0,
      missing: 0,
      leaks: expect.any(Number) as number,
      sockets: 0,
      socketsRefused: 0,
      costUsd: 0,
      findings: [],
      changedTools: [],
      calls: [
        {
          step: 1,
          slot: expect.any(String) as string,
          attempt: 0,
          verdict: expect.stringMatching(/^(exact|equivalent)$/) as string,
        },
        { step: 2, slot: expect.any(String) as string, attempt: 0, verdict: "exact" },
      ],
      divergence: null,
    });
    const other = await runs.store.replay(runs.ids[0] as string, [...agent, "0", "fine", "goodbye"]);
    expect(other).toMatchObject({ code: 10, report: { verdict: "diverged" } });
    const { run, divergence } = other.report;
    const { stdout: shown } = await runs.inStore("show", run as string);
    expect(shown).toContain(
      `replay of ${runs.ids[0]}, diverged at step ${divergence?.step}: ${divergence?.cause.slice(0, 40)}`,
    );
    const { stdout: listed } = await runs.inStore("ls", "--replays");
    expect(listed.split("\n")[0]).toContain(
      `replay of ${runs.ids[0]?.slice(0, 6)}, diverged at step ${divergence?.step}`,
    );
    expect(Object.keys(other.report.divergence ?? {})).toEqual(
      expect.arrayContaining(["step", "slot", "verdict", "cause", "pointer", "recorded", "now", "next"]),
    );
  });

  it("doctor --json and import --json", async () => {
    const checks = JSON.parse((await runs.inStore("doctor", "--json")).stdout) as {
      schemaVersion: number;
      checks: { id: string; ok: boolean; line: string; fix: string | null }[];
    };
    expect(checks.schemaVersion).toBe(1);
    expect(checks.checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "node",
        "store",
        "redaction-key",
        "runs",
        "model-calls",
        "tool-calls",
        "clock",
        "randomness",
        "environment",
        "order",
      ]),
    );
    expect(
      checks.checks.filter(({ id }) => ["model-calls", "clock", "randomness"].includes(id)).map(({ line }) => line),
    ).toEqual([expect.stringMatching(/^1 /), expect.stringMatching(/recorded/), expect.stringMatching(/recorded/)]);
    const other = join(runs.folder, "imported");
    expect(
      JSON.parse(
        (await runs.reenact("import", runs.store.path(runs.ids[0] as string), "--json", "--store", other)).stdout,
      ),
    ).toEqual({ schemaVersion: 1, runs: [runs.ids[0]], store: other });
  });
});

describe("a run is named", () => {
  const shown = async (...args: string[]): Promise<unknown> =>
    ((await json(...args, "--json")) as { manifest: { run: string } }).manifest.run;

  it("by a prefix, a position, a file; options stand before or after it", async () => {
    const [one, two, three] = runs.ids as [string, string, string];
    const other = join(runs.folder, "copy.reenact");
    copyFileSync(runs.store.path(one), other);
    expect(await shown("show", one.slice(0, 12))).toBe(one);
    expect(await shown("show", one.toUpperCase())).toBe(one);
    expect(await shown("show", "@last")).toBe(three);
    expect(await shown("show", "@-1")).toBe(three);
    expect(await shown("show", "@-2")).toBe(two);
    expect(await shown("show", "@-3")).toBe(one);
    expect(await shown("show", "@failed")).toBe(two);
    expect(await shown("show", other)).toBe(one);
    expect(await shown("show", "copy.reenact")).toBe(one);
    for (const args of [
      ["show", one, "--json", "--store", runs.store.folder],
      ["show", "--json", "--store", runs.store.folder, one],
      ["show", "--store", runs.store.folder, one, "--json"],
    ])
      expect((JSON.parse((await runs.reenact(...args)).stdout) as { manifest: { run: string } }).manifest.run).toBe(
        one,
      );
    const env = await launch([process.execPath, bin, "show", one, "--json"], {
      env: { REENACT_STORE: runs.store.folder },
    });
    expect(env.code).toBe(0);
  });
});
