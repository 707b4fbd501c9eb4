import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";
import { program, shortRuns, type ShortRuns } from "./short-runs.ts";

let runs: ShortRuns;
let serving: number | null = null;

beforeAll(async () => {
  runs = await shortRuns([], ["3"], []);
});
afterAll(async () => {
  if (serving !== null) process.kill(serving, "SIGTERM");
  await runs.stop();
});

test("a list without a run tells what was asked for and how many runs there are", async () => {
  const { folder } = runs.store;
  const next = `Next: reenact ls --store ${folder}`;
  expect((await runs.inStore("ls", "--status", "aborted")).stderr).toBe(
    `no run matches --status aborted (3 runs in ${folder}). ${next}\n`,
  );
  expect((await runs.inStore("ls", "--session", "no such")).stderr).toContain("no run matches --session 'no such' (3 ");
  expect((await runs.inStore("ls", "--at", "2020-01-01T00:00±1h")).stderr).toContain("no run matches --at (3 runs in ");
  const filtered = await runs.inStore("ls", "--filter", "status:failed");
  expect(filtered.stdout).toContain(runs.ids[1]!.slice(0, 6));
  expect((await runs.inStore("ls", "--filter", "tool:nothing")).stderr).toContain(
    "no run matches --filter tool:nothing (3 ",
  );
});

test("--limit 0 is refused", async () => {
  const refused = await runs.inStore("ls", "--limit", "0");
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toMatch(/--limit.*whole number from 1.*\[REEN-USAGE\]\n$/);
});

test("pages of the local store alone", async () => {
  const first = JSON.parse((await runs.inStore("ls", "--limit", "2", "--json")).stdout) as {
    next: string;
    count: number;
  };
  expect(first.count).toBe(3);
  const rest = (await runs.inStore("ls", "--after", first.next, "--json")).stdout;
  expect(JSON.parse(rest)).toMatchObject({ runs: [{ run: runs.ids[0] }], next: null });
  expect((await runs.inStore("ls", "--after", "nonsense")).stderr).toMatch(/--after nonsense .*\[REEN-USAGE\]\n$/);
});

test("an empty store in the current folder is named so that its dot can be seen", async () => {
  const empty = join(runs.folder, "empty");
  mkdirSync(empty);
  const ask = (...args: string[]) => launch([process.execPath, bin, ...args, "--store", "."], { cwd: empty });
  expect((await ask("ls")).stderr).toBe('no runs in ".". Next: reenact run -- node agent.js\n');
  expect((await ask("show", "@last")).stderr).toMatch(/^reenact: no run in "\."\. Next: /);
});

test("a process that still records is named, since its finished runs are in no list before it ends", async () => {
  const place = join(runs.folder, "of a server");
  const server = join(runs.folder, "server.mjs");
  writeFileSync(
    server,
    `setInterval(() => {}, 1000);\nawait import(${JSON.stringify(pathToFileURL(program).href)});\n`,
  );
  const ended = launch([process.execPath, bin, "run", "--store", place, "--", process.execPath, server], {
    env: { PROVIDER_URL: runs.url },
    onStart: (started) => void (serving = started),
  });
  const ask = (...args: string[]) => launch([process.execPath, bin, ...args, "--store", place]);
  const line = /^1 process still records \(pid \d+\): its runs appear when it ends$/m;
  await until("the line", async () => line.test((await ask("ls")).stderr));
  expect((await ask("ls")).stderr).not.toContain("Next: reenact run");
  expect((await ask("show", "@last")).stderr).toMatch(/1 process still records \(pid \d+\)/);
  process.kill(serving!, "SIGTERM");
  await ended;
  serving = null;
  const after = await ask("ls");
  expect(after.stdout.trim().split("\n")).toHaveLength(1);
  expect(after.stderr).not.toContain("still records");
});
