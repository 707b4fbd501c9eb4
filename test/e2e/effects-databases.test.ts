import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";
import { type Recorded, type Replayed } from "./trial.ts";

const program = join(import.meta.dirname, "../programs/effects/writes-database.mjs");
const folder = mkdtempSync(join(tmpdir(), "effects-databases-"));
const store = new Store();
let provider: ChildProvider;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startChildProvider({ log: join(folder, "provider.jsonl") });
  env = { PROVIDER_URL: provider.url };
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Stands for the package, whose addon is not there on every machine: its class is called without `new`, too. */
const BETTER = `const { DatabaseSync } = require("node:sqlite");
function Database(file, options) {
  if (new.target === undefined) return new Database(file, options);
  this.db = new DatabaseSync(file, { readOnly: options?.readonly === true });
}
for (const name of ["exec", "prepare", "close"]) Database.prototype[name] = function (...args) { return this.db[name](...args); };
module.exports = Database;
`;

describe.each(["node:sqlite", "better-sqlite3"])("%s", (driver) => {
  const cwd = join(folder, driver.replace(":", "-"));
  let recorded: Recorded;

  function makeKept(): void {
    rmSync(join(cwd, "kept.db"), { force: true });
    const kept = new DatabaseSync(join(cwd, "kept.db"));
    kept.exec("CREATE TABLE counts (runs INTEGER); INSERT INTO counts VALUES (1)");
    kept.close();
  }

  beforeAll(async () => {
    const lib = join(cwd, "node_modules/better-sqlite3/lib");
    mkdirSync(lib, { recursive: true });
    writeFileSync(join(lib, "index.js"), BETTER);
    writeFileSync(join(lib, "../package.json"), JSON.stringify({ name: "better-sqlite3", main: "lib/index.js" }));
    makeKept();
    recorded = await store.run([process.execPath, program, "", driver], { env, cwd });
  });

  const replay = (edit: string): Promise<Replayed> =>
    store.replay(recorded.summary.run ?? "", [process.execPath, program, edit, driver], { env, cwd });

  test("unchanged code is identical; a database that has changed since is named as not compared", async () => {
    const { code, report } = await replay("");
    expect({ code, divergence: report.divergence }).toEqual({ code: 0, divergence: null });
    expect(report.notes).toContain(
      "not compared: database kept.db, which has changed since the recorded run opened it",
    );
  });

  test.each([
    ["content", "database made.db: table notes has 2 rows as recorded, with other content"],
    ["rows", "database made.db: table notes has 3 rows, recorded 2"],
    ["version", "database made.db: user_version 4, recorded user_version 3"],
    ["journal", "database made.db: a write-ahead log, recorded a rollback journal"],
    ["application", "database made.db: application_id 7, recorded application_id 0"],
    ["schema", "database made.db: table more is there now, and was not when recorded"],
  ])("%s: the table is told", async (edit, cause) => {
    const { code, report } = await replay(edit);
    expect(report.divergence).toMatchObject({ verdict: "database-changed", cause });
    expect(code).toBe(10);
  });

  test("a database that is as it was before the run is compared", async () => {
    makeKept();
    expect((await replay("")).report).toMatchObject({ verdict: "identical", notes: [] });
    const { report } = await replay("kept");
    expect(report.divergence?.cause).toBe("database kept.db: table counts has 1 row as recorded, with other content");
  });

  test("a database that is still open at the end is read", async () => {
    expect((await replay("open")).report.divergence).toBeNull();
  });
});
