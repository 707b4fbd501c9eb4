import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import type { Recorded } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/turns/unsettled.mjs");
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(store.folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
});

afterAll(async () => {
  await provider.stop();
  store.remove();
});

describe.each(["by itself", "an exit", "an agent"])(
  "calls that never settle, in a program that ends with %s",
  (ending) => {
    let recorded: Recorded;

    beforeAll(async () => {
      recorded = await store.run([process.execPath, program, ending], { env });
    });

    test("do not settle in a replay either", async () => {
      const run = recorded.summary.run as string;
      const replayed = await store.replay(run, [process.execPath, program, ending], { env });
      expect(replayed.report).toMatchObject({ verdict: "identical", divergence: null, findings: [] });
      expect({ code: replayed.code, stdout: replayed.stdout, stderr: replayed.stderr }).toEqual({
        code: 0,
        stdout: recorded.stdout,
        stderr: recorded.stderr,
      });
    });
  },
);
