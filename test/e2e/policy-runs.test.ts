import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ended, launch, Store } from "./reenact.ts";

const AGENT = fileURLToPath(new URL("../redaction-proof/small-agent.mjs", import.meta.url));
const COMMAND = [process.execPath, AGENT];
const TEXT = "ask alice.plant@example.com about E-123456";
const KEY = "ab".repeat(32);
const TIMEOUT = 60_000;

let cwd: string;
let store: Store;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "reenact-policy-"));
  store = new Store();
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  store.remove();
});

const config = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
const options = (env: Record<string, string | undefined> = {}) => ({ cwd, env: { TEXT, ...env } });
const recorded = (run: string | null) => readEnvelope(readFileSync(store.path(run ?? "")));
const policy = (more: object): string =>
  JSON.stringify({
    redaction: { name: "ours", patterns: [{ type: "EMPLOYEE", pattern: "\\bE-[0-9]{6}\\b" }], ...more },
  });
/** The agent alone, under the recorder. */
const agent = (env: Record<string, string | undefined> = {}): Promise<Ended> =>
  launch([process.execPath, "--import", "@reenact/node/register", AGENT], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { TEXT, REENACT_STORE: store.folder, ...env },
  });

describe("a configuration file", { timeout: TIMEOUT }, () => {
  test.each([
    ["reenact.config.json", policy({})],
    ["reenact.config.mjs", `export default ${policy({})};`],
    ["reenact.config.ts", `const config: object = ${policy({})};\nexport default config;`],
  ])("%s decides what is replaced; its name and rule set are in the record", async (name, text) => {
    config(name, text);
    const { summary, stdout, stderr } = await store.run(COMMAND, options());
    expect([stdout, stderr]).toEqual(["said it\n", ""]);
    const run = recorded(summary.run);
    expect(run.steps[0]?.record.call?.args).toMatch(/ask EMAIL_\w+ about EMPLOYEE_[a-z]{4}_[a-z]{16}"/);
    expect(run.steps[0]?.record.redacted).toMatchObject({ policy: "ours", counts: { EMPLOYEE: expect.any(Number) } });
    const { report } = await store.replay(summary.run ?? "", COMMAND, options());
    expect(report).toMatchObject({ verdict: "identical" });
    expect(report.findings).not.toContain("rules-changed");
  });

  test("a replay with another rule set says exactly that", async () => {
    const { summary } = await store.run(COMMAND, options());
    config("reenact.config.json", policy({}));
    const { report } = await store.replay(summary.run ?? "", COMMAND, options());
    expect(report.findings).toContain("rules-changed");
    expect(report.notes.join("\n")).toMatch(
      /redaction: recorded with rule set [0-9a-f]{16} \(policy default\), replayed with [0-9a-f]{16} \(policy ours\)/,
    );
    config("reenact.config.json", "{}");
    const again = await store.replay(summary.run ?? "", COMMAND, options());
    expect(again.report).toMatchObject({ verdict: "identical" });
    expect(again.report.findings).not.toContain("rules-changed");
  });

  test.each([
    ["no JSON", "{ nope", /reenact\.config\.json cannot be loaded/],
    ["a rule that is not there", '{"redaction":{"of":[]}}', /reenact\.config\.json: redaction: .*of/],
    ["a pattern that is not linear", '{"redaction":{"patterns":[{"type":"X","pattern":"(a+)+b"}]}}', /not linear/],
    ["something else", '{"store":"x"}', /store is not known/],
  ])("%s: one line, nothing is recorded, the agent goes on", async (_, text, why) => {
    config("reenact.config.json", text);
    const ended = await agent({ REENACT_CONFIG: join(cwd, "reenact.config.json") });
    expect([ended.code, ended.stdout]).toEqual([0, "said it\n"]);
    expect(ended.stderr.trim().split("\n")).toEqual([expect.stringMatching(why)]);
    expect(existsSync(join(store.folder, "spool")) ? readdirSync(join(store.folder, "spool")) : []).toEqual([]);
  });

  test("dropped media make the step lossy", async () => {
    config("reenact.config.json", JSON.stringify({ redaction: { media: "drop" } }));
    const picture = Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 53 + 7) % 256)).toString("base64");
    const { summary } = await store.run(COMMAND, options({ PICTURE: `data:image/png;base64,${picture}` }));
    const [step] = recorded(summary.run).steps;
    expect(step?.record.call?.args).not.toContain(picture.slice(0, 40));
    expect(step?.record.lossy).toContain("media: left out by the redaction policy");
  });

  test("code comes before the file", async () => {
    config("reenact.config.json", policy({}));
    const ended = await launch([process.execPath, AGENT], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { TEXT, CODE: "1", REENACT_STORE: store.folder, REENACT_CONFIG: join(cwd, "reenact.config.json") },
    });
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const { runs } = JSON.parse((await store.command("ls", "--json")).stdout) as { runs: { run: string }[] };
    const { policy: name } = recorded(runs[0]?.run ?? "").steps[0]?.record.redacted ?? {};
    expect(name).toBe("in-code");
  });
});

