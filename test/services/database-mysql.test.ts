import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, describe, expect, test } from "vitest";
import { launch, Store } from "../e2e/reenact.ts";
import { database } from "./databases.ts";
import { databaseTests } from "./database-tests.ts";

const mysql = database("databases/mysql2");
const fixtures = join(import.meta.dirname, "../../packages/hooks/src/databases/mysql2/fixtures");

describe("databases/mysql2", () => databaseTests(mysql));

describe("a statement for which the server asks for a file", () => {
  const store = new Store();
  afterAll(() => store.remove());
  const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
  const whenThere = mysql.missing() === null || required ? test : test.skip;

  whenThere("runs as without the recorder, is said not to be recorded, and is refused by a replay", async () => {
    const server = await mysql.start();
    try {
      const command = [process.execPath, join(fixtures, "infile.mjs")];
      const plain = await launch(command, { env: { ...server.env, SUFFIX: "plain" } });
      const env = { ...server.env, SUFFIX: "recorded" };
      const recorded = await store.run(command, { env });
      expect(recorded, recorded.stderr).toMatchObject({ code: 0, stdout: plain.stdout });
      expect(plain.stdout).toContain("two");
      const { facts } = readEnvelope(readFileSync(store.path(recorded.summary.run as string)));
      expect(facts?.leaks).toMatchObject([{ kind: "socket" }]);
      const { report } = await store.replay(recorded.summary.run as string, command, { env });
      expect(report).toMatchObject({ verdict: "diverged", sockets: 0 });
      expect(report.divergence).toMatchObject({ verdict: "leak" });
    } finally {
      await server.stop();
    }
  });
});
