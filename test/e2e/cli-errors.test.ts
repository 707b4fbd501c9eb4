import {
  copyFileSync,
  existsSync,
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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { bin, type Ended, launch, Store } from "./reenact.ts";

const agent = [process.execPath, fileURLToPath(new URL("../programs/short-agent.mjs", import.meta.url))];
const folder = mkdtempSync(join(tmpdir(), "cli-errors-"));
const store = new Store();
let provider: ChildProvider;
let run = "";

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  run = (await store.run(agent, { env: { PROVIDER_URL: provider.url } })).summary.run as string;
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

const reenact = (...args: string[]): Promise<Ended> =>
  launch([process.execPath, bin, ...args], { cwd: folder, env: { PROVIDER_URL: provider.url } });
const inStore = (...args: string[]): Promise<Ended> =>
  reenact(...args.slice(0, 1), "--store", store.folder, ...args.slice(1));

/** One line that says what is wrong and what to type next, nothing on standard output, no stack. */
function expectError(ended: Ended, code: string, exit: number): void {
  expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: exit, stdout: "" });
}

describe("wrong usage", () => {
  it.each<[string, string[], string]>([
    ["no command", [], "REEN-USAGE"],
    ["an unknown command", ["recrod"], "REEN-USAGE"],
    ["an unknown option", ["ls", "--colour"], "REEN-USAGE"],
    ["an unknown option of run", ["run", "--jsonfile", "x", "--", "node", "-v"], "REEN-USAGE"],
    ["an option without its value", ["ls", "--limit"], "REEN-USAGE"],
    ["a value that is no number", ["ls", "--limit", "many"], "REEN-USAGE"],
    ["a status that no run has", ["ls", "--status", "good"], "REEN-USAGE"],
    ["too many arguments", ["ls", "more"], "REEN-USAGE"],
    ["no run named", ["show"], "REEN-USAGE"],
    ["a bucket as store", ["run", "--store", "s3://b/p", "--", "node", "-v"], "REEN-USAGE"],
    ["no bucket for up", ["up", "--s3", "nowhere"], "REEN-USAGE"],
    ["no time", ["replay", "@last", "--timeout", "soon", "--", "node", "-v"], "REEN-USAGE"],
    ["no such mode", ["replay", "@last", "--mode", "lax", "--", "node", "-v"], "REEN-USAGE"],
    ["nothing after -- of run", ["run", "--"], "REEN-NO-COMMAND"],
    ["no -- of run", ["run"], "REEN-NO-COMMAND"],
    ["nothing after -- of replay", ["replay", "@last", "--"], "REEN-NO-COMMAND"],
    ["nothing after -- of doctor", ["doctor", "--"], "REEN-NO-COMMAND"],
    ["no format of export", ["export", "@last"], "REEN-USAGE"],
    ["two formats of export", ["export", "@last", "--json", "--otlp"], "REEN-USAGE"],
  ])("%s ends with 3 and one line", async (_, args, code) => {
    expectError(await reenact(...args), code, 3);
  });

  it.each<[string[], string]>([
    [["run", "node", "x.js", "--flag", "a b"], "reenact run -- node x.js --flag 'a b'"],
    [
      ["run", "--json-file", "s.json", "--quiet", "npm", "start"],
      "reenact run --json-file s.json --quiet -- npm start",
    ],
    [["run", "npm", "start", "--", "--flag"], "reenact run -- npm start -- --flag"],
    [["replay", "@last", "node", "x.js"], "reenact replay @last -- node x.js"],
    [
      ["replay", "--env", "TZ", "@last", "--mode=strict", "node", "x.js"],
      "reenact replay --env TZ @last --mode=strict -- node x.js",
    ],
    [["replay", "node", "x.js"], "reenact replay @last -- node x.js"],
    [["doctor", "node", "x.js"], "reenact doctor -- node x.js"],
  ])("a command without -- is answered by the line that was meant: %j", async (args, meant) => {
    const ended = await reenact(...args);
    expectError(ended, "REEN-USAGE", 3);
    expect(ended.stderr).toContain("-- before your command");
    expect(ended.stderr).toContain(`Next: ${meant} [`);
  });

  it("a wrong option is answered by the option that was meant", async () => {
    expect((await reenact("replay", "@last", "--time-out", "3", "--", "node", "-v")).stderr).toMatch(
      /--timeout.*Next: reenact replay --help \[REEN-USAGE\]/,
    );
    expect((await reenact("shwo", "@last")).stderr).toMatch(/Did you mean show\?.*Next: reenact --help/);
  });
});

