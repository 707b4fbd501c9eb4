import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import { bin, launch, Store } from "../e2e/reenact.ts";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";

const program = fileURLToPath(new URL("ending-agent.mjs", import.meta.url));
const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const logs = mkdtempSync(join(tmpdir(), "sealer-"));
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
});

afterAll(async () => {
  await provider.stop();
  rmSync(logs, { recursive: true, force: true });
});

const spooled = (store: Store): string[] => readdirSync(join(store.folder, "spool"));
const sealedRuns = (store: Store): string[] =>
  existsSync(join(store.folder, "runs"))
    ? readdirSync(join(store.folder, "runs")).filter((name) => name.endsWith(".reenact"))
    : [];

/** Runs an agent with nothing but the preload, which leaves a spool file behind. */
async function leftBehind(store: Store, how: string): Promise<void> {
  const env = { PROVIDER_URL: provider.url, REENACT_STORE: store.folder };
  await launch([process.execPath, "--import", preload, program, how], { env });
  expect(spooled(store)).toHaveLength(1);
}

function age(store: Store): void {
  const then = new Date(Date.now() - 6000);
  for (const name of spooled(store)) utimesSync(join(store.folder, "spool", name), then, then);
}

describe("a spool without reenact run", () => {
  it("of a process that ended is sealed by the next command", async () => {
    const store = new Store();
    await leftBehind(store, "exit");
    const { runs } = JSON.parse((await store.command("ls", "--json")).stdout) as {
      runs: { status: string; steps: number; complete: boolean }[];
    };
    expect(runs).toMatchObject([{ status: "failed", steps: 4, complete: true }]);
    expect(spooled(store)).toEqual([]);
    store.remove();
  });

  it("of a process that was killed is sealed by the next command, where its id tells that it is gone", async () => {
    const store = new Store();
    await leftBehind(store, "SIGKILL");
    if (process.platform !== "linux") await sleep(5200);
    const { runs } = JSON.parse((await store.command("ls", "--json")).stdout) as { runs: unknown[] };
    expect(runs).toMatchObject([{ status: "aborted", steps: 4, complete: false }]);
    expect(spooled(store)).toEqual([]);
    store.remove();
  });
});

describe("a sealer that is killed", () => {
  it("leaves no half-written file for longer than a minute", async () => {
    const store = new Store();
    await leftBehind(store, "exit");
    const folder = join(store.folder, "runs");
    mkdirSync(folder);
    const names = { old: 61_000, young: 20_000, strange: 61_000 };
    const file = (name: string): string =>
      name === "strange"
        ? "notes.tmp-1-of-mine"
        : `${"ab".repeat(16)}.reenact.tmp-4711-${name === "old" ? "0" : "1"}1234567`;
    for (const [name, age] of Object.entries(names)) {
      writeFileSync(join(folder, file(name)), "half");
      const then = new Date(Date.now() - age);
      utimesSync(join(folder, file(name)), then, then);
    }
    expect(await store.command("ls")).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(folder).filter((name) => !name.endsWith(".reenact"))).toEqual(
      [file("young"), file("strange")].toSorted(),
    );
    expect(sealedRuns(store)).toHaveLength(1);
    store.remove();
  });

  it("leaves all of the run to the next one", { timeout: 240_000 }, async () => {
    const first = new Store();
    await leftBehind(first, "SIGKILL");
    for (let n = 0; n < scale(2, 12, 60); n++) {
      const store = new Store();
      cpSync(join(first.folder, "spool"), join(store.folder, "spool"), { recursive: true });
      age(store);
      const sealer = spawn(process.execPath, [bin, "ls", "--store", store.folder], { stdio: "ignore" });
      const over = once(sealer, "exit");
      // killed when it has claimed the file, or some time later
      while (
        spooled(store).every((name) => name.endsWith(".spool")) &&
        spooled(store).length > 0 &&
        sealer.exitCode === null
      )
        await sleep(1);
      await sleep(Math.random() * 30);
      sealer.kill("SIGKILL");
      await over;
      await sleep(1100); // a lock of a dead process holds for a second
      const { stdout, stderr } = await store.command("ls", "--json");
      expect(JSON.parse(stdout), stderr).toMatchObject({ runs: [{ steps: 4, status: "aborted" }] });
      expect(spooled(store)).toEqual([]);
      expect(sealedRuns(store)).toHaveLength(1);
      expect(readEnvelope(readFileSync(join(store.folder, "runs", sealedRuns(store)[0] as string))).steps).toHaveLength(
        4,
      );
      store.remove();
    }
    first.remove();
  });
});

describe("a store that cannot take it", () => {
  it("is a line, no run, and the agent as without us", async () => {
    const store = new Store();
    const file = join(store.folder, "file");
    writeFileSync(file, "no folder");
    const env = { PROVIDER_URL: provider.url };
    const summary = join(store.folder, "summary.json");
    for (const bad of [join(file, "store"), file]) {
      const ended = await launch(
        [process.execPath, bin, "run", "--store", bad, "--json-file", summary, "--", process.execPath, program, "exit"],
        { env },
      );
      expect(ended).toMatchObject({
        code: 3,
        stdout: expect.stringMatching(/You said: first.*\nlooked at it\n/) as string,
      });
      expect(ended.stderr).toMatch(/^reenact: cannot record to .*REEN-STORE.*\n$/);
      expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({ run: null, runs: [], exitCode: 3 });
      // the same without `reenact run`
      const alone = await launch([process.execPath, "--import", preload, program, "exit"], {
        env: { ...env, REENACT_STORE: bad },
      });
      expect(alone).toMatchObject({
        code: 3,
        stdout: expect.stringMatching(/You said: first.*\nlooked at it\n/) as string,
      });
      expect(alone.stderr).toMatch(/^reenact: .*\n$/);
    }
    store.remove();
  });

  it.runIf(process.platform !== "win32")("is full: what was written stays, the agent goes on", async () => {
    const store = new Store();
    // the disk takes 8 KiB of a file, as far as the agent can tell
    const limited = (blocks: number): string[] => [
      "/bin/sh",
      "-c",
      `ulimit -f ${blocks}; exec "$@"`,
      "sh",
      process.execPath,
      "--import",
      preload,
      program,
      "exit",
    ];
    const ended = await launch(limited(16), { env: { PROVIDER_URL: provider.url, REENACT_STORE: store.folder } });
    expect(ended).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/You said: first.*\nlooked at it\n/) as string,
    });
    expect(ended.stderr).toMatch(/^reenact: recording disabled: .*; the agent keeps running\n$/);
    age(store);
    const { stdout } = await store.command("ls", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ complete: false, status: "aborted" }] });
    store.remove();
  });

  it("cannot be sealed into: the spool stays, and is sealed when it can be", async () => {
    const store = new Store();
    await leftBehind(store, "exit");
    writeFileSync(join(store.folder, "runs"), "a file stands where the folder should be");
    const refused = await store.command("ls");
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(/^reenact: .*REEN-STORE\]\n$/);
    expect(spooled(store)).toHaveLength(1);
    rmSync(join(store.folder, "runs"));
    await sleep(1100);
    expect(JSON.parse((await store.command("ls", "--json")).stdout)).toMatchObject({ runs: [{ steps: 4 }] });
    store.remove();
  });
});
