import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CollectorChild, startCollectorChild } from "./collector-child.ts";
import { bin, launch } from "./reenact.ts";
import { until } from "./running-collector.ts";

const AGENT = fileURLToPath(new URL("../../packages/cli/dist/demo/agent.js", import.meta.url));

describe("the demo run", () => {
  let project: string;
  let up: CollectorChild;
  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), "reenact-demo-test-"));
    const command = ["--", process.execPath, "agent.mjs"];
    up = await startCollectorChild([bin, "up", "--json", "--port", "0", ...command], { cwd: project });
  }, 60_000);
  afterAll(async () => {
    await up?.stop();
    rmSync(project, { recursive: true, force: true });
  });

  test("needs no network and no key, fails as told, and replays identical when its model is gone", async () => {
    const [facts, replayed] = [join(project, "demo.json"), join(project, "replay.json")];
    const store = join(project, "alone");
    const demo = await launch([process.execPath, bin, "demo", "--store", store, "--json-file", facts], {
      cwd: project,
      env: { HTTPS_PROXY: "http://127.0.0.1:1", OPENAI_API_KEY: undefined },
    });
    expect(demo.code, demo.stderr).toBe(0);
    expect(demo.stderr).toContain("the order that the customer keeps is gone");
    const recorded = JSON.parse(readFileSync(facts, "utf8")) as { run: string };
    expect(recorded).toMatchObject({ status: "failed", steps: 9, complete: true, exitCode: 1 });
    const replay = ["replay", recorded.run, "--store", store, "--json-file", replayed];
    const again = await launch(
      [process.execPath, bin, ...replay, "--", process.execPath, AGENT, "http://127.0.0.1:1"],
      { cwd: project },
    );
    expect([again.code, JSON.parse(readFileSync(replayed, "utf8"))]).toMatchObject([0, { verdict: "identical" }]);
  });

  test("a demo that records nothing is no success", async () => {
    const ended = await launch([process.execPath, bin, "demo", "--store", join(project, "off")], {
      cwd: project,
      env: { REENACT_DISABLED: "1" },
    });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining("REENACT_DISABLED")]);
  });

  interface Checks {
    readonly project: string | null;
    readonly admitted: boolean;
    readonly checks: readonly { readonly id: string; readonly ok: boolean; readonly line: string }[];
  }
  const token = () => /#token=(.+)$/.exec(up.replays ?? "")?.[1] ?? "";
  const post = (headers: Record<string, string>) =>
    fetch(`${up.http}/api/v1/project/demo`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });

  test("a page shows what doctor finds in the project, and whether this collector takes its runs", async () => {
    const checks = async (headers: Record<string, string>) =>
      (await (await fetch(`${up.http}/api/v1/project/checks`, { headers })).json()) as Checks;
    const found = await checks({});
    expect(found.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(found.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(["node", "policy", "store", "endpoint"]));
    expect(found.checks.find(({ id }) => id === "endpoint")?.line).toContain(`${up.http}: collector`);
    expect([found.admitted, (await checks({ "x-reenact-token": token() })).admitted]).toEqual([false, true]);
  });

  test("only a page of the printed link records the demo, one at a time, and the collector gets the run", async () => {
    for (const headers of [
      {},
      { "x-reenact-token": "no such token, and long enough" },
      { "x-reenact-token": token(), "x-forwarded-for": "10.0.0.7" },
      { "x-reenact-token": token(), origin: "https://evil.example" },
    ])
      expect((await post(headers as Record<string, string>)).status).toBe(403);
    const [first, second] = await Promise.all([
      post({ "x-reenact-token": token() }),
      post({ "x-reenact-token": token() }),
    ]);
    expect([first.status, second.status].toSorted()).toEqual([200, 409]);
    const { run, failure } = (await (first.status === 200 ? first : second).json()) as { run: string; failure: null };
    expect([run, failure]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), null]);
    await until("the collector has the run", async () => (await fetch(`${up.http}/api/v1/runs/${run}`)).ok);
  });
});
