import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import type { Recorded, Replayed } from "./trial.ts";

/** All agentic steps are in `agent()` calls; the process makes a request, waits, prints and writes around them. */
const PROGRAM = `
import fs from "node:fs";
import { agent } from "@reenact/node";
import { call } from "./turns/model.mjs";

const go = agent("go", async (question) => {
  console.log("asked", question);
  return call(question);
});
const first = await go("one");
await new Promise((resolve) => setTimeout(resolve, 50));
const models = await (await fetch(process.env.PROVIDER_URL + "/v1/models")).text();
const second = await go("two");
console.log(first.length, second.length, models.length > 9, Math.random());
fs.writeFileSync("written.txt", "two: " + second);
`;

const bench = ownBench();
const file = join(import.meta.dirname, `../programs/surrounding-${process.pid}.mjs`);
const command = [process.execPath, file];
let recorded: Recorded;
const options = (): { env: Record<string, string>; cwd: string } => ({
  env: { PROVIDER_URL: bench.provider.url },
  cwd: bench.folder,
});

beforeAll(async () => {
  writeFileSync(file, PROGRAM);
  recorded = await bench.store.run(command, options());
  return () => rmSync(file, { force: true });
});

async function replayed(run: string, find = "", replace = ""): Promise<Replayed> {
  writeFileSync(file, PROGRAM.replace(find, replace));
  return bench.store.replay(run, command, { ...options(), flags: ["--timeout", "60"] });
}

test("lists show the calls; the process is shown only with the replays", async () => {
  expect(recorded.summary.runs).toHaveLength(2);
  const list = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await bench.store.command("ls", "--json", ...args);
    return (JSON.parse(stdout) as { runs: { run: string }[] }).runs.map(({ run }) => run);
  };
  expect((await list()).toSorted()).toEqual(recorded.summary.runs.toSorted());
  expect(await list("--replays")).toHaveLength(3);
  expect((await bench.store.command("show", "@last")).stdout).toContain("go");
});

test("unchanged code is identical, whichever run is replayed, and all of the process is compared", async () => {
  const { stdout } = await bench.store.command("ls", "--json", "--replays");
  const all = (JSON.parse(stdout) as { runs: { run: string }[] }).runs.map(({ run }) => run);
  expect(all).toHaveLength(3);
  for (const run of all) {
    const { code, report, stdout: printed } = await replayed(run);
    expect([code, report.verdict, report.divergence, printed]).toEqual([0, "identical", null, recorded.stdout]);
    expect(report.notes).toEqual([]);
    expect(report.runs.map(({ verdict }) => verdict)).toEqual(["identical", "identical", "identical"]);
  }
});

describe("an edit outside the calls is found", () => {
  test.each([
    ["output", "console.log(first.length, second", "console.log(first.length + 1, second", "output-changed"],
    ["output inside a call", 'console.log("asked"', 'console.log("asks"', "output-changed"],
    ["a file", '"two: "', '"2: "', "files-changed"],
    ["a delay", "resolve, 50)", "resolve, 60)", "delay-changed"],
    ["a request", "/v1/models", "/v1/files", "changed"],
    [
      "a request less",
      'await (await fetch(process.env.PROVIDER_URL + "/v1/models")).text()',
      '"0123456789"',
      "missing",
    ],
    ["the exit code", "fs.writeFileSync(", "process.exitCode = 3; fs.writeFileSync(", "exit-code-changed"],
  ])("%s", async (_, find, replace, verdict) => {
    const { code, report } = await replayed(recorded.summary.run ?? "", find, replace);
    expect(report.divergence).toMatchObject({ verdict });
    expect(code).toBe(10);
  });
});

test("a process that listens has no run of its own", async () => {
  writeFileSync(
    file,
    `import http from "node:http";\nconst server = http.createServer().listen(0);\n${PROGRAM}\nserver.close();`,
  );
  const { summary } = await bench.store.run(command, options());
  const { stdout } = await bench.store.command("ls", "--json", "--replays");
  const rows = (JSON.parse(stdout) as { runs: { run: string; startedAt: string }[] }).runs;
  expect(rows.slice(0, 3).filter(({ run }) => summary.runs.includes(run))).toHaveLength(2);
});
