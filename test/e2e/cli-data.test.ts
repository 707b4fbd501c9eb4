import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { bin, type Ended, launch, type RunSummary, Store } from "./reenact.ts";

const program = fileURLToPath(new URL("../programs/short-agent.mjs", import.meta.url));
const agent = [process.execPath, program];
const HOSTILE = "\u001b[2J\u001b]0;owned\u0007ha\u009b31mrm -rf\r\u202e";
const folder = mkdtempSync(join(tmpdir(), "cli-data-"));
const store = new Store();
let provider: ChildProvider;
/** oldest first: ok, failed, ok with a hostile tool, and a replay of the first */
let ids: string[];
let first: RunSummary;
let stdout = "";

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  const env = { PROVIDER_URL: provider.url, PROVIDER_KEY: "sk-proj-abcdefghijklmnopqrstuvwxyz012345", WHO: "Ada" };
  const recorded = await store.run(agent, { env });
  first = recorded.summary;
  stdout = recorded.stdout;
  const failed = await store.run([...agent, "3"], { env });
  const hostile = await store.run([...agent, "0", HOSTILE], { env });
  await store.replay(first.run as string, agent);
  ids = [first, failed.summary, hostile.summary].map(({ run }) => run as string);
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const reenact = (...args: string[]): Promise<Ended> => launch([process.execPath, bin, ...args], { cwd: folder });
const inStore = (...args: string[]): Promise<Ended> =>
  reenact(...args.slice(0, 1), "--store", store.folder, ...args.slice(1));
const json = async (...args: string[]): Promise<Record<string, unknown>> => {
  const ended = await inStore(...args);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout.split("\n")).toHaveLength(2);
  return JSON.parse(ended.stdout) as Record<string, unknown>;
};

