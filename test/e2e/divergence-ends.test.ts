import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { tryOut } from "./trial.ts";

const examples = join(import.meta.dirname, "../../examples/hand-written-loop");
const folder = mkdtempSync(join(tmpdir(), "divergence-ends-"));
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl"), script: join(examples, "script.mjs") });
  env = { PROVIDER_URL: provider.url, OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "none" };
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe("a hand-written loop", () => {
  test("whose tool only calls an HTTP API replays, and says that its tools are not recorded", async () => {
    const { startWeather } = (await import(join(examples, "weather-service.mjs"))) as {
      startWeather(): Promise<{ url: string; server: Server }>;
    };
    const { url, server } = await startWeather();
    const recorded = await tryWith("agent", { WEATHER_URL: url });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { code, stdout, report } = await replay(recorded.summary.run, "agent", { WEATHER_URL: url });
    expect({ code, stdout }).toEqual({ code: 0, stdout: recorded.stdout });
    expect(report.findings).toContain("tools-unrecorded");
    expect(report.socketsRefused).toBe(0);
  });

  test("whose tool writes a file stops before it does; with the flag it writes a copy", async () => {
    const notes = join(folder, "notes.txt");
    const recorded = await tryWith("agent-writes", { NOTES_FILE: notes });
    const written = readFileSync(notes, "utf8");
    const stopped = await replay(recorded.summary.run, "agent-writes", { NOTES_FILE: notes });
    expect(stopped.code).toBe(11);
    expect(stopped.report.stopped?.message).toContain('tool("write_note"');
    expect(readFileSync(notes, "utf8")).toBe(written);
    const copied = await replay(recorded.summary.run, "agent-writes", { NOTES_FILE: notes }, [
      "--allow-unrecorded-tools",
    ]);
    expect({ code: copied.code, stdout: copied.stdout }).toEqual({ code: 0, stdout: recorded.stdout });
    expect(readFileSync(notes, "utf8")).toBe(written);
  });

  function tryWith(program: string, more: Record<string, string>) {
    return store.run([process.execPath, join(examples, `${program}.mjs`)], { env: { ...env, ...more } });
  }

  function replay(run: string | null, program: string, more: Record<string, string>, flags: readonly string[] = []) {
    return store.replay(run ?? "", [process.execPath, join(examples, `${program}.mjs`)], {
      env: { ...env, ...more },
      flags,
    });
  }
});

test("a command that is no Node program is told as one that did not load the replay", async () => {
  const program = join(import.meta.dirname, "../programs/asks-by-variable.mjs");
  const recorded = await store.run([process.execPath, program], { env });
  const { code, report } = await store.replay(recorded.summary.run ?? "", ["true"], { env });
  expect(code).toBe(10);
  expect(report.divergence?.verdict).toBe("not-loaded");
  expect(report.divergence?.cause).toContain("is it a Node program?");
});

describe("a program that never ends", () => {
  test("a served answer that comes too late is no end: --timeout kills it, and the verdict says so", async () => {
    const { replayed } = await tryOut(store, {
      program: "output-only",
      changed: ["", "0", "for ever"],
      flags: ["--timeout", "4"],
      env,
    });
    expect(replayed.code).toBe(10);
    expect(replayed.report.divergence).toMatchObject({ verdict: "timeout" });
    expect(replayed.report.stopped).toMatchObject({ reason: "timeout" });
  });

  test("a listening server that waits for a call that never comes: the watchdog says which", async () => {
    const { replayed } = await tryOut(store, {
      program: "dropped-call-beside-server",
      changed: ["without-b"],
      flags: ["--timeout", "20"],
      env,
    });
    expect(replayed.code).toBe(10);
    expect(replayed.report.divergence).toMatchObject({ verdict: "missing", step: 2 });
    expect(replayed.stdout).toBe("a\nend\n");
  });
});

describe("calls that are left over, and calls too many", () => {
  test("a call that the record does not hold rejects, and the others go on", async () => {
    const { recorded, replayed } = await tryOut(store, {
      program: "dropped-call",
      changed: ["with-e"],
      flags: ["--timeout", "20"],
      env,
    });
    expect(replayed.code).toBe(10);
    expect(replayed.report.divergence).toMatchObject({ step: 5, verdict: "exhausted" });
    expect(replayed.stdout).toBe(`e: ReplayMiss\n${recorded.stdout}`);
  });

  test("the first of two same calls that is dropped is the one that is missing", async () => {
    const { replayed } = await tryOut(store, {
      program: "dropped-call",
      changed: ["without-d"],
      flags: ["--timeout", "20"],
      env,
    });
    expect(replayed.report).toMatchObject({ missing: 1, divergence: { step: 4, verdict: "missing" } });
    expect(replayed.report.calls.map(({ verdict }) => verdict).toSorted()).toEqual([
      "exact",
      "exact",
      "exact",
      "missing",
    ]);
  });

  test("steps in flight at the end of the recorded run are not missing", async () => {
    const { recorded, replayed } = await tryOut(store, { program: "exit-in-flight", env });
    expect({ code: replayed.code, missing: replayed.report.missing, stdout: replayed.stdout }).toEqual({
      code: 0,
      missing: 0,
      stdout: recorded.stdout,
    });
  });

  test("nothing served is no match: no-substance", async () => {
    const { replayed } = await tryOut(store, { program: "killed-in-first-call", changed: ["crash"], env });
    expect(replayed.code).toBe(10);
    expect(replayed.report.findings).toContain("no-substance");
  });
});