describe("the key", { timeout: TIMEOUT }, () => {
  test("a replay needs none: another one is as good", async () => {
    const { summary } = await store.run(COMMAND, options({ REENACT_REDACTION_KEY: KEY }));
    const kid = recorded(summary.run).steps[0]?.record.redacted?.kid;
    for (const other of ["cd".repeat(32), undefined]) {
      const { report } = await store.replay(summary.run ?? "", COMMAND, options({ REENACT_REDACTION_KEY: other }));
      expect(report).toMatchObject({ verdict: "identical", calls: [{ verdict: "equivalent" }] });
      const replay = recorded(report.run);
      expect(replay.steps[0]?.record.redacted?.kid).not.toBe(kid);
    }
  });

  test("comes from a command, in a recording and in a replay", async () => {
    const env = { REENACT_REDACTION_KEY_COMMAND: `printf %s ${KEY}` };
    const { summary } = await store.run(COMMAND, options(env));
    const same = await store.run(COMMAND, options({ REENACT_REDACTION_KEY: KEY }));
    const kids = [summary, same.summary].map(({ run }) => recorded(run).steps[0]?.record.redacted?.kid);
    expect(kids[0]).toBe(kids[1]);
    expect(existsSync(join(store.folder, "redaction.key"))).toBe(false);
    const { report } = await store.replay(summary.run ?? "", COMMAND, options(env));
    expect(report).toMatchObject({ verdict: "identical", refused: 0 });
  });

  test.each([
    [{ REENACT_REDACTION_KEY_COMMAND: "exit 3" }, /REENACT_REDACTION_KEY_COMMAND failed \(3\)/],
    [{ REENACT_REDACTION_KEY_COMMAND: "printf short" }, /holds 5 bytes/],
    [{ REENACT_REDACTION_KEY: "short" }, /holds 5 bytes/],
    [{ REENACT_ENDPOINT: "https://collector.example" }, /records would leave this machine/],
  ])("%j: no spool, one line, the agent goes on", async (env, why) => {
    const ended = await agent(env);
    expect([ended.code, ended.stdout]).toEqual([0, "said it\n"]);
    expect(ended.stderr.trim().split("\n")).toEqual([expect.stringMatching(why)]);
    expect(existsSync(join(store.folder, "redaction.key"))).toBe(false);
    expect(existsSync(join(store.folder, "spool")) ? readdirSync(join(store.folder, "spool")) : []).toEqual([]);
  });

  test("is made for this machine alone, for the owner alone", async () => {
    await agent({ REENACT_ENDPOINT: "http://127.0.0.1:4318" });
    expect(statSync(join(store.folder, "redaction.key")).mode & 0o777).toBe(0o600);
  });
});

