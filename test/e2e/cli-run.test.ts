import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bin, type Ended, launch } from "./reenact.ts";

const folder = mkdtempSync(join(tmpdir(), "cli-run-"));
const store = join(folder, "store");
const node = process.execPath;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string[], options: Parameters<typeof launch>[1] & { flags?: string[] } = {}): Promise<Ended> =>
  launch([node, bin, "run", "--store", store, ...(options.flags ?? []), "--", ...command], { cwd: folder, ...options });

describe("run ends as its command does", () => {
  it.each([0, 1, 7, 255])("with its exit code: %i", async (code) => {
    expect(await run([node, "-e", `process.exit(${code})`], { flags: ["--quiet"] })).toEqual({
      code,
      signal: null,
      stdout: "",
      stderr: "",
    });
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"])("with its signal: %s", async (signal) => {
    expect(await run([node, "-e", `process.kill(process.pid, "${signal}"); setTimeout(() => {}, 9000)`])).toMatchObject(
      { code: null, signal },
    );
  });

  it.each(["SIGTERM", "SIGUSR2"])("and a signal for it goes to its command, which may live on: %s", async (signal) => {
    const program = `process.on("${signal}", () => { console.log("heard"); process.exit(5); }); console.log("ready"); setTimeout(() => {}, 9000)`;
    const ended = await run([node, "-e", program], {
      onOutput: (pid) => void process.kill(pid, signal),
    });
    expect(ended).toMatchObject({ code: 5, stdout: "ready\nheard\n" });
  });

  it("a command that is no Node program is run as it is", async () => {
    expect(await run(["/bin/sh", "-c", "echo out; echo err >&2; exit 9"], { flags: ["--quiet"] })).toEqual({
      code: 9,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
    });
  });
});

describe("what stands around the command is untouched", () => {
  it("piped input reaches it, byte for byte, and its end too", async () => {
    const input = `line one\n${"Grüße 🌍 ".repeat(20_000)}\nend`;
    expect((await run([node, "-e", "process.stdin.pipe(process.stdout)"], { input })).stdout).toBe(input);
  });

  it("arguments are given as they are, flags of ours among them", async () => {
    const args = ["--store", "x", "--", "-h", "a b", '"', "$HOME", ""];
    const { stdout } = await run([node, "-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...args]);
    expect(JSON.parse(stdout)).toEqual(args);
  });

  it("its environment and folder stay, with the recorder added to NODE_OPTIONS", async () => {
    const program =
      "console.log(JSON.stringify([process.cwd(), process.env.MINE, process.env.NODE_OPTIONS, process.execArgv]))";
    const { stdout } = await run([node, "-e", program], {
      env: { MINE: "1", NODE_OPTIONS: "--max-old-space-size=300" },
    });
    const [cwd, mine, options] = JSON.parse(stdout) as string[];
    expect([cwd, mine]).toEqual([folder, "1"]);
    expect(options).toMatch(/^--max-old-space-size=300 --import=/);
  });

  it.runIf(process.platform === "linux")("a terminal stays one, and a key that interrupts is heard once", async () => {
    const program =
      'console.log([process.stdin, process.stdout, process.stderr].map((s) => !!s.isTTY).join()); let n = 0; process.on("SIGINT", () => { if (++n === 1) setTimeout(() => { console.log("heard " + n); process.exit(6); }, 400); }); console.log("ready"); setTimeout(() => {}, 9000)';
    const command = [node, bin, "run", "--store", store, "--quiet", "--", node, "-e", program]
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(" ");
    const child = spawn("script", ["-qec", command, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const before = stdout;
      stdout += text;
      if (stdout.includes("ready") && !before.includes("ready")) child.stdin.write("\x03");
    });
    await once(child, "close");
    child.stdin.destroy();
    expect(stdout).toContain("true,true,true");
    expect(stdout).toContain("heard 1");
  });
});

describe("what run says", () => {
  const nothing = [node, "-e", "0"];

  it("is on standard error, tells the next command, and is silenced by --quiet", async () => {
    const ended = await run(nothing);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toMatch(/^reenact: no run was recorded: no model .*Next: reenact doctor --store \S+\n$/);
    // what calls a provider that is not understood has no run without it
    expect(ended.stderr).toContain('put agent("name", fn) of @reenact/node around');
    expect((await run(nothing, { flags: ["--quiet"] })).stderr).toBe("");
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["that recording is off", { REENACT_DISABLED: "1" }, /recorded: recording is switched off by REENACT_DISABLED\. /],
    ["that the key is none", { REENACT_REDACTION_KEY: "zz" }, /recorded: REENACT_REDACTION_KEY holds 2 bytes.* Next: /],
  ])("of a run that could not be recorded, %s", async (_, env, line) => {
    const ended = await run(nothing, { env });
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr).not.toContain("no model");
  });

  it("is the same as data, on standard output with --json and in a file with --json-file", async () => {
    const file = join(folder, "summary.json");
    const ended = await run([node, "-e", "console.log('mine'); process.exitCode = 2"], {
      flags: ["--json", "--json-file", file, "--quiet"],
    });
    const [first, second] = ended.stdout.trim().split("\n");
    expect(first).toBe("mine");
    expect(JSON.parse(second as string)).toEqual(JSON.parse(readFileSync(file, "utf8")));
    expect(JSON.parse(second as string)).toEqual({
      schemaVersion: 1,
      run: null,
      runs: [],
      status: null,
      steps: 0,
      complete: false,
      incompleteReasons: [],
      store,
      hindrances: [],
      exitCode: 2,
      sentTo: null,
      waiting: 0,
      waitingRuns: [],
    });
  });

  it("is of its own command, also where a process of another one has left a run in the store", async () => {
    const api = JSON.stringify(new URL("../../packages/node/dist/index.js", import.meta.url).href);
    const own = [
      "--input-type=module",
      "-e",
      `import { tool } from ${api}; tool(process.argv[1], () => { if (process.argv[1] === "theirs") throw new Error("no"); })();`,
    ];
    const register = new URL("../../packages/node/dist/register.js", import.meta.url).href;
    const env = { REENACT_STORE: store };
    const leave = (): Promise<Ended> => launch([node, "--import", register, ...own, "theirs"], { cwd: folder, env });
    await leave();
    const ended = await run([node, ...own, "ours"], { flags: ["--json"] });
    const summary = JSON.parse(ended.stdout) as { run: string; runs: string[] };
    expect(summary).toMatchObject({ status: "ok", steps: 1, runs: [summary.run] });
    expect(ended.stderr).toMatch(
      /^✓ run [0-9a-f]{6} {2}ok\n(.*\n){2}1 run of another process was sealed too: reenact ls --store /,
    );
    await leave();
    const nothingOfOurs = await run(nothing);
    expect(nothingOfOurs.stderr).toMatch(
      /^reenact: no run was recorded: .*\n1 run of another process was sealed too: /,
    );
  });
});
