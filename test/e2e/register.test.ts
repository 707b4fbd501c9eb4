import { type ChildProcess, spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { describe, expect, test } from "vitest";
import { sealSpool } from "@reenact/node/seal";

// programs stand outside the checkout, so that its package.json files say nothing about them
const REGISTER = built("../../packages/node/dist/register.js");
const API = JSON.stringify(built("../../packages/node/dist/index.js"));
const FLAGS = ["--import", REGISTER];

function built(path: string): string {
  return new URL(path, import.meta.url).href;
}

function program(text: string, name = "agent.mjs"): { folder: string; file: string; store: string } {
  const folder = mkdtempSync(join(tmpdir(), "reenact-node-"));
  const file = join(folder, name);
  writeFileSync(file, text);
  return { folder, file, store: join(folder, ".reenact") };
}

function environmentOf(extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", ...extra };
}

type Ended = SpawnSyncReturns<string> & { store: string; folder: string };

function run(text: string, env: Record<string, string> = {}, name?: string, flags = FLAGS): Ended {
  const { folder, file, store } = program(text, name);
  return {
    ...spawnSync(process.execPath, [...flags, file], { cwd: folder, encoding: "utf8", env: environmentOf(env) }),
    store,
    folder,
  };
}

function only(store: string, options?: Parameters<typeof sealSpool>[1]) {
  const sealed = sealSpool(store, options);
  expect(sealed.length).toBe(1);
  const [one] = sealed as [(typeof sealed)[number]];
  return { ...one, envelope: readEnvelope(readFileSync(one.path)) };
}

const USES = `import { agent, step, tool } from ${API};
const add = tool("add", (a, b) => a + b);
`;

describe("a program with a tool", () => {
  test("natural end: one complete run, nothing else said or changed", () => {
    const done = run(`${USES}console.log("sum", add(1, 2), process.env.SECRET_TOKEN?.length);`, {
      SECRET_TOKEN: "hunter2hunter2",
      OTEL_SERVICE_NAME: "svc",
    });
    expect([done.status, done.stdout, done.stderr]).toEqual([0, "sum 3 14\n", ""]);
    const { header, manifest, envelope, died } = only(done.store);
    expect(died).toBe(false);
    expect(header.status).toBe("ok");
    expect(manifest).toMatchObject({
      name: "svc",
      trigger: "process",
      steps: 1,
      complete: true,
      incompleteReasons: [],
    });
    expect(envelope.facts).toMatchObject({
      process: { exitCode: 0, entry: "agent.mjs", node: process.versions.node },
      recorder: { name: "@reenact/node" },
      stdout: { bytes: 9 },
      environment: { SECRET_TOKEN: expect.stringMatching(/^[A-Z]+_[a-z]{4}_[a-z]{16}$/) as string },
    });
    expect(readFileSync(join(done.store, ".gitignore"), "utf8")).toBe("*\n");
  });

  test("process.exit with a code", () => {
    const done = run(`${USES}add(1, 2); process.exit(3);`);
    expect(done.status).toBe(3);
    const { header, envelope } = only(done.store);
    expect(header.status).toBe("failed");
    expect(envelope.facts).toMatchObject({ process: { exitCode: 3 } });
  });

  test("an uncaught error", () => {
    const done = run(`${USES}add(1, 2); throw new RangeError("too far");`);
    expect([done.status, done.stderr.includes("RangeError: too far")]).toEqual([1, true]);
    const { manifest, envelope } = only(done.store);
    expect(manifest).toMatchObject({ status: "failed", error: { class: "RangeError", message: "too far" } });
    expect(envelope.root?.status.message).toBe("too far");
  });

  test("an agent() that is under way when the process ends", () => {
    const done = run(
      `${USES}agent("a", async () => { add(1, 2); await new Promise((r) => setTimeout(r, 60_000)); })(); setTimeout(() => process.exit(0), 50);`,
    );
    expect(done.status).toBe(0);
    const sealed = sealSpool(done.store).toSorted((a, b) => a.manifest.steps - b.manifest.steps);
    expect(sealed.map(({ died }) => died)).toEqual([false, false]);
    expect(sealed.map(({ manifest }) => manifest)).toMatchObject([
      { status: "ok", trigger: "surrounding", steps: 0 },
      { status: "aborted", trigger: "function", name: "a", steps: 1 },
    ]);
  });

  test("V8's code is kept outside the project by a process with a run, and a start with it records the same", () => {
    const TMPDIR = mkdtempSync(join(tmpdir(), "reenact-code-test-"));
    expect(run(`console.log("nothing agentic");`, { TMPDIR }).status).toBe(0);
    expect(readdirSync(TMPDIR)).toEqual([]);
    for (let start = 0; start < 2; start++) {
      const done = run(`${USES}console.log(add(1, 2));`, { TMPDIR });
      expect([done.status, done.stdout, done.stderr]).toEqual([0, "3\n", ""]);
      expect(only(done.store).manifest).toMatchObject({ complete: true, steps: 1 });
    }
    const [kept = ""] = readdirSync(TMPDIR);
    expect(readdirSync(join(TMPDIR, kept)).length).toBeGreaterThan(5);
    rmSync(TMPDIR, { recursive: true });
  });

  test("as CommonJS, as TypeScript, through NODE_OPTIONS", () => {
    const cjs = run(
      `const { tool } = require(${JSON.stringify(fileURLToPath(built("../../packages/node/dist/index.js")))}); console.log(tool("t", () => 7)());`,
      {},
      "agent.cjs",
    );
    expect([cjs.stdout, cjs.status]).toEqual(["7\n", 0]);
    expect(only(cjs.store).manifest.complete).toBe(true);
    const ts = run(
      `${USES}const n: number = add(3, 4) as number; console.log(n);`,
      { NODE_OPTIONS: FLAGS.join(" ") },
      "agent.ts",
      [],
    );
    expect([ts.stdout, ts.status]).toEqual(["7\n", 0]);
    expect(only(ts.store).manifest.complete).toBe(true);
  });

  test("listeners: one each of beforeExit, exit and uncaughtExceptionMonitor more, and no other", () => {
    const count = `const names = ["beforeExit", "exit", "uncaughtExceptionMonitor", "uncaughtException", "unhandledRejection", "warning", "SIGTERM", "SIGINT", "newListener"];
      console.log(JSON.stringify(names.map((n) => process.listenerCount(n))));`;
    const [plain, ours] = [run(count, {}, "a.mjs", []), run(count)].map((done) => JSON.parse(done.stdout) as number[]);
    expect(ours?.map((n, i) => n - (plain?.[i] ?? 0))).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0]);
  });
});

