import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scale } from "../scale.ts";
import { bin } from "./reenact.ts";
import { SCENARIOS, type Scenario } from "../scenarios/scenarios.ts";
import { seeScenario, type SeenRun } from "../scenarios/seen-scenario.ts";

/** The recorder's own listeners, and no other. */
const OURS = { beforeExit: 1, exit: 1, uncaughtExceptionMonitor: 1 };
const CHOSEN = ["run-tools", "parallel", "break", "abort-storm", "reset", "unread", "upload", "beside", "axios-retry"];
/** CI's size takes each scenario in one format (scenarios-replay.test.ts takes the other one). */
const chosen = (["mjs", "cjs"] as const).flatMap((format, at) =>
  SCENARIOS.filter(({ sdk, name }, n) =>
    scale(CHOSEN.indexOf(name) % 2 === at && sdk !== "anthropic", n % 2 !== at, true),
  ).map((scenario): [string, Scenario, "mjs" | "cjs"] => [
    `${scenario.sdk} ${scenario.name} ${format}`,
    scenario,
    format,
  ]),
);

type Way = "run" | "register";
/** CI's size takes each format by one of the two ways. */
const WAYS = scale<Record<"mjs" | "cjs", readonly Way[]>>(
  { mjs: ["run", "register"], cjs: ["run", "register"] },
  { mjs: ["run"], cjs: ["register"] },
  { mjs: ["run", "register"], cjs: ["run", "register"] },
);

let folder: string;
/** milliseconds from start to exit: of the plain program, and how many more with the recorder */
const ms: Record<"plain" | Way, number[]> = { plain: [], run: [], register: [] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scenarios-transparent-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const how of ["run", "register"] as const)
    process.stdout.write(
      `time to exit, ${how}: ${Math.round(median(ms[how]))} ms over ${Math.round(median(ms.plain))} ms (median of ${ms[how].length})\n`,
    );
});

describe("with the recorder, the outside sees the same", () => {
  test.each(chosen)("%s", { timeout: 120_000 }, async (_, scenario, format) => {
    const setting = { format, cwd: join(import.meta.dirname, "..") };
    const env = { REENACT_STORE: folder };
    const plain = await seeScenario(scenario, setting);
    const recorded: Partial<Record<Way, SeenRun>> = {};
    if (WAYS[format].includes("run"))
      recorded.run = await seeScenario(scenario, {
        ...setting,
        wrap: (command) => [process.execPath, bin, "run", "--quiet", "--store", folder, "--", ...command],
      });
    if (WAYS[format].includes("register"))
      recorded.register = await seeScenario(scenario, {
        ...setting,
        env,
        wrap: ([node = "", ...rest]) => [node, "--import", "@reenact/node/register", ...rest],
      });
    for (const each of Object.values(recorded)) expectSame(plain, each);
    expect(plain.seen.requests).toHaveLength(scenario.requests);
    expect(plain.seen.ends["cancelled"] ?? 0).toBe(scenario.cancelled);
    for (const way of WAYS[format]) ms[way].push((recorded[way]?.ms ?? Number.NaN) - plain.ms);
    ms.plain.push(plain.ms);
  });

  test("time to exit", () => {
    // the strict number is the benchmark's; this one only notices a wait that nobody meant, on a busy machine too
    expect(median(ms.register)).toBeLessThan(1000 + 2 * median(ms.plain));
  });
});

function expectSame(plain: SeenRun, recorded: SeenRun): void {
  const { listeners, ...rest } = recorded.seen;
  const { listeners: before, ...expected } = plain.seen;
  expect(rest).toEqual(expected);
  const added: Record<string, number> = { ...before };
  for (const [name, count] of Object.entries(OURS)) added[name] = (added[name] ?? 0) + count;
  expect(listeners).toEqual(added);
  // a call that is given up is given up on the wire at once: the whole answer would take 5 s or more
  for (const [at, ms] of recorded.untilCancelled.entries())
    expect(ms - (plain.untilCancelled[at] ?? 0)).toBeLessThan(4000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
