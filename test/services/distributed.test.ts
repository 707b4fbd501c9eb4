import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { joinTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCollector, until } from "../e2e/running-collector.ts";
import { scale } from "../scale.ts";
import { type CollectorProcess, type CollectorProcesses, collectorProcesses } from "./collector-processes.ts";
import { type Kafka, missingKafka, startKafka } from "./kafka.ts";
import { missingPostgres, type Postgres, startPostgres } from "./postgres.ts";
import { runSuites } from "./unit-suites.ts";
import { missingS3Server, type S3Server, startS3Server } from "./s3-server.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const missing = missingKafka() ?? missingPostgres() ?? missingS3Server("versitygw");

const RUNS = scale(30, 40, 2_000);
const KILLS = scale(3, 4, 200);
const SESSION_MS = 3_000;
const ROLES = ["receive", "assemble", "query", "forward", "retain"];

const golden = readEnvelope(readFileSync(join(import.meta.dirname, "../fixtures/envelopes/v1-parallel-calls.reenact")));

/** A run like the recorded one, with an id of its own, as requests of some of its spans each. */
function madeRun(id: string): Uint8Array[] {
  const spans = golden.spans.map(({ scanned }) => scanned);
  const third = Math.ceil(spans.length / 3);
  const pieces = [0, 1, 2].map((n) => spans.slice(n * third, (n + 1) * third)).filter((some) => some.length > 0);
  return pieces.map((some) => {
    const body = joinTraces(some).bytes;
    return replaced(
      replaced(Buffer.from(body), Buffer.from(golden.id, "hex"), Buffer.from(id, "hex")),
      Buffer.from(golden.id),
      Buffer.from(id),
    );
  });
}

function replaced(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) to.copy(bytes, at);
  return bytes;
}

async function post(http: string, body: Uint8Array): Promise<boolean> {
  const headers = { "content-type": "application/x-protobuf" };
  const signal = AbortSignal.timeout(15_000);
  try {
    const answer = await fetch(`${http}/v1/traces`, { method: "POST", headers, body: Buffer.from(body), signal });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** The digests of all sealed runs that the process finds. */
async function contents(http: string, runs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const run of runs) {
    const answer = await fetch(`${http}/api/v1/runs/${run}/envelope`).catch(() => null);
    if (answer?.status !== 200) continue;
    found.set(run, readEnvelope(new Uint8Array(await answer.arrayBuffer())).header.content);
  }
  return found;
}

async function listed(http: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ""; ;) {
    const answer = await fetch(`${http}/api/v1/runs?limit=200${after}`);
    const page = (await answer.json()) as { runs: { run: string }[]; next: string | null };
    ids.push(...page.runs.map(({ run }) => run));
    if (page.next === null) return ids;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

/** How many times a process has taken over a partition, in all its lives. */
const PARTITIONS = 4;

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
  let kafka: Kafka;
  let postgres: Postgres;
  let s3: S3Server;
  let processes: CollectorProcesses;
  let shared: { journal: object; catalog: object; [setting: string]: unknown };
  beforeAll(async () => {
    if (missing !== null) throw new Error(missing);
    [kafka, postgres, s3] = await Promise.all([startKafka(), startPostgres(), startS3Server("versitygw")]);
    const { accessKeyId, secretAccessKey } = s3.credentials;
    const client = new S3Client({
      endpoint: s3.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    await client.send(new CreateBucketCommand({ Bucket: "runs" }));
    client.destroy();
    const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = postgres.env;
    shared = {
      journal: {
        url: `kafka://${kafka.broker}/reenact.spans.v1`,
        partitions: PARTITIONS,
        allowSingleBroker: true,
        sessionTimeout: SESSION_MS,
        checkpointEvery: 1_000,
      },
      catalog: { url: `postgres://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`, connections: 2 },
      store: "s3://runs/all",
      s3: { endpoint: s3.endpoint, pathStyle: true, region: "us-east-1" },
      // what comes late, or was read again by another owner, has no end of its own
      assemble: { settle: 300, idle: 3_000 },
      pack: { age: 200 },
    };
    processes = collectorProcesses(shared, {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    });
  }, 120_000);
  afterAll(async () => {
    await processes?.end();
    await Promise.all([kafka?.stop(), postgres?.stop(), s3?.stop()]);
  });

  test("keeps the contract of journals", { timeout: 120_000 }, async () => {
    const told = await runSuites(["collector/src/journal/journal.contract.test.ts"], {
      REENACT_TEST_KAFKA: kafka.broker,
    });
    expect(told).toContain("kafka");
  });

  test("a topic on one broker is refused with one line, unless that is allowed", async () => {
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
      const one = await processes.start("alone", ROLES, {
        journal: { ...shared.journal, url: `kafka://${kafka.broker}/alone`, group: "alone", partitions: 1 },
        catalog: { ...shared.catalog, schema: "alone" },
        store: "s3://runs/alone",
        assemble: { settle: 300 },
        log: "debug",
      });
      await one.ready();
      const events = (name: string) => one.logged().filter(({ event }) => event === name);
      const pieces = madeRun(golden.id);
      const isRoot = (body: Uint8Array) => Buffer.from(body).includes("reenact.root");
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
      const isRoot = (body: Uint8Array) => Buffer.from(body).includes("reenact.root");
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
      const different = async () => {
        const found = await contents(query!.http, runs);
        return runs.flatMap((run) =>
          found.get(run) === expected.get(run) ? [] : [`${run}: ${found.get(run)} instead of ${expected.get(run)}`],
        );
      };
      for (const end = Date.now() + 60_000; ;) {
        const left = await different();
        if (left.length === 0) break;
        if (Date.now() > end) {
          const errors = all.flatMap((each) =>
            each
              .logged()
              .filter(({ level }) => level === "error")
              .slice(-5),
          );
          throw new Error(
            `${left.length} of ${runs.length} runs are not as they should be: ${left.slice(0, 5).join(", ")}; ${JSON.stringify(errors, null, 1)}`,
          );
        }
        await pause(500);
      }
      expect((await listed(query!.http)).toSorted()).toEqual(runs.toSorted());
      expect(await Promise.all(all.map((each) => each.stop()))).toEqual(all.map(() => 0));
      process.stdout.write(
        `distributed: ${runs.length} runs, ${kills} kills, ${repeated} requests sent again, 0 lost, 0 twice\n`,
      );
    },
  );
});
