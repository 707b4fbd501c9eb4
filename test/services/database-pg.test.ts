import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readEnvelope } from "@reenact/envelope/file";
import { describe, expect, test } from "vitest";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { Store } from "../e2e/reenact.ts";
import { getPaths, recordServer } from "../e2e/record-server.ts";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";

const pg = database("databases/pg");

describe("databases/pg", () => databaseTests(pg));

const whenThere = pg.missing() === null || process.env["REENACT_REQUIRE_SERVICES"] === "1" ? test : test.skip;

whenThere("the run of a request ends with it, and not with the connections that the server keeps open", async () => {
  const store = new Store();
  const [server, provider] = await Promise.all([pg.start(), startProvider()]);
  const program = join(import.meta.dirname, "../../packages/hooks/src/databases/pg/fixtures/requests.mjs");
  const command = [process.execPath, program, join(store.folder, "address")];
  const env = { ...server.env, PROVIDER_URL: provider.url };
  let asked = 0;
  const { runs } = await recordServer(store, command, { env }, async (url) => {
    await getPaths(["one", "two"])(url);
    asked = Date.now();
    await sleep(2000);
  });
  await Promise.all([server.stop(), provider.stop()]);
  expect(runs).toHaveLength(2);
  for (const run of runs) {
    const root = readEnvelope(readFileSync(store.path(run))).spans.find(({ span }) => span.attributes["reenact.root"]);
    expect(Number(root?.span.endUnixNano) / 1e6).toBeLessThan(asked + 1000);
    const { report, stderr } = await store.replay(run, command, { env });
    expect(report, stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
  }
  store.remove();
});
