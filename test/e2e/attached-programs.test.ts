import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { maskChance } from "../../examples/scripted-provider/serial.ts";
import { checkOpenInference } from "../contracts/openinference.ts";
import { startProvider } from "../provider/start-provider.ts";
import { scale } from "../scale.ts";
import { runScenario, type ScenarioRun } from "../scenarios/run-scenario.ts";
import { SCENARIOS, type Scenario } from "../scenarios/scenarios.ts";

interface SpanSeen {
  name: string;
  scope: string;
  status: { code: number; message?: string };
  attributes: Record<string, unknown>;
}

const preload = join(import.meta.dirname, "../programs/own-telemetry.mjs");
const folder = mkdtempSync(join(tmpdir(), "attached-"));
let provider: Provider;
let files = 0;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(async () => {
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function attached(
  scenario: Scenario,
  more: { format?: "mjs" | "cjs"; env?: Record<string, string>; flags?: readonly string[]; cwd?: string } = {},
): Promise<ScenarioRun & { spans: SpanSeen[] }> {
  const file = join(folder, `${files++}.json`);
  const flags = [...(more.flags ?? []), "--import", preload];
  const run = await runScenario(scenario, {
    format: more.format ?? "cjs",
    url: provider.url,
    cwd: more.cwd ?? folder,
    env: { OWN_SPANS: file, ...more.env },
    wrap: ([node = "", ...program]) => [node, ...flags, ...program],
  });
  if (!existsSync(file)) throw new Error(`no spans; exit ${run.exitCode}: ${run.stderr}`);
  return { ...run, spans: JSON.parse(readFileSync(file, "utf8")) as SpanSeen[] };
}

function scenario(sdk: Scenario["sdk"], name: string): Scenario {
  const found = SCENARIOS.find((row) => row.sdk === sdk && row.name === name);
  if (found === undefined) throw new Error(`no scenario ${sdk} ${name}`);
  return found;
}

/** Requests that attached mode does not see: another transport than `fetch`, or a path that says nothing on this host. */
const UNSEEN = new Set(["node-http", "node-http-stream", "node-http-reset", "upload"]);
/** Programs that bring an OpenTelemetry set-up of their own. */
const OTHERS = new Set(["beside"]);
const chosen = SCENARIOS.filter(({ name }) => !OTHERS.has(name));
const few = new Set(["openai break", "openai cut", "anthropic abort", "anthropic unread"]);
const withoutPid = (stderr: string): string => stderr.replace(/^\(node:\d+\)/gm, "(node)");

/** CI's size takes every third row, and those few. */
const step = scale(Infinity, 3, 1);

test.each(chosen.filter(({ sdk, name }, at) => few.has(`${sdk} ${name}`) || at % step === 1 % step))(
  "$sdk $name behaves as without us",
  async (row) => {
    const plain = await runScenario(row, { format: "cjs", url: provider.url, cwd: folder });
    const run = await attached(row);
    expect(maskChance(run.stdout)).toBe(maskChance(plain.stdout));
    expect(withoutPid(run.stderr)).toBe(withoutPid(plain.stderr));
    expect(run.exitCode).toBe(plain.exitCode);
    const calls = run.spans.filter(({ scope }) => scope === "@reenact/capture");
    expect(calls).toHaveLength(row.sdk === "clients" || UNSEEN.has(row.name) ? 0 : row.requests);
    expect(calls.flatMap(({ attributes }) => checkOpenInference(attributes))).toEqual([]);
    const own = run.spans.filter(({ scope }) => scope === "com.anthropic.sdk.typescript").map(({ name }) => name);
    const unsent = row.name === "abort" ? ["anthropic.messages.create"] : [];
    expect(own.filter((name) => /\.(create|count_tokens)$/.test(name))).toEqual(row.sdk === "anthropic" ? unsent : []);
    expect(calls.length + own.length).toBe(run.spans.length);
  },
);

test.each(["openai", "anthropic"] as const)(
  "without a policy %s spans carry no payload, and one line says it",
  async (sdk) => {
    const run = await attached(scenario(sdk, "parallel"), { env: { OWN_POLICY: "none", OWN_RECORD: "1" } });
    expect(run.stderr).toBe(
      "reenact: no redaction policy is loaded: spans carry no payload; add new RedactionProcessor() to spanProcessors\n",
    );
    expect(run.spans).toHaveLength(12);
    for (const { status, attributes } of run.spans) {
      expect(status).toEqual({ code: 1 });
      expect(Object.keys(attributes).toSorted()).toEqual([
        "openinference.span.kind",
        "reenact.kind",
        "reenact.replayable",
        "reenact.run.id",
        "reenact.schema",
      ]);
    }
  },
);

test.each(["mjs", "cjs"] as const)("under the recorder (%s) it steps aside and says so: one record", async (format) => {
  const flags = ["--import", "@reenact/node/register"];
  for (const sdk of ["openai", "anthropic"] as const) {
    const env = { REENACT_STORE: join(folder, `store-${sdk}-${format}`) };
    const run = await attached(scenario(sdk, "success"), { format, flags, env, cwd: import.meta.dirname });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe("reenact: this process is recorded already: the attached instrumentations make no spans\n");
    expect(run.spans.map(({ scope }) => scope)).toEqual(sdk === "openai" ? [] : ["com.anthropic.sdk.typescript"]);
  }
});
