import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { Store } from "../e2e/reenact.ts";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";
import { recordEndedRequests } from "./ended-requests.ts";

const pg = database("databases/pg");

describe("databases/pg", () => databaseTests(pg));

const whenThere = pg.missing() === null || process.env["REENACT_REQUIRE_SERVICES"] === "1" ? test : test.skip;

whenThere("the run of a request ends with it, and not with the connections that the server keeps open", async () => {
  const store = new Store();
  const [server, provider] = await Promise.all([pg.start(), startProvider()]);
  const program = join(import.meta.dirname, "../../packages/hooks/src/databases/pg/fixtures/requests.mjs");
  const command = [process.execPath, program, join(store.folder, "address")];
  const env = { ...server.env, PROVIDER_URL: provider.url };
  const { runs } = await recordEndedRequests(store, command, env);
  await Promise.all([server.stop(), provider.stop()]);
  for (const run of runs) {
    const { report, stderr } = await store.replay(run, command, { env });
    expect(report, stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
  }
  store.remove();
});
