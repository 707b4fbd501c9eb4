import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { Store } from "../e2e/reenact.ts";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";
import { recordEndedRequests } from "./ended-requests.ts";

const mongodb = database("databases/mongodb");
const fixtures = join(import.meta.dirname, "../../packages/hooks/src/databases/mongodb/fixtures");
const whenThere = mongodb.missing() === null || process.env["REENACT_REQUIRE_SERVICES"] === "1" ? test : test.skip;

describe("databases/mongodb", () => databaseTests(mongodb));

describe("with one server", () => {
  const store = new Store();
  let server: Awaited<ReturnType<typeof mongodb.start>>;
  beforeAll(async () => {
    if (mongodb.missing() === null || process.env["REENACT_REQUIRE_SERVICES"] === "1") server = await mongodb.start();
  });
  afterAll(async () => {
    await server?.stop();
    store.remove();
  });

  whenThere("the run of a request ends with it, and not with the monitors and the pool of the driver", async () => {
    const provider = await startProvider();
    const command = [process.execPath, join(fixtures, "requests.mjs"), join(store.folder, "address")];
    const env = { ...server.env, PROVIDER_URL: provider.url };
    const { runs, envelopes } = await recordEndedRequests(store, command, env);
    await provider.stop();
    for (const { steps } of envelopes) expect(steps.map(({ record }) => record.op)).toContain("db:mongodb");
    const { report, stderr } = await store.replay(runs[1] ?? "", command, { env });
    expect(report, stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
  });

  // last: it stops the server
  whenThere(
    "the major version before the latest is recorded, and replays identical with its server stopped",
    async () => {
      const command = [process.execPath, join(fixtures, "driver.mjs")];
      const MONGODB_DRIVER = join(import.meta.dirname, "../older-frameworks/mongodb.cjs");
      const env = { ...server.env, SUFFIX: "older", MONGODB_DRIVER };
      const { summary, stdout } = await store.run(command, { env });
      await server.stop();
      expect(summary).toMatchObject({ complete: true });
      const replayed = await store.replay(summary.run as string, command, { env });
      expect(replayed.report, replayed.stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
      expect(replayed.stdout).toBe(stdout);
    },
  );
});