describe("data", () => {
  it("run --json-file", () => {
    expect(first).toEqual({
      schemaVersion: 1,
      run: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      runs: [first.run],
      status: "ok",
      steps: 2,
      complete: true,
      incompleteReasons: [],
      store: store.folder,
      exitCode: 0,
      sentTo: null,
      waiting: 0,
    });
  });

  it("ls --json: newest first, without replays, unless they are asked for", async () => {
    const { schemaVersion, runs, next } = (await json("ls", "--json")) as {
      schemaVersion: number;
      runs: Record<string, unknown>[];
      next: null;
    };
    expect({ schemaVersion, next }).toEqual({ schemaVersion: 1, next: null });
    expect(runs.map(({ run }) => run)).toEqual(ids.toReversed());
    expect(runs[1]).toMatchObject({
      run: ids[1],
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
    for (const row of runs) {
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
    expect(all.runs.map(({ replayOf }) => replayOf)).toEqual([ids[0], null, null, null]);
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
      manifest: { run: ids[2], status: "ok", complete: true, counts: { LLM: 1, TOOL: 1 } },
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
  });

  it("replay --json-file and --json, with numbers for counts", async () => {
    const { report, code, stdout: now } = await store.replay(ids[0] as string, agent, { flags: ["--json"] });
    expect(code).toBe(0);
    expect(now.startsWith(stdout)).toBe(true);
    expect(JSON.parse(now.slice(stdout.length))).toEqual(report);
    expect(report).toMatchObject({
      schemaVersion: 1,
      run: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      parent: ids[0],
      verdict: "identical",
      steps: 2,
      recorded: 2,
      live: 0,
      edited: 0,
      refused: 0,
      missing: 0,
      leaks: expect.any(Number) as number,
      sockets: 0,
      costUsd: 0,
      findings: [],
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
    const other = await store.replay(ids[0] as string, [...agent, "0", "fine", "goodbye"]);
    expect(other).toMatchObject({ code: 10, report: { verdict: "diverged" } });
    expect(Object.keys(other.report.divergence ?? {})).toEqual(
      expect.arrayContaining(["step", "slot", "verdict", "cause", "pointer", "recorded", "now", "next"]),
    );
  });

  it("doctor --json and import --json", async () => {
    const checks = JSON.parse((await inStore("doctor", "--json")).stdout) as {
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
    const other = join(folder, "imported");
    expect(
      JSON.parse((await reenact("import", store.path(ids[0] as string), "--json", "--store", other)).stdout),
    ).toEqual({ schemaVersion: 1, runs: [ids[0]], store: other });
  });
});

describe("a run is named", () => {
  const shown = async (...args: string[]): Promise<unknown> =>
    ((await json(...args, "--json")) as { manifest: { run: string } }).manifest.run;

  it("by a prefix, a position, a file; options stand before or after it", async () => {
    const [one, two, three] = ids as [string, string, string];
    const other = join(folder, "copy.reenact");
    copyFileSync(store.path(one), other);
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
      ["show", one, "--json", "--store", store.folder],
      ["show", "--json", "--store", store.folder, one],
      ["show", "--store", store.folder, one, "--json"],
    ])
      expect((JSON.parse((await reenact(...args)).stdout) as { manifest: { run: string } }).manifest.run).toBe(one);
    const env = await launch([process.execPath, bin, "show", one, "--json"], { env: { REENACT_STORE: store.folder } });
    expect(env.code).toBe(0);
  });
});

describe("for people", () => {
  // oxlint-disable-next-line no-control-regex
  const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

  it("what models and tools wrote is shown without control characters, in every view", async () => {
    const hostile = ids[2] as string;
    for (const args of [["show", hostile], ["show", hostile, "--step", "2"], ["ls"], ["doctor"]]) {
      const ended = await inStore(...args);
      expect(ended.stdout, args.join(" ")).not.toMatch(CONTROL);
      expect(ended.stdout.length).toBeGreaterThan(50);
    }
    expect((await inStore("show", hostile, "--step", "2")).stdout).toContain("rm -rf");
    const diverged = await inStore("replay", ids[0] as string, "--", ...agent, "0", "fine", HOSTILE);
    expect(diverged.code).toBe(10);
    expect(diverged.stderr).not.toMatch(CONTROL);
  });

  it.runIf(process.platform === "linux")(
    "there is colour on a terminal, and none with NO_COLOR, CI, TERM=dumb or in a pipe",
    async () => {
      const onTerminal = async (env: Record<string, string>): Promise<string> => {
        const command = [process.execPath, bin, "ls", "--store", store.folder].join(" ");
        return (
          await launch(["script", "-qec", command, "/dev/null"], {
            env: { TERM: "xterm-256color", NO_COLOR: undefined, CI: undefined, ...env },
          })
        ).stdout;
      };
      expect(await onTerminal({})).toContain("\u001b[32m✓");
      for (const env of [{ NO_COLOR: "1" }, { CI: "true" }, { TERM: "dumb" }])
        expect(await onTerminal(env)).not.toContain("\u001b[");
      expect(
        (await launch([process.execPath, bin, "ls", "--store", store.folder], { env: { FORCE_COLOR: "1" } })).stdout,
      ).not.toContain("\u001b[");
    },
  );

  it("--quiet leaves data and errors", async () => {
    expect(await inStore("ls", "--limit", "1", "--quiet")).toMatchObject({
      stderr: "",
      stdout: expect.stringMatching(/^✓/) as string,
    });
    expect((await inStore("ls", "--limit", "1")).stderr).toMatch(/2 older runs not shown/);
    expect((await inStore("replay", ids[0] as string, "--quiet", "--", ...agent)).stderr).toBe("");
  });

  it("the summary of run and the report of replay tell the next command, which works", async () => {
    const env = { PROVIDER_URL: provider.url };
    const ended = await launch([process.execPath, bin, "run", "--store", join(folder, "own"), "--", ...agent], { env });
    expect(ended.stderr).toMatch(
      /^✓ run [0-9a-f]{6} {2}ok\n {2}2 steps \(1 llm, 1 tools\) · .* · complete\n {2}replay: reenact replay [0-9a-f]{6} -- /,
    );
    const next = /reenact replay ([0-9a-f]{6}) -- /.exec(ended.stderr)?.[1] as string;
    const replayed = await launch(
      [process.execPath, bin, "replay", next, "--store", join(folder, "own"), "--", ...agent],
      { env: { PROVIDER_URL: undefined } },
    );
    expect(replayed.stderr).toMatch(/^✓ identical {2}2 recorded, 0 live, 0 refused · .* · 0 sockets\n/);
    expect(replayed.stdout).toBe(ended.stdout);
  });
});

describe("doctor", () => {
  it("with a command records it once, in a store of its own, and audits what it did", async () => {
    const env = { PROVIDER_URL: provider.url };
    const other = join(folder, "doctors");
    const ended = await launch([process.execPath, bin, "doctor", "--store", other, "--json", "--", ...agent], {
      env,
      cwd: folder,
    });
    const { checks } = JSON.parse(ended.stdout) as { checks: { id: string; ok: boolean }[] };
    expect(ended.code).toBe(0);
    expect(checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "recorded",
        "model-calls",
        "tool-calls",
        "retrieval",
        "human-input",
        "clock",
        "randomness",
        "environment",
        "order",
      ]),
    );
    expect(existsSync(other)).toBe(false);
    // the agent's own output is not among the data
    expect(ended.stderr).toContain("You said: hello");
    const none = await launch([process.execPath, bin, "doctor", "--store", other, "--", process.execPath, "-e", "0"], {
      cwd: folder,
    });
    expect(none.code).toBe(1);
    expect(none.stdout).toMatch(/^✗ recorded .*no run was born.*Fix: /m);
    const missing = await launch([process.execPath, bin, "doctor", "--store", other, "--", "./none"], { cwd: folder });
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/^✗ recorded .*cannot start/m);
  });

  it("says what is wrong in the environment", async () => {
    const ended = await launch([process.execPath, bin, "doctor", "--store", join(folder, "x")], {
      env: { REENACT_EXIT_MS: "soon", REENACT_DISABLED: undefined },
    });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^✗ configuration .*REENACT_EXIT_MS.*Fix: /m);
  });
});

