import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../e2e/running-collector.ts";
import { scale } from "../scale.ts";
import { backupTests } from "./distributed-backup.ts";
import { checkTests } from "./distributed-checks.ts";
import { killTests } from "./distributed-kills.ts";
import { lossTests, outageTests } from "./distributed-outages.ts";
import { type Distributed, missingDistributed, ROLES, startDistributed } from "./distributed-servers.ts";
import { contents, golden, isRoot, madeRun, post } from "./made-runs.ts";
import { runSuites } from "./unit-suites.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const missing = missingDistributed();

describe.skipIf(missing !== null && !required)("a collector on Kafka, PostgreSQL and S3", () => {
  let servers: Distributed;
  beforeAll(async () => {
    if (missing !== null) throw new Error(missing);
    servers = await startDistributed();
  }, 120_000);
  afterAll(() => servers?.stop());

  test("keeps the contract of journals, whatever lies in the topic", { timeout: 180_000 }, async () => {
    const suites = ["journal.contract", "drivers/kafka/kafka-records"];
    const told = await runSuites(
      suites.map((name) => `collector/src/journal/${name}.test.ts`),
      { REENACT_TEST_KAFKA: servers.kafka.broker },
    );
    expect(told).toContain("kafka-records");
  });

  test(
    "receives, seals, keeps, forwards, answers and starts again as one process does",
    { timeout: 300_000 },
    async () => {
      const { accessKeyId, secretAccessKey } = servers.s3.credentials;
      const some = ["collector", "collector-receive", "collector-retention"];
      const names = scale(some, some, [...some, "collector-api", "collector-live"]);
      const files = names.map((name) => `test/e2e/${name}.test.ts`);
      const told = await runSuites(
        files,
        {
          REENACT_TEST_SET_UP: "distributed",
          REENACT_TEST_SERVERS: JSON.stringify(servers.shared),
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
        },
        "e2e",
      );
      for (const file of files) expect(told).toContain(file);
    },
  );

  test("a topic on one broker is refused with one line, unless that is allowed", async () => {
    const { kafka, processes } = servers;
    const url = `kafka://${kafka.broker}/alone`;
    const refused = await processes.start("refused", ["receive"], { journal: { url } });
    expect(await refused.ended()).toBe(5);
    expect(refused.printed()).toMatch(
      /^UNSAFE_TOPIC: kafka:[^\n]*fewer than 3 brokers; next: [^\n]*--allow-single-broker\n$/,
    );
    const away = await processes.start("away", ["receive"], { journal: { url: "kafka://127.0.0.1:1/alone" } });
    expect(await away.ended()).toBe(5);
    expect(away.printed()).toMatch(/^UNAVAILABLE: kafka:\/\/127.0.0.1:1\/alone: /);
  });

  // a broker needs ten seconds to come back
  test.skipIf(scale(true, true, false))(
    "a run that is open is in a checkpoint when its process is killed; while the broker is away senders get 503, and all goes on when it is back",
    { timeout: 300_000 },
    async () => {
      const { kafka, processes } = servers;
      const apart = servers.apart("alone");
      const one = await processes.start("alone", ROLES, {
        ...apart,
        journal: { ...(apart["journal"] as object), partitions: 1 },
        assemble: { settle: 300 },
        log: "debug",
      });
      await one.ready();
      const events = (name: string) => one.logged().filter(({ event }) => event === name);
      const pieces = madeRun(golden.id);
      for (const body of pieces.filter((each) => !isRoot(each))) expect(await post(one.http, body)).toBe(true);
      await until("a checkpoint", async () => events("journal.checkpoint").some(({ entries }) => Number(entries) > 0));
      await one.crash();
      await one.ready();
      await until("its partition", async () => events("assemble.partition").length === 2);
      expect(Number(events("assemble.partition")[1]?.["open"])).toBeGreaterThan(0);

      await kafka.down();
      const headers = { "content-type": "application/x-protobuf" };
      const refused = await fetch(`${one.http}/v1/traces`, { method: "POST", headers, body: Buffer.from(pieces[0]!) });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
      expect((await fetch(`${one.http}/readyz`)).status).toBe(503);
      await kafka.up();
      for (const body of pieces.filter(isRoot)) await until("200", () => post(one.http, body));
      await until(
        "the run",
        async () => (await contents(one.http, [golden.id])).get(golden.id) === golden.header.content,
      );
      await until("readiness", async () => (await fetch(`${one.http}/readyz`)).ok);
      expect(await one.stop()).toBe(0);
    },
  );

  killTests(() => servers);
  backupTests(() => servers);
  checkTests(() => servers);
  outageTests(() => servers);
  lossTests(() => servers);
});
