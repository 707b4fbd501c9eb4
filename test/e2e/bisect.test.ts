import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bin, launch } from "./reenact.ts";
import { ownBench } from "./own-bench.ts";

const root = join(import.meta.dirname, "../..");
const bench = ownBench();
// it prints where it is, so no replay elsewhere is identical: all are judged by their first difference
const source = `${readFileSync(join(import.meta.dirname, "../programs/refund-desk.mjs"), "utf8")}
console.log(import.meta.dirname);
`;

/** Revisions of a program, the oldest first: subject, and its text. */
const HISTORY: [subject: string, text: string][] = [
  ["Add the desk", source],
  ["Say what the desk is", `// The desk.\n${source}`],
  ["Keep a name", source.replace("const LIMIT", "const UNUSED = 1;\nconst LIMIT")],
  ["Be brief", source.replace("Please refund A-17.", "Please refund A-17, briefly.")],
  ["Lose a bracket", `${source.replace("Please refund A-17.", "Please refund A-17, briefly.")}\n}`],
  ["Find the bracket", `// again\n${source.replace("Please refund A-17.", "Please refund A-17, briefly.")}`],
  ["Note a thing", `// again, noted\n${source.replace("Please refund A-17.", "Please refund A-17, briefly.")}`],
];
const folder = join(bench.folder, "project");
const desk = join(folder, "desk", "desk.mjs");
let run = "";

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.test", ...args], {
    encoding: "utf8",
  });

beforeAll(async () => {
  mkdirSync(join(folder, "desk"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules", "@reenact"), join(folder, "node_modules", "@reenact"));
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(folder, ".gitignore"), "node_modules/\n");
  for (const [subject, text] of HISTORY) {
    writeFileSync(desk, text);
    git("add", "-A");
    git("commit", "--quiet", "--message", subject);
    if (subject !== HISTORY[0]?.[0]) continue;
    const env = { PROVIDER_URL: bench.provider.url };
    const { summary } = await bench.store.run([process.execPath, "desk.mjs"], { env, cwd: join(folder, "desk") });
    run = summary.run ?? "";
  }
});

function bisect(good: string, bad: string, ...more: string[]) {
  const options = ["--store", bench.store.folder, ...more];
  const command = [process.execPath, bin, "bisect", ...options, good, bad, run, "--", process.execPath, "desk.mjs"];
  return launch(command, { cwd: join(folder, "desk") });
}

test("the revision that changed the replay is found, and nothing of the working tree is touched", async () => {
  writeFileSync(desk, "work that is not committed");
  const { stdout, stderr, code } = await bisect("HEAD~6", "main");
  const lines = git("log", "--format=%h %s", "--abbrev=9").split("\n");
  const culprit = lines.find((line) => line.endsWith("Be brief"))?.slice(0, 9) ?? "none";
  expect(stdout).toContain(`✗ ${culprit} is the first revision whose replay is not that of `);
  expect(stdout).toMatch(/\n {2}Be brief\n {2}Ann, 20.*\n {2}input-changed\n {2}cause: agent desk was called/);
  expect(stdout).toContain(`next: git show ${culprit}`);
  expect(stderr).toMatch(/✗ \S+ {2}diverged {2}Add the desk\n✗ \S+ {2}diverged {2}Note a thing\n/);
  expect(code).toBe(0);
  expect(readFileSync(desk, "utf8")).toBe("work that is not committed");
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  git("checkout", "--quiet", "--", ".");
});

test("as data, with every replay; revisions that cannot be replayed are passed over", async () => {
  const set = `test "$(git log -1 --format=%s)" != "Be brief" && ln -s ${join(folder, "node_modules")} ../node_modules`;
  const { stdout, code } = await bisect("HEAD~6", "HEAD", "--json", "--setup", set);
  const found = JSON.parse(stdout) as {
    first: unknown;
    candidates: { subject: string }[];
    tried: { verdict: string | null; revision: { subject: string }; why: string }[];
  };
  expect(found.candidates.map(({ subject }) => subject)).toEqual(["Be brief", "Lose a bracket"]);
  expect(found.first).toBeNull();
  expect(found.tried.find(({ revision }) => revision.subject === "Be brief")).toMatchObject({ verdict: null });
  expect(code).toBe(1);
});

test("revisions that replay alike, that are in the wrong order or not known are refused with the next step", async () => {
  const alike = await bisect("HEAD~6", "HEAD~5");
  expect(alike).toMatchObject({ code: 3, stdout: "" });
  expect(alike.stderr).toContain("the replay is the same at both revisions: diverged, standard output differs");
  const order = await bisect("HEAD", "HEAD~6");
  expect(order.stderr).toMatch(/does not come before .* name the older revision first.*\[REEN-GIT\]\n$/);
  const unknown = await bisect("v9", "HEAD");
  expect(unknown.stderr).toMatch(/\[REEN-GIT\]\n$/);
  const option = await bisect("--output=x", "HEAD");
  expect(option.code).toBe(3);
  expect(existsSync(join(folder, "desk", "x"))).toBe(false);
});
