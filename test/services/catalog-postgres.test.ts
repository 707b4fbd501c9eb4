import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCollector, loadConfig, refusal } from "@reenact/collector";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bin, launch } from "../e2e/reenact.ts";
import { recordDesk, requestOf, startCollector, until } from "../e2e/running-collector.ts";
import { missingPostgres, type Postgres, startPostgres } from "./postgres.ts";
import { runSuites } from "./unit-suites.ts";

const root = join(import.meta.dirname, "../..");
const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const missing = missingPostgres();
const first = readEnvelope(readFileSync(join(root, "test/fixtures/envelopes/v1-parallel-calls.reenact")));

/** A part of the collector's own suites; the README says how to run all of them on a database. */
const SUITES = [
  "catalog/catalog.contract",
  "catalog/drivers/postgres",
  "seal/restart",
  "retain/two-keepers",
  "rebuild/remake-catalog",
].map((name) => `collector/src/${name}.test.ts`);

describe.skipIf(missing !== null && !required)("a catalog in PostgreSQL", () => {
  let postgres: Postgres;
  let second: Envelope;
  const undo: (() => Promise<unknown> | void)[] = [];
  beforeAll(async () => {
    if (missing !== null) throw new Error(missing);
    [postgres, second] = await Promise.all([startPostgres(), recordDesk()]);
  });
  afterEach(async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  });
  afterAll(() => postgres?.stop());

  const urlOf = (password: string, host = "127.0.0.1"): string => {
    const { PGUSER, PGPORT, PGDATABASE } = postgres.env;
    return `postgres://${PGUSER}:${password}@${host}:${PGPORT}/${PGDATABASE}`;
  };
  const url = () => urlOf(postgres.env["PGPASSWORD"]!);
  async function started(settings: Record<string, unknown>) {
    const collector = await startCollector(settings);
    undo.push(() => collector.stop());
    return collector;
  }
  const rows = (http: string) => fetch(`${http}/api/v1/runs?filter=${encodeURIComponent("state:sealed")}`);
  const sealed = (http: string): Promise<string[]> =>
    rows(http).then(async (answer) => {
      if (!answer.ok) return [];
      const { runs } = (await answer.json()) as { runs: { run: string; state: string }[] };
      return runs.filter(({ state }) => state === "sealed").map(({ run }) => run);
    });

  test(
    "keeps the contract of catalogs; sealing, retention and rebuilding work on it",
    { timeout: 300_000 },
    async () => {
      const told = await runSuites(SUITES, { REENACT_TEST_CATALOG: url() });
      expect(told).toContain("postgres.test.ts");
    },
  );

  test("a database that goes away: spans are taken, questions are refused, sealing waits; when it is back nothing is lost", async () => {
    const collector = await started({ catalog: { url: url(), schema: "away", queryTimeout: "1s" } });
    const http = () => collector.address.http;
    const ready = async () => (await fetch(`${http()}/readyz`)).ok;
    await collector.send(requestOf(first));
    await until("the first run", async () => (await sealed(http())).includes(first.id));

    await postgres.down();
    await collector.send(requestOf(second));
    const refused = await rows(http());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
    expect(await refused.json()).toMatchObject({
      error: { code: "UNAVAILABLE", message: "the catalog does not answer" },
    });
    await until("the word of it", async () => !(await ready()));
    expect(await (await fetch(`${http()}/readyz`)).text()).toContain("the catalog's database does not answer");
    expect((await fetch(`${http()}/readyz/receive`)).status).toBe(200);
    await postgres.up();
    await until("the second run", async () => (await sealed(http())).includes(second.id));
    await until("every part", ready);

    // and one that is not there when the collector starts
    const again = collector.restart(() => postgres.down());
    await until("its start", async () => collector.lines.some(({ event }) => event === "catalog.away"));
    await postgres.up();
    await again;
    expect((await sealed(http())).toSorted()).toEqual([first.id, second.id].toSorted());
    for (const run of [first, second]) {
      const answer = await fetch(`${http()}/api/v1/runs/${run.id}/envelope`);
      expect(readEnvelope(new Uint8Array(await answer.arrayBuffer())).header.content).toBe(run.header.content);
    }
    expect(JSON.stringify(collector.lines)).not.toContain(postgres.env["PGPASSWORD"]);
  });

  test("a role that may not log in any more: the collector says so, and goes on when it may", async () => {
    const collector = await started({ catalog: { url: url(), schema: "refused" } });
    const ready = async () => (await fetch(`${collector.address.http}/readyz`)).ok;
    await until("every part", ready);
    const { PGUSER: role, PGPASSWORD: password } = postgres.env;
    postgres.sql(`CREATE ROLE keeper SUPERUSER LOGIN PASSWORD '${password}'`, role!);
    postgres.sql(`ALTER ROLE ${role} NOLOGIN`, "keeper");
    postgres.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`, "keeper");
    try {
      await until("the word of it", async () => !(await ready()));
      expect((await rows(collector.address.http)).status).toBe(503);
      await collector.send(requestOf(first));
    } finally {
      postgres.sql(`ALTER ROLE ${role} LOGIN`, "keeper");
    }
    await until("every part", ready);
    await until("the run", async () => (await sealed(collector.address.http)).includes(first.id));
  });

  test("`reenact catalog rebuild` makes it again from the packs, and says what it found", async () => {
    const catalog = { url: url(), schema: "remade" };
    const collector = await started({ catalog });
    await collector.send(requestOf(first));
    await until("the run", async () => (await sealed(collector.address.http)).includes(first.id));
    const folder = mkdtempSync(join(tmpdir(), "reenact-remade-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    await collector.restart(async () => {
      const config = join(folder, "config.json");
      const [data, store] = ["data", "store"].map((name) => join(collector.folder, name));
      writeFileSync(config, JSON.stringify({ data, store, catalog: { schema: catalog.schema } }));
      const env = { REENACT_COLLECTOR_CATALOG_URL: catalog.url };
      const ended = await launch([process.execPath, bin, "catalog", "rebuild", "--config", config], { env });
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(ended.stdout).toBe("1 run from 1 pack: 1 as before, 0 changed, 0 new, 0 gone\n");
    });
    expect(await sealed(collector.address.http)).toEqual([first.id]);
  });

  test("TLS is checked, and a wrong password refuses the start", async () => {
    const start = async (catalog: Record<string, unknown>) => {
      const folder = mkdtempSync(join(tmpdir(), "reenact-tls-"));
      undo.push(() => rmSync(folder, { recursive: true, force: true }));
      const given = { data: join(folder, "d"), store: join(folder, "s"), listen: { port: 0 }, log: "error", catalog };
      const collector = createCollector(loadConfig({ env: {}, given }), { log: () => {} });
      undo.push(() => collector.close());
      const { http } = await collector.ready;
      return { http, parts: await (await fetch(`${http}/readyz`)).text() };
    };
    const { certificate: ca } = postgres;
    const checked = await start({ url: url(), schema: "tls", tls: "verify", ca });
    await until("its catalog", async () => (await fetch(`${checked.http}/readyz`)).ok);
    // a certificate of an unknown authority is a database that does not answer: it may be mended meanwhile
    expect((await start({ url: url(), schema: "tls", tls: "verify" })).parts).toContain("the catalog is not open");
    const error: unknown = await start({ url: urlOf("wrong"), schema: "tls" }).catch((cause: unknown) => cause);
    expect(refusal(error)).toEqual({ exit: 5, line: expect.stringMatching(/^DENIED: .*password.*; next: correct /) });
    expect(refusal(error).line).not.toContain("wrong@");
    const without: unknown = await start({ url: urlOf(""), schema: "tls" }).catch((cause: unknown) => cause);
    expect(refusal(without).line).toMatch(/^DENIED: .* asks for a password/);
  });
});