describe("a process that is killed", () => {
  const LOOP = `${USES}
for (let i = 0; ; i++) { add(i, i); if (i === 20) { tool("slow", () => new Promise(() => {}))(); console.log("ready"); await new Promise((r) => setTimeout(r, 60_000)); } }`;

  async function killed(signal: NodeJS.Signals): Promise<string> {
    const { folder, file, store } = program(LOOP);
    const child: ChildProcess = spawn(process.execPath, [...FLAGS, file], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: environmentOf(),
    });
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    // the request of the last step is written in a turn behind its start
    const spool = join(store, "spool");
    const size = (): number => readdirSync(spool).reduce((sum, name) => sum + statSync(join(spool, name)).size, 0);
    for (let before = -1; before !== size();) {
      before = size();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const gone = new Promise<[number | null, string | null]>((resolve) => child.once("exit", (...how) => resolve(how)));
    child.kill(signal);
    expect(await gone).toEqual([null, signal]);
    return store;
  }

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "%s: what had ended is whole, what had not is shown as such",
    async (signal) => {
      const store = await killed(signal);
      const instance = (readdirSync(join(store, "spool"))[0] as string).replace(".spool", "");
      const { manifest, envelope, died } = only(store, { instance });
      expect(died).toBe(true);
      expect(manifest).toMatchObject({ status: "aborted", complete: false, steps: 22 });
      const failed = envelope.steps.filter((s) => s.span.status.code === 2);
      expect(failed.map((s) => [s.record.op, s.span.status.message])).toEqual([["tool:slow", "process died"]]);
      expect(failed[0]?.record.call?.args).toBeDefined();
      expect(envelope.facts).toMatchObject({ died: true, steps: 22, process: { entry: "agent.mjs" } });
    },
  );
});

describe("a program that is not recorded", () => {
  test("no agentic step: nothing is created", () => {
    const server = run(`import http from "node:http";
      const server = http.createServer((q, r) => r.end("ok")).listen(0, async () => {
        for (let i = 0; i < 20; i++) console.log(await (await fetch("http://127.0.0.1:" + server.address().port)).text(), Date.now() > 0, process.env.HOME?.length);
        server.close();
      });`);
    expect([server.status, server.stderr]).toEqual([0, ""]);
    expect(existsSync(server.store)).toBe(false);
  });

  test.each([{ REENACT_DISABLED: "1" }, { OTEL_SDK_DISABLED: "true" }])("switched off by %o", (env) => {
    const done = run(`${USES}console.log(add(1, 2), process.listenerCount("exit"));`, env as Record<string, string>);
    expect([done.status, done.stdout, done.stderr, existsSync(done.store)]).toEqual([0, "3 0\n", "", false]);
  });

  test("a store that cannot be written: one line, and the agent runs", () => {
    const { folder, file, store } = program(`${USES}for (let i = 0; i < 3; i++) add(1, 2); console.log("done");`);
    writeFileSync(store, "a file where the store should be");
    const done = spawnSync(process.execPath, [...FLAGS, file], { cwd: folder, encoding: "utf8", env: environmentOf() });
    expect([done.status, done.stdout]).toEqual([0, "done\n"]);
    expect(done.stderr).toMatch(/^reenact: recording disabled: .*; the agent keeps running\n$/);
  });

  test("an unusable redaction key: one line, nothing is spooled", () => {
    const done = run(`${USES}console.log(add(1, 2));`, { REENACT_REDACTION_KEY: "short" });
    expect([done.status, done.stdout]).toEqual([0, "3\n"]);
    expect(done.stderr).toMatch(/^reenact: recording disabled: REENACT_REDACTION_KEY .*\n$/);
    expect(existsSync(done.store)).toBe(false);
  });

  test("a passphrase in place of a key: it is used, and one line says so", () => {
    const text = `${USES}console.log(add(1, 2)); console.log(add(3, 4));`;
    const done = run(text, { REENACT_REDACTION_KEY: "correct horse battery staple" });
    expect([done.status, done.stdout]).toEqual([0, "3\n7\n"]);
    expect(done.stderr).toMatch(/^reenact: REENACT_REDACTION_KEY holds a passphrase: [^\n]*openssl rand -hex 32\n$/);
    expect(done.stderr).not.toContain("battery");
    expect(existsSync(done.store)).toBe(true);
  });
});

test("instrument() in code records too; called again it keeps the first recording", () => {
  const text = `import { instrument, tool } from ${API};
instrument({ name: "mine" });
instrument({ name: "other" });
console.log(tool("t", () => 1)());`;
  const done = run(text, {}, "agent.mjs", []);
  expect([done.status, done.stdout]).toEqual([0, "1\n"]);
  expect(done.stderr).toBe("reenact: instrument() came after the recording had begun: name not used\n");
  expect(only(done.store).manifest.name).toBe("mine");
});