describe("reenact redact test", { timeout: TIMEOUT }, () => {
  const run = (args: string[], more: { input?: string } = {}): Promise<Ended> =>
    launch(
      [
        process.execPath,
        fileURLToPath(new URL("../../packages/cli/bin/reenact.js", import.meta.url)),
        "redact",
        "test",
        ...args,
        "--store",
        store.folder,
      ],
      {
        ...options(),
        ...more,
      },
    );

  test("--json: hits in the original, in UTF-16 units", async () => {
    config("note.txt", `Grüße 🌍 ${TEXT}\npassword: hunter2hunter2`);
    const { stdout, code, stderr } = await run(["note.txt", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const answer = JSON.parse(stdout) as {
      text: string;
      hits: { type: string; rule: string; start: number; end: number }[];
    };
    const text = readFileSync(join(cwd, "note.txt"), "utf8");
    expect(answer.hits.map(({ type, start, end }) => [type, text.slice(start, end)])).toEqual([
      ["EMAIL", "alice.plant@example.com"],
      ["AUTH", "hunter2hunter2"],
    ]);
    for (const { rule } of answer.hits) expect(rule).not.toBe("");
    expect(answer.text).toMatch(/^Grüße 🌍 ask EMAIL_\w+ about E-123456\npassword: AUTH_\w+$/);
    // looking makes no key
    expect(existsSync(join(store.folder, "redaction.key"))).toBe(false);
  });

  test("--jsonl: one answer a line, from standard input; a bad line is named", async () => {
    const input = [{ text: TEXT }, { text: "nothing" }, { text: '{"password":"x1y2"}', mime: "application/json" }];
    const { stdout } = await run(["-", "--jsonl"], {
      input: `${input.map((line) => JSON.stringify(line)).join("\n")}\n`,
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { text: string; hits: unknown[] });
    expect(answers.map(({ hits }) => hits.length)).toEqual([1, 0, 1]);
    const bad = await run(["-", "--jsonl"], { input: '{"text":1}\n' });
    expect([bad.code, bad.stderr]).toEqual([3, expect.stringContaining("line 1")]);
  });

  test("for people: no value unless asked for; with the project's policy", async () => {
    config("reenact.config.json", policy({}));
    config("body.json", JSON.stringify({ to: TEXT }));
    const plain = await run(["body.json"]);
    expect(plain.stdout).toMatch(/^1:\d+ +EMAIL .*\n1:\d+ +EMPLOYEE +custom-employee +8 characters\n$/);
    expect(plain.stdout).not.toContain("alice");
    expect(plain.stderr).toMatch(/^2 values redacted: 1 EMAIL, 1 EMPLOYEE · policy ours, rule set [0-9a-f]{16}\n$/);
    expect((await run(["body.json", "--show-values"])).stdout).toContain("alice.plant@example.com");
    config("reenact.config.json", "{");
    expect(await run(["body.json"])).toMatchObject({ code: 3, stderr: expect.stringContaining("REEN-REDACTION") });
  });
});

describe("why something was replaced", { timeout: TIMEOUT }, () => {
  test("redact test --explain: place, rule and reason, no value", async () => {
    config("reenact.config.json", policy({ paths: { deny: ["note"] } }));
    config("body.json", `{"to": ["${TEXT}"],\n "note": "flu", "alice.plant@example.com": {"password": "hunter2!x"}}`);
    const args = ["redact", "test", "body.json", "--explain", "--store", store.folder];
    const bin = fileURLToPath(new URL("../../packages/cli/bin/reenact.js", import.meta.url));
    const explain = (...more: string[]) => launch([process.execPath, bin, ...args, ...more], options());
    const { stdout } = await explain();
    expect(stdout).not.toMatch(/alice|hunter2|flu|E-123456/);
    expect(stdout).toMatch(/^1:14 +EMAIL +email +23 characters\n +at \/to\/0: e-mail addresses$/m);
    expect(stdout).toMatch(/^1:44 +EMPLOYEE .*\n +at \/to\/0: a pattern of the policy for EMPLOYEE$/m);
    expect(stdout).toMatch(/^2:11 +FIELD +path\.deny .*\n +at \/note: the policy denies this path$/m);
    expect(stdout).toMatch(/^2:\d+ +AUTH +auth\.name .*\n +at \/EMAIL_\w+\/password: whole values under secret names/m);
    const { hits } = JSON.parse((await explain("--json")).stdout) as { hits: Record<string, unknown>[] };
    expect(hits[0]).toMatchObject({ rule: "email", at: "/to/0", line: 1, column: 14, why: "e-mail addresses" });
  });

  test("show --redactions: per step rule, type, number and place, no value", async () => {
    config("reenact.config.json", policy({}));
    const { summary } = await store.run(COMMAND, options());
    const { stdout } = await store.command("show", summary.run ?? "", "--redactions");
    expect(stdout).toMatch(/^step 1 .*values? redacted: /);
    expect(stdout).toMatch(/^ +email +EMAIL +1 +\/call\/args/m);
    expect(stdout).toMatch(/^ +custom-employee +EMPLOYEE +1 +\/call\/args/m);
    expect(stdout).toMatch(/^email: e-mail addresses$/m);
    expect(stdout).not.toMatch(/alice|E-123456/);
    const answer = JSON.parse((await store.command("show", summary.run ?? "", "--redactions", "--json")).stdout) as {
      redactions: { step: number; places: unknown[] }[];
    };
    expect(answer.redactions[0]).toMatchObject({
      step: 1,
      policy: "ours",
      places: expect.arrayContaining([expect.objectContaining({ rule: "email", type: "EMAIL", n: 1 })]) as unknown,
    });
    const { report } = await store.replay(summary.run ?? "", COMMAND, options());
    expect(report).toMatchObject({ verdict: "identical" });
  });
});

describe("what leaves the store", { timeout: TIMEOUT }, () => {
  test("show writes tokens by type; export refuses what the rules of now find", async () => {
    const { summary } = await store.run(COMMAND, options());
    const shown = await store.command("show", summary.run ?? "");
    expect(shown.stdout).toContain("‹EMAIL 1›");
    expect(shown.stdout).toMatch(/\d+ values? redacted: \d+ EMAIL/);
    expect(shown.stdout).not.toMatch(/EMAIL_[a-z]{4}_/);
    expect((await store.command("export", summary.run ?? "", "--json")).code).toBe(0);
    config("later.json", policy({}));
    const refused = await store.command("export", summary.run ?? "", "--json", "--config", join(cwd, "later.json"));
    expect([refused.code, refused.stdout]).toEqual([3, ""]);
    expect(refused.stderr).toMatch(/holds what would now be redacted \(\d+ values? redacted: \d+ EMPLOYEE\).*--as-is/);
    const asIs = await store.command(
      "export",
      summary.run ?? "",
      "--json",
      "--as-is",
      "--config",
      join(cwd, "later.json"),
    );
    expect(asIs.code).toBe(0);
  });
});
