import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { edits } from "./edits.ts";
import { ownBench } from "./own-bench.ts";

const { edited } = edits();

describe("an edit of what the program says of its run", () => {
  const IMPORT = `import { flag, identify } from "@reenact/node";`;
  const inProcess = (said: string): string => `${IMPORT} await call("a"); ${said} await call("b");`;
  const inAgent = (said: string): string =>
    `${IMPORT} await agent("a", async () => { await call("a"); ${said} return 1; })();`;
  const cases = {
    "a flag that is gone": [`flag("slow");`, ``],
    "another reason of a flag": [`flag("slow");`, `flag("wrong");`],
    "a second flag": [`flag("slow");`, `flag("slow"); flag("wrong");`],
    "a first flag": [``, `flag("slow");`],
    "another user": [`identify({ user: "u1" });`, `identify({ user: "u2" });`],
    "another user whose name is redacted": [
      `identify({ user: "ann@example.com" });`,
      `identify({ user: "bob@example.com" });`,
    ],
    "another session": [`identify({ session: "s1" });`, `identify({ session: "s2" });`],
    "another tag": [`identify({ tags: ["a", "b"] });`, `identify({ tags: ["a"] });`],
    "no identify()": [`identify({ user: "u1" });`, ``],
  } as const;
  for (const [index, [name, [before, after]]] of Object.entries(cases).entries()) {
    const program = index % 2 === 0 ? inProcess : inAgent;
    test(`is found: ${name} (${program.name})`, async () => {
      const { code, report } = await edited(program(before), program(after));
      expect(report).toMatchObject({ verdict: "diverged", divergence: { step: null, verdict: "metadata-changed" } });
      expect(report.findings).toContain("metadata-changed");
      expect(code).toBe(10);
    });
  }

  test("is not found in a tool that is served, whose body does not run", async () => {
    const before = `${IMPORT} const t = tool("t", async () => { flag("in"); identify({ user: "u1", tags: ["in"] }); return 1; });
identify({ tags: ["out"] }); await t(); flag("out"); await call("b");`;
    const { report } = await edited(before, before.replace("b", "b"));
    expect(report.verdict).toBe("identical");
    const other = await edited(before, before.replace(`flag("out")`, `flag("other")`));
    expect(other.report.divergence).toMatchObject({
      verdict: "metadata-changed",
      recorded: ["out"],
      now: ["other"],
    });
  });
});

describe("what the program says of its run, under another redaction key", () => {
  const bench = ownBench();
  const program = (user: string): string => `import { flag, identify, tool } from "@reenact/node";
await tool("t", async () => 1)(); identify({ user: "${user}" }); flag("for ${user}");`;

  test("is compared by place", async () => {
    const file = join(import.meta.dirname, `../programs/says-${process.pid}.mjs`);
    const command = [process.execPath, file];
    try {
      writeFileSync(file, program("ann@example.com"));
      const { summary } = await bench.store.run(command);
      const env = { REENACT_REDACTION_KEY: "ffeeddccbbaa9988".repeat(4) };
      const { report } = await bench.store.replay(summary.run ?? "", command, { env });
      expect(report.verdict).toBe("identical (1 value by place)");
      writeFileSync(file, program("nobody"));
      const other = await bench.store.replay(summary.run ?? "", command, { env });
      expect(other.report.divergence?.verdict).toBe("metadata-changed");
    } finally {
      rmSync(file, { force: true });
    }
  });
});

describe("bytes of an output that are not UTF-8", () => {
  for (const [name, write] of Object.entries({
    "at once": `process.stdout.write(Buffer.from([0xff, 0x41, 0x0a]));`,
    "on standard error": `process.stderr.write(Buffer.from([0xff, 0x41, 0x0a]));`,
    "in two writes": `process.stdout.write(Buffer.from([0xe2, 0xff])); process.stdout.write(Buffer.from([0x41, 0x0a]));`,
  }))
    test(`differ: ${name}`, async () => {
      const before = `await call("a"); ${write}`;
      const { code, report } = await edited(before, before.replace("0xff", "0xfe"));
      expect(report.divergence?.verdict).toMatch(/^(output|stderr)-changed$/);
      expect(code).toBe(10);
    });
});

describe("what a program sees of its surroundings", () => {
  const bench = ownBench();
  const file = join(import.meta.dirname, `../programs/surroundings-${process.pid}.mjs`);
  const command = [process.execPath, file];
  const program = `import { isatty } from "node:tty";
const ask = () => fetch(process.env.PROVIDER_URL + "/v1/chat/completions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content: "a" }] }) });
await (await ask()).text();
console.log(process.ppid, process.env.NODE_ENV, process.env.TERM, process.stdin.isTTY, isatty(0), typeof process.stdin.setRawMode);`;

  test("is as it was recorded", async () => {
    writeFileSync(file, program);
    try {
      const env = { PROVIDER_URL: bench.provider.url };
      const { summary, stdout } = await bench.store.run(command, {
        env: { ...env, NODE_ENV: "production", TERM: "dumb" },
      });
      expect(stdout).toMatch(/^\d+ production dumb undefined false undefined\n$/);
      const mine = { ...env, NODE_ENV: "test", TERM: "xterm" };
      const replayed = await bench.store.replay(summary.run ?? "", command, { env: mine });
      expect(replayed.stdout).toBe(stdout);
      expect(replayed.report).toMatchObject({
        verdict: "identical",
        notes: ["environment: as recorded, though it is another here: NODE_ENV, TERM (--env <name> takes yours)"],
      });
      const own = await bench.store.replay(summary.run ?? "", command, { env: mine, flags: ["--env", "NODE_ENV"] });
      expect(own.stdout).toMatch(/ test dumb /);
      expect(own.report.divergence?.verdict).toBe("output-changed");
    } finally {
      rmSync(file, { force: true });
    }
  });
});
