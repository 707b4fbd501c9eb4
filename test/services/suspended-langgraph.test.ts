import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Script, startProvider } from "../../examples/scripted-provider/provider.ts";
import { Store } from "../e2e/reenact.ts";
import { scenarioEnvironment } from "../scenarios/recorded-scenario.ts";
import { missingPostgres, startPostgres } from "./postgres.ts";

const programs = join(import.meta.dirname, "../programs/suspended");
const program = [process.execPath, join(programs, "langgraph-postgres.mjs")];
const whenThere = missingPostgres() === null || process.env["REENACT_REQUIRE_SERVICES"] === "1" ? test : test.skip;
const store = new Store();
afterAll(() => store.remove());

whenThere("a ReAct agent asks in one process and gets its answer in another, over PostgreSQL", async () => {
  const { script } = (await import(join(programs, "script.mjs"))) as { script: Script };
  const [server, provider] = await Promise.all([startPostgres(), startProvider({ script })]);
  const env = { ...scenarioEnvironment(provider.url), ...server.env, REENACT_SESSION: "order 77" };
  const asked = await store.run([...program, "ask"], { env });
  const approved = await store.run([...program, "approve"], { env });
  await Promise.all([server.stop(), provider.stop()]);

  expect([asked.code, asked.stdout], asked.stderr).toEqual([
    0,
    'waits: {"question":"pay?","order":"A-77","cents":4200}\n',
  ]);
  expect(approved.stdout, approved.stderr).toContain("paid 4200 for A-77");
  expect([asked.summary.complete, approved.summary.complete]).toEqual([true, true]);
  const listed = await store.command("ls", "--session", "order 77", "--json");
  expect((JSON.parse(listed.stdout) as { runs: unknown[] }).runs).toHaveLength(2);

  for (const [recorded, mode] of [
    [asked, "ask"],
    [approved, "approve"],
  ] as const) {
    const { report, stdout, stderr } = await store.replay(recorded.summary.run ?? "", [...program, mode], { env });
    expect(report, stderr).toMatchObject({ verdict: "identical", divergence: null, socketsRefused: 0, sockets: 0 });
    expect(stdout).toBe(recorded.stdout);
  }

  const other = await store.replay(approved.summary.run ?? "", [...program, "reject"], { env });
  expect(other.report).toMatchObject({ verdict: "diverged", divergence: { verdict: "changed", pointer: "/0/answer" } });
  expect(other.report.divergence?.cause).toMatch(
    /^the decision of step \d+ \((?:interrupt|resume)\) is not the recorded one at \/0\/answer$/,
  );
});
