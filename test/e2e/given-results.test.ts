import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
let command: string[];
let run: string;
let stdout: string;

/** Two calls of one tool; what they return goes into a request, that of `unused` goes nowhere. */
const PROGRAM = `import { tool } from "@reenact/node";
const limit = tool("limit", async (id) => { if (id === 3) throw new Error("no such account"); return { id, limit: 40 + id }; });
const unused = tool("unused", async () => "nothing");
const lines = [];
for (const id of [1, 2, 3]) lines.push(await limit(id).then((x) => JSON.stringify(x), (error) => error.message));
await unused();
const answer = await fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content: lines.join(" ") }] }) });
await answer.text();
console.log(lines.join(" "));`;

beforeAll(async () => {
  const file = join(import.meta.dirname, `../programs/given-results-${process.pid}.mjs`);
  writeFileSync(file, PROGRAM);
  command = [process.execPath, file];
  const recorded = await bench.store.run(command, { env: env() });
  run = recorded.summary.run ?? "";
  stdout = recorded.stdout;
  return () => rmSync(file, { force: true });
});

const env = () => ({ PROVIDER_URL: bench.provider.url });
const replayed = (...set: string[]) =>
  bench.store.replay(run, command, { env: env(), flags: set.flatMap((text) => ["--set", text]) });

test("a given result reaches the agent, and what differs because of it is told", async () => {
  const { code, report, stdout: now, stderr } = await replayed('tool.limit@2={"id":2,"limit":0}');
  expect(now).toBe(stdout.replace('"limit":42', '"limit":0'));
  expect(code).toBe(10);
  expect(report).toMatchObject({ verdict: "diverged", edited: 1, given: 1, recorded: 4, live: 0, sockets: 0 });
  const what = 'tool limit (step 2) returned {"id":2,"limit":0} by --set (recorded: returned {"id":2,"limit":42})';
  expect(report.divergence).toMatchObject({ step: 5, verdict: "changed" });
  expect(report.divergence?.cause).toContain(`because ${what}`);
  expect(report.notes).toContain(what);
  expect(report.notes).toContain("after it: step 5 openai.chat: changed");
  expect(stderr).toBe("");
});

test("a result takes the place of an error, from a file", async () => {
  const file = join(bench.folder, "account.json");
  writeFileSync(file, '{"id":3}');
  const { report, stdout: now } = await replayed(`tool.limit@3=@${file}`);
  expect(now).toBe(stdout.replace("no such account", '{"id":3}'));
  expect(report.divergence?.cause).toContain("(recorded: threw Error: no such account)");
});

test("all calls of a tool are given a text without a number", async () => {
  const file = join(bench.folder, "text.txt");
  writeFileSync(file, "a text");
  const { report, stdout: now } = await replayed(`tool.limit=@${file}`);
  expect(now).toBe('"a text" "a text" "a text"\n');
  expect(report).toMatchObject({ given: 3, recorded: 2 });
});

test("a replay in which nothing else differs is not identical", async () => {
  const { code, report, stdout: now } = await replayed('tool.unused="something"');
  expect(now).toBe(stdout);
  expect(code).toBe(10);
  expect(report.divergence).toMatchObject({ step: 4, verdict: "edited" });
  expect(report.divergence?.cause).toContain("and nothing after it differs");
});

test("another answer of a person reaches the agent, and what differs because of it is told", async () => {
  const asking = [process.execPath, join(import.meta.dirname, "../programs/asks-human.mjs")];
  const recorded = await bench.store.run(asking, { env: env(), input: "yes\nAnn\n" });
  const name = recorded.summary.run ?? "";
  const flags = ["--set", 'input.approve="no"'];
  const { code, report, stdout: now } = await bench.store.replay(name, asking, { env: env(), flags });
  expect(recorded.stdout).toContain('approved: "yes"');
  expect([now, code]).toEqual([expect.stringContaining('approved: "no"'), 10]);
  expect(report).toMatchObject({ verdict: "diverged", edited: 1, given: 1, live: 0 });
  expect(report.divergence?.cause).toContain("because input() approve (step 2) returned no by --set");
});