describe("export and import", () => {
  const digest = (path: string): string => readEnvelope(readFileSync(path)).header.content;

  it.each(["--otlp", "--json"])("%s and back has the same content", async (format) => {
    const [one] = ids as [string];
    const file = join(folder, `run${format}`);
    const other = join(folder, `store${format}`);
    expect(await inStore("export", one, format, "-o", file)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const piped = join(folder, `piped${format}`);
    await launch([
      "/bin/sh",
      "-c",
      `"$@" > ${piped}`,
      "sh",
      process.execPath,
      bin,
      "export",
      one,
      format,
      "--store",
      store.folder,
    ]);
    expect(readFileSync(piped).equals(readFileSync(file))).toBe(true);
    expect((await reenact("import", file, "--store", other)).stdout).toBe(`${one}\n`);
    const path = join(other, "runs", `${one}.reenact`);
    expect(digest(path)).toBe(digest(store.path(one)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const replayed = await launch([
      process.execPath,
      bin,
      "replay",
      "@last",
      "--store",
      other,
      "--quiet",
      "--",
      ...agent,
    ]);
    expect(replayed).toMatchObject({ code: 0, stdout });
  });

  it("a .reenact file is brought in as it is, and never replaces a later revision", async () => {
    const [one] = ids as [string];
    const other = join(folder, "files");
    await reenact("import", store.path(one), "--store", other);
    const path = join(other, "runs", `${one}.reenact`);
    expect(readFileSync(path).equals(readFileSync(store.path(one)))).toBe(true);
    const before = statSync(path).mtimeMs;
    await reenact("import", store.path(one), "--store", other);
    expect(statSync(path).mtimeMs).toBe(before);
  });
});

describe("another machine", () => {
  it("replays a file: other store, folder, home and time zone, no key, another environment, nothing of the first", async () => {
    const place = join(folder, "elsewhere");
    mkdirSync(join(place, "work"), { recursive: true });
    const file = join(place, "work", "failed run.reenact");
    copyFileSync(store.path(ids[0] as string), file);
    writeFileSync(
      join(place, "program.mjs"),
      readFileSync(program, "utf8").replaceAll(
        "@reenact/node",
        new URL("../../packages/node/dist/index.js", import.meta.url).href,
      ),
    );
    const command = [process.execPath, join(place, "program.mjs")];
    const bare = {
      PATH: process.env["PATH"],
      HOME: place,
      TZ: "Pacific/Kiritimati",
      LANG: "de_DE.UTF-8",
      WHO: "somebody else",
    };
    const env = { ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])), ...bare };
    const report = join(place, "report.json");
    const ended = await launch(
      [process.execPath, bin, "replay", "failed run.reenact", "--quiet", "--json-file", report, "--", ...command],
      { cwd: join(place, "work"), env },
    );
    expect(ended, readFileSync(report, "utf8")).toMatchObject({ code: 0, stdout, stderr: "" });
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ verdict: "identical", recorded: 2, sockets: 0 });
    const listed = await launch([process.execPath, bin, "ls", "--replays", "--json"], {
      cwd: join(place, "work"),
      env,
    });
    expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ replayOf: ids[0] }] });
  });
});
