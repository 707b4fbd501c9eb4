import { join } from "node:path";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/asks-by-variable.mjs")];
const bench = ownBench();

test("a variable that is another now is told; it stays the recorded one unless it is asked for", async () => {
  const env = { PROVIDER_URL: bench.provider.url, MODEL: "echo-random" };
  const { summary } = await bench.store.run(command, { env });
  const run = summary.run ?? "";
  const same = await bench.store.replay(run, command, { env });
  expect(same.report).toMatchObject({ verdict: "identical", notes: [] });

  const other = { PROVIDER_URL: bench.provider.url, MODEL: "secret-plan", QUESTION: "what now?" };
  const unused = await bench.store.replay(run, command, { env: other });
  expect(unused.report.verdict).toBe("identical");
  expect(unused.report.notes).toEqual([
    "environment: as recorded, though it is another here: MODEL, QUESTION (--env <name> takes yours)",
  ]);
  expect(JSON.stringify(unused.report)).not.toContain("secret-plan");

  const used = await bench.store.replay(run, command, { env: other, flags: ["--env", "MODEL"] });
  expect(used.code).toBe(10);
  expect(used.report.findings).toContain("environment-changed");
  expect(used.report.divergence).toMatchObject({ verdict: "params", pointer: "/model" });
  expect(used.report.notes).toContain("environment: not as recorded, but your own: MODEL");
});

test("time zone and locale are taken from the caller if asked for", async () => {
  const zoned = [process.execPath, join(import.meta.dirname, "../programs/tells-local-time.mjs")];
  const at = { PROVIDER_URL: bench.provider.url };
  const env = { ...at, TZ: "Europe/Berlin", LC_ALL: "de_DE.UTF-8" };
  const { summary, stdout } = await bench.store.run(zoned, { env });
  expect(stdout).toBe("Europe/Berlin 1.234,5\n");
  const run = summary.run ?? "";
  const mine = { ...at, TZ: "Asia/Tokyo", LC_ALL: "en_US.UTF-8" };
  const unused = await bench.store.replay(run, zoned, { env: mine });
  expect(unused.stdout).toBe(stdout);
  expect(unused.report.verdict).toBe("identical");
  expect(unused.report.notes).toEqual([
    "environment: as recorded, though it is another here: LC_ALL, TZ (--env <name> takes yours)",
  ]);

  const zone = await bench.store.replay(run, zoned, { env: mine, flags: ["--env", "TZ"] });
  expect(zone.stdout).toBe("Asia/Tokyo 1.234,5\n");
  const locale = await bench.store.replay(run, zoned, { env: mine, flags: ["--env", "LC_ALL"] });
  expect(locale.stdout).toBe("Europe/Berlin 1,234.5\n");
  expect(locale.report.verdict).toBe("diverged");
  expect(locale.report.notes).toContain("environment: not as recorded, but your own: LC_ALL");
});