test("what is given is redacted in the run that the replay writes", async () => {
  const file = join(bench.folder, "secret.txt");
  const secret = "jane.roe.4711@example-mail.org";
  writeFileSync(file, `write to ${secret}`);
  const { report } = await replayed(`tool.limit@1=@${file}`);
  expect(JSON.stringify(report)).not.toContain(secret);
  const bytes = readFileSync(bench.store.path(report.run ?? ""));
  const texts = frames(bytes);
  expect(texts).toContain("write to");
  expect(texts).not.toContain(secret);
  expect(readdirSync(join(bench.store.folder, "replays"))).toEqual([]);
});

/** The text of all zstd frames in a file. */
function frames(bytes: Buffer): string {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const starts: number[] = [];
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) starts.push(at);
  return starts.map((at) => zstdDecompressSync(bytes.subarray(at)).toString()).join("\n");
}

test.each([
  ["tool.limits={}", "--set tool.limits: the run has no such tool or step"],
  ['input.limit="x"', "--set input.limit: the run has no such input. Next: the run recorded none"],
  ["tool.limit@4={}", "--set tool.limit@4: the run called limit 3 times"],
  ["tool.limit@0={}", "--set tool.limit@0: the run called limit 3 times"],
  ["tool.limit={", "--set tool.limit: the value is not JSON"],
  ["tool.limit=@/no/such/file", "--set tool.limit: cannot read /no/such/file"],
  ["tool.unused=1", "--set tool.unused: --run-tool unused runs its body"],
  ["model=gpt-5", "--set model: nothing is live"],
  ["modell=gpt-5", "--set modell: it names neither a tool's result"],
  [
    'tool.limit="jane.roe.4711@example-mail.org"',
    "--set tool.limit: the value holds something that redaction replaces",
  ],
])("%s is refused", async (set, message) => {
  const { code, stderr } = await bench.store.command(
    "replay",
    run,
    "--store",
    bench.store.folder,
    "--run-tool",
    "unused",
    "--set",
    set,
    "--",
    ...command,
  );
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});

test("a file that is not JSON is refused without a part of what stands in it", async () => {
  const file = join(bench.store.folder, "given.json");
  writeFileSync(file, "hunter2-x9-Zebra4");
  const { folder } = bench.store;
  const given = ["--set", `tool.limit=@${file}`, "--", ...command];
  const { code, stderr } = await bench.store.command("replay", run, "--store", folder, ...given);
  expect(code).toBe(3);
  expect(stderr).toContain("it is not JSON");
  expect(stderr).not.toContain("hunter2");
});

/** A step() with a tool in it, and a tool that returns at once. */
const NESTED = `import { step, tool } from "@reenact/node";
const inner = tool("inner", async () => "in");
const now = tool("now", () => "sync");
const out = await step("outer", async () => "out:" + (await inner()));
console.log(out, now());`;

test("given to a step(), its body does not run; given inside a served one, it is told to have no effect", async () => {
  const file = join(import.meta.dirname, `../programs/given-nested-${process.pid}.mjs`);
  const nested = [process.execPath, file];
  try {
    writeFileSync(file, NESTED);
    const { summary, stdout: first } = await bench.store.run(nested);
    expect(first).toBe("out:in sync\n");
    const again = (...flags: string[]) => bench.store.replay(summary.run ?? "", nested, { flags });

    const outer = await again("--set", 'tool.outer="given"');
    expect(outer.stdout).toBe("given sync\n");
    expect(outer.report).toMatchObject({ verdict: "diverged", given: 1, missing: 0 });
    const inner = await again("--set", 'tool.inner="other"');
    expect(inner.stdout).toBe("out:other sync\n");
    expect(inner.report).toMatchObject({ verdict: "diverged", given: 1 });
    const sync = await again("--set", 'tool.now="later"');
    expect(sync.stdout).toBe("out:in later\n");

    const hidden = await again("--serve", "outer", "--set", 'tool.inner="other"');
    expect(hidden).toMatchObject({ code: 10, stdout: first });
    expect(hidden.report.divergence).toMatchObject({ verdict: "edited" });
    expect(hidden.report.divergence?.cause).toContain("tool inner (step 2) was not called");
  } finally {
    rmSync(file, { force: true });
  }
});
