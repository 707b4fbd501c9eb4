import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { Store } from "./reenact.ts";
import { getPaths, recordServer } from "./record-server.ts";

const program = fileURLToPath(new URL("../programs/limited-server.mjs", import.meta.url));
const store = new Store();
const address = join(store.folder, "address");
const command = [process.execPath, program, address];
let runs: string[];

beforeAll(async () => {
  const provider = await startProvider();
  ({ runs } = await recordServer(
    store,
    command,
    { env: { PROVIDER_URL: provider.url } },
    getPaths([], ["slow", "quick"]),
  ));
  await provider.stop();
}, 60_000);
afterAll(() => store.remove());

// The slow run holds one of two places while the quick one asks. A limit of the program's own is in no record: that a call
// waited there for another run cannot be known in a replay of one run.
test(
  "a run that waited for others replays identical, or its replay says that others went on",
  { timeout: 120_000 },
  async () => {
    expect(runs).toHaveLength(2);
    let told = 0;
    for (const run of runs) {
      const { report, stderr, code } = await store.replay(run, command, { flags: ["--cold"] });
      expect(report, stderr).toMatchObject({ steps: 5, sockets: 0 });
      if (report.verdict === "identical") continue;
      expect(code).toBe(10);
      expect(report.notes).toContainEqual(
        expect.stringMatching(/another run of the process went on when this one was/),
      );
      told++;
    }
    expect(told).toBeGreaterThan(0);
  },
);

test("an edit in such a run is found at its step", async () => {
  const { report } = await store.replay(runs[0] ?? "", [...command, "also "], { flags: ["--cold"] });
  expect(report.divergence).toMatchObject({ step: 2, verdict: "changed" });
});
