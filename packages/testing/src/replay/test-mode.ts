import { FixtureError } from "../fixture/fixture-error.ts";

const MODES = ["replay", "record", "auto", "live"] as const;
/** `replay`: from the fixture; `record`: live, the fixture is written anew; `auto`: record only what is missing; `live`: nothing is kept. */
export type TestMode = (typeof MODES)[number];

/** The mode that `REENACT_MODE` names; `replay` where it names none. Throws BAD_MODE for another value. */
export function testMode(env: NodeJS.ProcessEnv): TestMode {
  const value = env["REENACT_MODE"] ?? "";
  if (value === "") return "replay";
  const mode = MODES.find((each) => each === value);
  if (mode !== undefined) return mode;
  throw new FixtureError(
    "BAD_MODE",
    `REENACT_MODE is "${value}", which is no mode`,
    `set it to one of ${MODES.join(", ")}`,
  );
}

/** Whether a test may make real calls, which need real keys. A value that is no mode is an error of the first test. */
export function mayCallLive(env: NodeJS.ProcessEnv): boolean {
  const mode = env["REENACT_MODE"] ?? "";
  return mode === "record" || mode === "live" || (mode === "auto" && !isCi(env));
}

const isCi = (env: NodeJS.ProcessEnv): boolean => !["", "0", "false"].includes(env["CI"] ?? "");

/** What is done with one fixture. Throws NO_FIXTURE where `auto` misses one in CI, where nothing may be recorded. */
export function actionOf(
  mode: TestMode,
  { envelope, isThere }: { envelope: string; isThere: boolean },
  env: NodeJS.ProcessEnv,
): "replay" | "record" | "live" {
  if (mode !== "auto") return mode;
  if (isThere) return "replay";
  if (!isCi(env)) return "record";
  throw new FixtureError(
    "NO_FIXTURE",
    `no recorded run ${envelope}, and REENACT_MODE=auto records nothing in CI (CI is set)`,
    "run the test once on your machine with REENACT_MODE=auto, and commit the files that it writes",
  );
}
