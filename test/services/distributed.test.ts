import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCollector, until } from "../e2e/running-collector.ts";
import { scale } from "../scale.ts";
import type { CollectorProcess } from "./collector-processes.ts";
import { backupTests } from "./distributed-backup.ts";
import { checkTests } from "./distributed-checks.ts";
import { lossTests, outageTests } from "./distributed-outages.ts";
import { type Distributed, missingDistributed, PARTITIONS, ROLES, startDistributed } from "./distributed-servers.ts";
import { contents, expectContents, golden, isRoot, listed, madeRun, post } from "./made-runs.ts";
import { runSuites } from "./unit-suites.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const missing = missingDistributed();

/** REENACT_TEST_KILLS=25: so many kills, with a load to match. */
const ASKED = process.env["REENACT_TEST_KILLS"];
const KILLS = ASKED === undefined ? scale(3, 4, 200) : Number(ASKED);
const RUNS = ASKED === undefined ? scale(30, 40, 2_000) : KILLS * 8;

/** The partitions that a process assembles now, as far as it has said so. */
function owned(process: CollectorProcess): ReadonlySet<unknown> {
  const partitions = new Set<unknown>();
  for (const { event, partition } of process.logged()) {
    // it was killed, and has started again
    if (event === "store.probed") partitions.clear();
    else if (event === "assemble.partition") partitions.add(partition);
    else if (event === "assemble.partition-left") partitions.delete(partition);
  }
  return partitions;
}

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
      const some = ["collector", "collector-receive"];
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

  test(
    "processes that are killed and paused under load: every acknowledged span is in one run, as one process would have sealed it",
    { timeout: scale(300_000, 300_000, 7_200_000) },
    async () => {
      const { processes } = servers;
      const [receiver, other, query, ...assemblers] = await Promise.all([
        processes.start("receive-1", ["receive"]),
        processes.start("receive-2", ["receive"]),
        processes.start("query", ["query", "retain", "forward"]),
        processes.start("assemble-1", ["assemble"]),
        processes.start("assemble-2", ["assemble"]),
      ]);
      const all = [receiver!, other!, query!, ...assemblers];
      await Promise.all(all.map((each) => each.ready()));
      const victims: CollectorProcess[] = [receiver!, other!, ...assemblers];

      const runs = Array.from({ length: RUNS }, () => randomBytes(16).toString("hex"));
      const requests = new Map(runs.map((run) => [run, madeRun(run)]));
      let repeated = 0;
      async function send(body: Uint8Array): Promise<void> {
        for (let at = randomInt(2); !(await post([receiver!, other!][at % 2]!.http, body)); at++) {
          repeated++;
          await pause(100);
        }
        // a sender that has lost the answer
        if (randomInt(5) === 0) await post(receiver!.http, body);
      }

      const loaded = new AbortController();
      const killing = (async () => {
        let kills = 0;
        for (; kills < KILLS && !loaded.signal.aborted; kills++) {
          await pause(randomInt(500, 2_500));
          await victims[randomInt(victims.length)]!.crash();
        }
        return kills;
      })();
      // pieces of different runs go together, so that receivers part them
      const pieces = runs.flatMap((run) => requests.get(run)!).toSorted(() => randomInt(3) - 1);
      const most = Math.ceil(pieces.length / 3 / (KILLS * 2));
      for (let at = 0; at < pieces.length;) {
        const batch = Array.from({ length: most }, () => pieces.splice(at, 3)).filter((some) => some.length > 0);
        if (batch.length === 0) break;
        await Promise.all(batch.map((some) => send(Buffer.concat(some))));
        await pause(700);
      }
      loaded.abort();
      const kills = await killing;

      // an owner that is paused with runs that it has read, and wakes up when others own its partitions
      const [sleeper, heir] = assemblers as [CollectorProcess, CollectorProcess];
      await Promise.all(assemblers.map((each) => each.ready()));
      const isShared = (): boolean =>
        owned(sleeper).size > 0 && owned(heir).size > 0 && owned(sleeper).size + owned(heir).size === PARTITIONS;
      // the group may still be dividing them after the last kill
      await until("both own partitions", async () => isShared() && (await pause(2_000), isShared()), 60_000);
      const late = Array.from({ length: 12 }, () => randomBytes(16).toString("hex"));
      for (const run of late) {
        runs.push(run);
        requests.set(run, madeRun(run));
      }
      const some = (wanted: boolean) =>
        late.map((run) => send(Buffer.concat(requests.get(run)!.filter((body) => isRoot(body) === wanted))));
      await Promise.all(some(false));
      // it has read them
      await pause(500);
      process.kill(sleeper.pid(), "SIGSTOP");
      await until("its partitions have another owner", async () => owned(heir).size === PARTITIONS, 60_000);
      const woken = sleeper.logged().length;
      process.kill(sleeper.pid(), "SIGCONT");
      await until("what it sealed is refused", async () =>
        sleeper
          .logged()
          .slice(woken)
          .some(({ event }) => event === "assemble.fenced"),
      );
      await Promise.all(some(true));

      const alone = await startCollector({ assemble: { settle: 300 } });
      let expected: Map<string, string>;
      try {
        for (const body of [...requests.values()].flat()) await alone.send(body);
        expected = await until("all runs of one process", async () => {
          const found = await contents(alone.address.http, runs);
          return found.size === runs.length && found;
        });
      } finally {
        await alone.stop();
      }
      await expectContents(query!.http, expected, all);
      expect((await listed(query!.http)).toSorted()).toEqual(runs.toSorted());
      // packs whose owner could not commit them lie there, too: a catalog that is made again must not take them for the runs
      const again = await processes.start("again", ["query"], {
        catalog: { ...servers.shared.catalog, schema: "again" },
      });
      await again.ready();
      await expectContents(again.http, expected, [again]);
      expect(await again.stop()).toBe(0);
      expect(await Promise.all(all.map((each) => each.stop()))).toEqual(all.map(() => 0));
      process.stdout.write(
        `distributed: ${runs.length} runs, ${kills} kills, ${repeated} requests sent again, 0 lost, 0 twice\n`,
      );
    },
  );

  backupTests(() => servers);
  checkTests(() => servers);
  outageTests(() => servers);
  lossTests(() => servers);
});
