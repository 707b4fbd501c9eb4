import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bin, type Ended, launch } from "./reenact.ts";

const folder = mkdtempSync(join(tmpdir(), "cli-old-node-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One line that says what is wrong and what to type next, nothing on standard output, no stack. */
function expectError(ended: Ended, code: string, exit: number): void {
  expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: exit, stdout: "" });
}

describe("a Node that is too old", () => {
  const old = "/usr/bin/node";
  const version = async (): Promise<string> =>
    (await launch([old, "--version"]).catch(() => null))?.stdout.trim() ?? "";

  const isOld = async (): Promise<boolean> => {
    const [major, minor] = (await version()).slice(1).split(".").map(Number);
    return major !== undefined && minor !== undefined && (major < 22 || (major === 22 && minor < 15));
  };

  it("runs an agent that wraps its tools and calls instrument()", async ({ skip }) => {
    if (!(await isOld())) skip(`${old} is not an old Node`);
    const ours = new URL("../../packages/node/dist/index.js", import.meta.url).href;
    const text = `import { instrument, tool } from ${JSON.stringify(ours)};
      instrument();
      console.log(tool("double", (n) => n * 2)(21));`;
    const ended = await launch([old, "--input-type=module", "-e", text], { cwd: folder });
    expect(ended).toMatchObject({ code: 0, stdout: "42\n" });
    expect(ended.stderr).toMatch(/^reenact: [^\n]*too old to record[^\n]*\n$/);
  });

  it("is a line; run runs the agent all the same, everything else ends with 3", async ({ skip }) => {
    if (!(await isOld())) skip(`${old} is not an old Node`);
    const refused = await launch([old, bin, "ls"]);
    expectError(refused, "REEN-NODE", 3);
    expectError(await launch([old, bin, "replay", "@last", "--", old, "-v"]), "REEN-NODE", 3);
    const summary = join(folder, "old.json");
    const ended = await launch(
      [
        old,
        bin,
        "run",
        "--json-file",
        summary,
        "--",
        old,
        "-e",
        "process.stdin.pipe(process.stdout); process.exitCode = 4",
      ],
      { input: "through" },
    );
    expect(ended).toMatchObject({ code: 4, stdout: "through" });
    expect(ended.stderr).toMatch(/^reenact: [^\n]+ \[REEN-NODE\]\n$/);
    expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({
      schemaVersion: 1,
      run: null,
      runs: [],
      exitCode: 4,
    });
    expectError(
      await launch([old, bin, "run", "--", "./none"]).then((e) => ({
        ...e,
        stderr: e.stderr.slice(e.stderr.indexOf("\n") + 1),
      })),
      "REEN-CANNOT-START",
      3,
    );
    // a new command, an old agent: the agent runs, and says why it is not recorded
    const agentOld = await launch(
      [
        process.execPath,
        bin,
        "run",
        "--quiet",
        "--json-file",
        summary,
        "--store",
        join(folder, "s"),
        "--",
        old,
        "-p",
        "1",
      ],
      { cwd: folder },
    );
    expect(agentOld).toMatchObject({ code: 0, stdout: "1\n" });
    expect(agentOld.stderr).toMatch(/^reenact: Node 20[^\n]+\n$/);
    expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({ run: null });
  });
});