describe("a run that is not there", () => {
  it.each<[string, string, string]>([
    ["no such id", "deadbeef", "REEN-NO-RUN"],
    ["no failed run", "@failed", "REEN-NO-RUN"],
    ["not so many", "@-7", "REEN-NO-RUN"],
    ["no position", "@first", "REEN-USAGE"],
    ["too short an id", "abc", "REEN-USAGE"],
    ["no id", "yesterday", "REEN-USAGE"],
    ["another machine's", "s3://bucket/run", "REEN-USAGE"],
    ["no such file", "./none.reenact", "REEN-NO-FILE"],
    ["a folder", tmpdir(), "REEN-NOT-A-RUN"],
  ])("%s: %s", async (_, reference, code) => {
    expectError(await inStore("show", reference), code, 3);
    expectError(await inStore("replay", reference, "--", "node", "-v"), code, 3);
  });

  it.each(["last", "failed"])("%s: the form with @ is named", async (reference) => {
    expect((await inStore("show", reference)).stderr).toContain(`Next: use @${reference} [REEN-USAGE]`);
  });

  it("nor is any in a store that is not there, which stays so", async () => {
    const none = join(folder, "none");
    const ended = await reenact("show", "@last", "--store", none);
    expectError(ended, "REEN-NO-RUN", 3);
    expect(ended.stderr).toContain("Next: reenact run -- node agent.js");
    expect(await reenact("ls", "--store", none)).toMatchObject({ code: 0, stdout: "" });
    expect(existsSync(none)).toBe(false);
  });

  it("a step that is not there", async () => {
    expectError(await inStore("show", run, "--step", "9"), "REEN-NO-STEP", 3);
    expectError(await inStore("show", run, "--step", "0"), "REEN-USAGE", 3);
  });

  it("several that begin so are told apart by more of the id", async () => {
    const two = new Store();
    mkdirSync(join(two.folder, "runs"));
    for (const tail of ["0", "1"]) copyFileSync(store.path(run), two.path(run.slice(0, 31) + tail));
    expectError(await reenact("show", run.slice(0, 8), "--store", two.folder), "REEN-AMBIGUOUS", 3);
    expect((await reenact("show", `${run.slice(0, 31)}1`, "--store", two.folder)).code).toBe(0);
    two.remove();
  });
});

describe("a tool that is not there", () => {
  it.each(["--run-tool", "--serve"])("%s: the run's own are named, and nothing runs", async (option) => {
    const ended = await inStore("replay", run, option, "lock", "--", ...agent);
    expectError(ended, "REEN-USAGE", 3);
    expect(ended.stderr).toMatch(
      / lock: the run has no such tool or step\. Next: it recorded look; to record lock, wrap it in tool\(/,
    );
  });
});

describe("a wrong or damaged file", () => {
  const put = (name: string, bytes: Uint8Array | string): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  it("that is no run is said to be none", async () => {
    for (const path of [put("notes.txt", "hello"), put("empty.reenact", ""), put("page.html", "<html>".repeat(1000))]) {
      const ended = await inStore("show", path);
      expect(ended.stderr).toMatch(/\[REEN-(NOT-A-RUN|TRUNCATED)\]\n$/);
      expect(ended.code).toBe(3);
      expect((await inStore("import", path)).stderr).toMatch(/\[REEN-(NOT-A-RUN|BAD-DATA)\]\n$/);
    }
    expectError(await inStore("import", put("other.json", '{"hello":1}')), "REEN-NOT-A-RUN", 3);
  });

  it("is shown up to the damage, and not replayed", async () => {
    const bytes = readFileSync(store.path(run));
    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 40] = (flipped[bytes.length - 40] as number) ^ 0x55;
    const cut = bytes.subarray(0, bytes.length - 30);
    for (const path of [put("flipped.reenact", flipped), put("cut.reenact", cut)]) {
      const replayed = await inStore("replay", path, "--", ...agent);
      expect(replayed.stderr).toMatch(/^reenact: .* \[REEN-(DAMAGED|TRUNCATED)\]\n$/);
      expect(replayed).toMatchObject({ code: 3, stdout: "" });
      expect((await inStore("import", path)).code).toBe(3);
      const shown = await inStore("show", path);
      expect(shown.stderr).toMatch(/Next: bring .*REEN-(DAMAGED|TRUNCATED)\]\n$/);
      expect(shown.stderr.trim().split("\n")).toHaveLength(1);
    }
    const header = Buffer.from(bytes);
    header[30] = (header[30] as number) ^ 0x55;
    const ended = await inStore("show", put("header.reenact", header));
    expect(ended).toMatchObject({ code: 3, stdout: "" });
  });

  it("in the store is a line of ls, a failed check of doctor, and hides no other run", async () => {
    const other = new Store();
    mkdirSync(join(other.folder, "runs"));
    copyFileSync(store.path(run), other.path(run));
    writeFileSync(other.path("f".repeat(32)), "broken");
    const listed = await reenact("ls", "--json", "--store", other.folder);
    expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ run }] });
    expect(listed.stderr).toMatch(/^reenact: cannot read .*ffff.*Next: reenact doctor\n$/);
    const checked = await reenact("doctor", "--store", other.folder);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toMatch(/^✗ runs .*ffff/m);
    for (const digit of "0123456") writeFileSync(other.path(digit.repeat(32)), "broken");
    const many = (await reenact("ls", "--store", other.folder)).stderr.trim().split("\n");
    expect([many.length, many.at(-1)]).toEqual([
      6,
      "reenact: 3 more files of the store cannot be read. Next: reenact doctor",
    ]);
    other.remove();
  });
});

