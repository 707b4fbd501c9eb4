import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refuses, startChildProvider, type ChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { recordScenario, replayProblems, type RecordedScenario } from "../scenarios/recorded-scenario.ts";
import { SCENARIOS, type Scenario } from "../scenarios/scenarios.ts";
import { launch, Store } from "./reenact.ts";

/** The sample of `npm test`. */
const FEW = {
  openai: ["run-tools", "big", "break", "abort-storm", "node-http"],
  anthropic: ["run-tools-stream", "reset"],
  clients: ["got-stream"],
};
/** A network namespace of its own, with nothing in it but loopback. */
const ALONE = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
const IN_NAMESPACE = ["node-http", "run-tools", "parallel-streams"];

/** CI's size takes each scenario in one format (scenarios-transparent.test.ts takes the other one). */
const chosen = (["mjs", "cjs"] as const).flatMap((format, at) =>
  SCENARIOS.filter(({ sdk, name }, n) => scale(at === 0 && FEW[sdk].includes(name), n % 2 === at, true)).map(
    (scenario): [string, Scenario, "mjs" | "cjs"] => [`${scenario.sdk} ${scenario.name} ${format}`, scenario, format],
  ),
);
const patience = chosen.length * 20_000;
const store = new Store();
const recordings = new Map<string, RecordedScenario>();
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(store.folder, "provider.jsonl") });
  const jobs = chosen.values();
  const worker = async (): Promise<void> => {
    for (const [name, scenario, format] of jobs)
      recordings.set(name, await recordScenario(scenario, format, store, provider.url));
  };
  await Promise.all([worker(), worker()]);
  await provider.stop();
}, patience);

afterAll(() => {
  store.remove();
});

function recordingOf(name: string): RecordedScenario {
  const recording = recordings.get(name);
  if (recording === undefined) throw new Error(`${name} was not recorded`);
  return recording;
}

describe("recorded, then replayed with the provider gone", () => {
  test("nobody listens at the provider's port", async () => {
    expect(await refuses(provider.port)).toBe(true);
  });

  test.each(chosen)("%s", { timeout: 120_000 }, async (name) => {
    expect((await replayProblems(recordingOf(name), store, provider.url)).join("\n")).toBe("");
  });
});

const alone = spawnSync("unshare", ["-n", "ip", "link", "set", "lo", "up"], { encoding: "utf8" });
const why = alone.status === 0 ? "" : ` (skipped: ${alone.error?.message ?? alone.stderr.trim()})`;

describe.skipIf(alone.status !== 0)(`replayed where the only network is loopback${why}`, () => {
  test("there is no other network", async () => {
    const said = await launch([process.execPath, "-p", "Object.keys(os.networkInterfaces()).join()"], {
      through: ALONE,
    });
    expect(said.stdout).toBe("lo\n");
  });

  const few = chosen.filter(([, { name }], n) => IN_NAMESPACE.includes(name) || scale(false, n % 4 === 0, true));
  test.each(few)("%s", { timeout: 120_000 }, async (name) => {
    expect((await replayProblems(recordingOf(name), store, provider.url, ALONE)).join("\n")).toBe("");
  });
});
