import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bin, launch, Store } from "./reenact.ts";
import { agent, shortRuns, type ShortRuns } from "./short-runs.ts";

let runs: ShortRuns;

beforeAll(async () => {
  runs = await shortRuns([]);
});

afterAll(() => runs.stop());

describe("doctor", () => {
  it("with a command records it once, in a store of its own, and audits what it did", async () => {
    const env = { PROVIDER_URL: runs.url };
    const other = join(runs.folder, "doctors");
    const ended = await launch([process.execPath, bin, "doctor", "--store", other, "--json", "--", ...agent], {
      env,
      cwd: runs.folder,
    });
    const { checks } = JSON.parse(ended.stdout) as { checks: { id: string; ok: boolean }[] };
    expect(ended.code).toBe(0);
    expect(checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "recorded",
        "model-calls",
        "tool-calls",
        "retrieval",
        "human-input",
        "clock",
        "randomness",
        "environment",
        "order",
      ]),
    );
    expect(existsSync(other)).toBe(false);
    // the agent's own output is not among the data
    expect(ended.stderr).toContain("You said: hello");
    const none = await launch([process.execPath, bin, "doctor", "--store", other, "--", process.execPath, "-e", "0"], {
      cwd: runs.folder,
    });
    expect(none.code).toBe(1);
    expect(none.stdout).toMatch(/^✗ recorded .*no run started.*Fix: /m);
    const missing = await launch([process.execPath, bin, "doctor", "--store", other, "--", "./none"], {
      cwd: runs.folder,
    });
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/^✗ recorded .*cannot start/m);
  });

  it("names the packages with a hook of the folder, and those of a version that is not hooked", async () => {
    const folder = join(runs.folder, "hooked");
    const install = (name: string, version: string): void => {
      mkdirSync(join(folder, "node_modules", name), { recursive: true });
      writeFileSync(join(folder, "node_modules", name, "package.json"), JSON.stringify({ name, version }));
    };
    const line = async (): Promise<string> => {
      const ended = await launch([process.execPath, bin, "doctor", "--store", join(folder, "store")], { cwd: folder });
      expect(ended.code).toBe(0);
      return /^✓ hooks +(.*)$/m.exec(ended.stdout)?.[1] ?? "";
    };
    mkdirSync(folder);
    expect(await line()).toBe("no library with a hook of its own in this folder");
    install("pg", "8.13.1");
    install("openai", "6.9.0");
    install("undici", "7.0.0");
    expect(await line()).toBe(
      "PostgreSQL through pg (pg 8.13.1), requests of npm's undici (undici 7.0.0), tools of OpenAI's runTools (openai 6.9.0: no hook, which versions from 7.0.0 below 8.0.0 have)",
    );
    install("pg", "9.0.0-beta.1");
    expect(await line()).toContain(
      "PostgreSQL through pg (pg 9.0.0-beta.1: no hook, which versions from 8.11.0 below 9.0.0 have)",
    );
  });

  it("says what is wrong in the environment", async () => {
    const ended = await launch([process.execPath, bin, "doctor", "--store", join(runs.folder, "x")], {
      env: { REENACT_EXIT_MS: "soon", REENACT_DISABLED: undefined },
    });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^✗ configuration .*REENACT_EXIT_MS.*Fix: /m);
  });

  it("reads what it calls readable: a damaged run is a failed check beside all others", async () => {
    const other = new Store();
    mkdirSync(join(other.folder, "runs"));
    const bytes = readFileSync(runs.store.path(runs.ids[0]!));
    copyFileSync(runs.store.path(runs.ids[0]!), other.path("f".repeat(32)));
    expect((await runs.reenact("doctor", "--store", other.folder)).stdout).toMatch(
      /^✓ runs +1 in the store, 1 read whole: all readable$/m,
    );
    for (const at of [300, 299]) bytes[bytes.length - at]! ^= 0x55;
    writeFileSync(other.path(runs.ids[0]!), bytes);
    const ended = await runs.reenact("doctor", "--store", other.folder, "--json");
    other.remove();
    const { checks } = JSON.parse(ended.stdout) as { checks: { id: string; ok: boolean; line: string; fix: string }[] };
    const failed = checks.filter(({ id, ok }) => id === "runs" && !ok);
    expect(failed).toMatchObject([{ line: expect.stringContaining(runs.ids[0]!) as string }]);
    expect(failed[0]?.fix).toMatch(/^move the file away/);
    expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(["node", "configuration", "redaction-key"]));
    expect(ended.code).toBe(1);
  });

  it("finds what keeps the recorder from recording: configuration file and key", async () => {
    const place = join(runs.folder, "broken");
    mkdirSync(place);
    writeFileSync(join(place, "reenact.config.mjs"), "export default {");
    const env = { REENACT_REDACTION_KEY: "zz" };
    const ended = await launch([process.execPath, bin, "doctor"], { cwd: place, env });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^✗ policy +recording disabled: .*reenact\.config\.mjs cannot be loaded: .*Fix: /m);
    expect(ended.stdout).toMatch(
      /^✗ redaction-key +recording disabled: REENACT_REDACTION_KEY holds 2 bytes.*Fix: set /m,
    );
    expect(existsSync(join(place, ".reenact"))).toBe(false);
  });
});
