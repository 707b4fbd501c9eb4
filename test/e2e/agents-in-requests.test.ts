import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startProvider } from "../provider/start-provider.ts";
import { getPaths, recordServer } from "./record-server.ts";
import { Store } from "./reenact.ts";

test("agent() calls in requests are not made once more beside the requests that make them", async () => {
  const store = new Store();
  const provider = await startProvider();
  const program = join(import.meta.dirname, "../programs/agents-in-requests.mjs");
  const command = [process.execPath, program, join(store.folder, "address")];
  const { runs } = await recordServer(store, command, { env: { PROVIDER_URL: provider.url } }, async (url) => {
    await getPaths(["one", "two"])(url);
    // the runs of requests end once they are quiet
    await sleep(600);
  });
  await provider.stop();
  expect(runs).toHaveLength(6);
  const last = runs.slice(2);
  const warm = last.map((run) => store.replay(run, command));
  const cold = await store.replay(runs[1] ?? "", command, { flags: ["--cold"] });
  for (const { report, stderr } of [...(await Promise.all(warm)), cold]) {
    expect(report, stderr).toMatchObject({ verdict: "identical" });
    expect(report.runs.filter(({ verdict }) => verdict === "not-recorded")).toEqual([]);
  }
  store.remove();
});
