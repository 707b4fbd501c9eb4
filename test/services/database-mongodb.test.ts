import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Store } from "../e2e/reenact.ts";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";

const mongodb = database("databases/mongodb");
const fixtures = join(import.meta.dirname, "../../packages/hooks/src/databases/mongodb/fixtures");
const whenThere = mongodb.missing() === null || process.env["REENACT_REQUIRE_SERVICES"] === "1" ? test : test.skip;

describe("databases/mongodb", () => databaseTests(mongodb));

describe("the major version before the latest", () => {
  const store = new Store();
  afterAll(() => store.remove());

  whenThere("is recorded, and replays identical with its server stopped", async () => {
    const server = await mongodb.start();
    const command = [process.execPath, join(fixtures, "driver.mjs")];
    const MONGODB_DRIVER = join(import.meta.dirname, "../older-frameworks/mongodb.cjs");
    const env = { ...server.env, SUFFIX: "older", MONGODB_DRIVER };
    const { summary, stdout } = await store.run(command, { env });
    await server.stop();
    expect(summary).toMatchObject({ complete: true });
    const replayed = await store.replay(summary.run as string, command, { env });
    expect(replayed.report, replayed.stderr).toMatchObject({ verdict: "identical", socketsRefused: 0 });
    expect(replayed.stdout).toBe(stdout);
  });
});