describe("a store or a file that cannot be written", () => {
  it("ends with 5, but for run, which ends as the agent does", async () => {
    const bad = join(folder, "file");
    writeFileSync(bad, "no folder");
    expectError(await reenact("ls", "--store", bad), "REEN-STORE", 5);
    expectError(await reenact("show", "@last", "--store", bad), "REEN-STORE", 5);
    expectError(await reenact("import", store.path(run), "--store", bad), "REEN-STORE", 5);
    expectError(await reenact("replay", store.path(run), "--store", bad, "--", ...agent), "REEN-STORE", 5);
    const checked = await reenact("doctor", "--store", bad);
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringMatching(/^✗ store /m) as string });
    const recorded = await reenact("run", "--store", bad, "--", ...agent, "7");
    expect(recorded).toMatchObject({ code: 7, stdout: expect.stringContaining("hello") as string });
    expect(recorded.stderr).toMatch(/^reenact: [^\n]+ \[REEN-STORE\]\n$/);
  });

  it("a summary that cannot be written changes no exit code of run", async () => {
    const nowhere = join(folder, "no", "where.json");
    const ended = await inStore("run", "--quiet", "--json-file", nowhere, "--", ...agent, "7");
    expect(ended.stderr).toMatch(/^reenact: [^\n]+ \[REEN-OUTPUT\]\n$/);
    expect(ended.code).toBe(7);
    expectError(await inStore("export", run, "--otlp", "-o", nowhere), "REEN-OUTPUT", 3);
  });
});

describe("a command that cannot be started", () => {
  it("ends with 3, one line, and a summary without a run", async () => {
    const summary = join(folder, "summary.json");
    for (const command of [["./no-such-program"], [join(folder, "provider.jsonl")]]) {
      expectError(await inStore("run", "--json-file", summary, "--", ...command), "REEN-CANNOT-START", 3);
      expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({
        schemaVersion: 1,
        run: null,
        runs: [],
        exitCode: 3,
      });
      expectError(await inStore("replay", run, "--", ...command), "REEN-CANNOT-START", 3);
    }
  });

  it("a program that does not end is ended by --timeout: diverged", async () => {
    const report = join(folder, "report.json");
    const program = join(folder, "endless.mjs");
    writeFileSync(program, "await import(process.env.AGENT); for (;;);");
    const env = { PROVIDER_URL: provider.url, AGENT: agent[1] as string };
    const ended = await launch(
      [
        process.execPath,
        bin,
        "replay",
        run,
        "--store",
        store.folder,
        "--timeout",
        "3",
        "--json-file",
        report,
        "--",
        process.execPath,
        program,
      ],
      { env },
    );
    expect(ended.code).toBe(10);
    expect(ended.stderr).toMatch(/did not end within/);
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      verdict: "diverged",
      divergence: { verdict: "timeout" },
    });
  });
});

describe("an interrupted replay", () => {
  it("ends its program, and then with 130", async () => {
    const program = join(folder, "waiting.mjs");
    writeFileSync(
      program,
      'await import(process.env.AGENT); console.log("waiting"); (await import("node:net")).createServer().listen(0, "127.0.0.1");',
    );
    const env = { PROVIDER_URL: provider.url, AGENT: agent[1] as string };
    const command = [
      process.execPath,
      bin,
      "replay",
      run,
      "--store",
      store.folder,
      "--timeout",
      "30",
      "--",
      process.execPath,
      program,
    ];
    const ended = await launch(command, {
      env,
      onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGINT"), 4000),
    });
    expect(ended).toMatchObject({ code: 130, signal: null });
  });
});

it("help has examples at every level and ends with 0", async () => {
  for (const args of [
    ["--help"],
    ...["run", "ls", "show", "replay", "rehydrate", "export", "import", "doctor", "up"].map((name) => [name, "--help"]),
    ...["keep", "flag", "unflag", "retention", "probe", "catalog", "catalog rebuild"].map((name) => [
      ...name.split(" "),
      "--help",
    ]),
  ]) {
    const { code, stdout, stderr } = await reenact(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/Examples:\n {2}reenact /);
  }
  expect((await reenact("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(readdirSync(folder)).not.toContain(".reenact");
});
