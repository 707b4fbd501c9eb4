import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

const command = [process.execPath, join(import.meta.dirname, "../programs/asks-by-variable.mjs")];
const logs = mkdtempSync(join(tmpdir(), "variables-"));
const store = new Store();
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(logs, { recursive: true, force: true });
});

test("a variable that is another now is told; it stays the recorded one unless it is asked for", async () => {
  const env = { PROVIDER_URL: provider.url, MODEL: "echo-random" };
  const { summary } = await store.run(command, { env });
  const run = summary.run ?? "";
  const same = await store.replay(run, command, { env });
  expect(same.report).toMatchObject({ verdict: "identical", notes: [] });

  const other = { PROVIDER_URL: provider.url, MODEL: "secret-plan", QUESTION: "what now?" };
  const unused = await store.replay(run, command, { env: other });
  expect(unused.report.verdict).toBe("identical");
  expect(unused.report.notes).toEqual([
    "environment: as recorded, though it is another here: MODEL, QUESTION (--env <name> takes yours)",
  ]);
  expect(JSON.stringify(unused.report)).not.toContain("secret-plan");

  const used = await store.replay(run, command, { env: other, flags: ["--env", "MODEL"] });
  expect(used.code).toBe(10);
  expect(used.report.findings).toContain("environment-changed");
  expect(used.report.divergence).toMatchObject({ verdict: "params", pointer: "/model" });
  expect(used.report.notes).toContain("environment: not as recorded, but your own: MODEL");
});
