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
const chosen = (["mjs", "cjs"] as const).flatMap((format, at) =>
  SCENARIOS.filter(
    ({ sdk, name }) => scale(Number(CHOSEN.indexOf(name) % 2 === at && sdk !== "anthropic"), 1, 1) === 1,
  ).map((scenario): [string, Scenario, "mjs" | "cjs"] => [
    `${scenario.sdk} ${scenario.name} ${format}`,
    scenario,
    format,
  ]),
);

let folder: string;
const ms: Record<"plain" | "run" | "register", number[]> = { plain: [], run: [], register: [] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scenarios-transparent-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const how of ["run", "register"] as const)
    process.stdout.write(
      `time to exit, ${how}: ${extra(how)} ms over ${Math.round(median(ms.plain))} ms (median of ${ms[how].length})\n`,
    );
});

describe("with the recorder, the outside sees the same", () => {
  test.each(chosen)("%s", { timeout: 120_000 }, async (_, scenario, format) => {
    const setting = { format, cwd: join(import.meta.dirname, "..") };
    const env = { REENACT_STORE: folder };
    const plain = await seeScenario(scenario, setting);
    const run = await seeScenario(scenario, {
      ...setting,
      wrap: (command) => [process.execPath, bin, "run", "--quiet", "--store", folder, "--", ...command],
    });
    const register = await seeScenario(scenario, {
      ...setting,
      env,
      wrap: ([node = "", ...rest]) => [node, "--import", "@reenact/node/register", ...rest],
    });
    expectSame(plain, run);
    expectSame(plain, register);
    expect(plain.seen.requests).toHaveLength(scenario.requests);
    expect(plain.seen.ends["cancelled"] ?? 0).toBe(scenario.cancelled);
    ms.plain.push(plain.ms);
    ms.run.push(run.ms);
    ms.register.push(register.ms);
  });

  test("time to exit", () => {
    // the strict number is the benchmark's; this one only notices a wait that nobody meant, on a busy machine too
    expect(extra("register")).toBeLessThan(1000 + 2 * median(ms.plain));
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

/** Median of the differences, run by run. */
function extra(how: "run" | "register"): number {
  return Math.round(median(ms[how].map((value, at) => value - (ms.plain[at] ?? 0))));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
