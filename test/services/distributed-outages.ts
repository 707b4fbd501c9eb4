import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Admin } from "@platformatic/kafka";
import { openStore } from "@reenact/collector/store";
import { expect, test } from "vitest";
import { startCollector, until } from "../e2e/running-collector.ts";
import { scale } from "../scale.ts";
import type { CollectorProcess } from "./collector-processes.ts";
import { type Distributed, ROLES } from "./distributed-servers.ts";
import { contents, expectContents, golden, isRoot, listed, madeRun, post } from "./made-runs.ts";

/** For so long each server is away, milliseconds. */
const AWAY_MS = scale(1_000, 1_000, 60_000);
/** A minute of them; fewer are among the kills of the other test. */
const REBALANCES = 12;
const REBALANCE_MS = 5_000;
const IS_WHOLE = scale(false, false, true);

/** Spans that are sent all the time, each request again until it is acknowledged. */
interface Load {
  /** answers that were not 200, since they were asked for last: status, and whether Retry-After was there */
  refusals(): readonly string[];
  /** Sends nothing until what it returns is called. */
  hold(): () => void;
  /** Resolves with all requests once the last one is acknowledged. */
  end(): Promise<ReadonlyMap<string, readonly Uint8Array[]>>;
}

function startLoad(receivers: readonly CollectorProcess[]): Load {
  const runs = new Map<string, readonly Uint8Array[]>();
  const ending = new AbortController();
  let refusals: string[] = [];
  let released: Promise<void> = Promise.resolve();

  async function send(body: Uint8Array): Promise<void> {
    for (let at = randomInt(receivers.length); ; at++) {
      await released;
      const headers = { "content-type": "application/x-protobuf" };
      const { http } = receivers[at % receivers.length]!;
      const answer = await fetch(`${http}/v1/traces`, { method: "POST", headers, body: Buffer.from(body) });
      await answer.arrayBuffer();
      if (answer.status === 200) return;
      refusals.push(`${answer.status} ${answer.headers.has("retry-after") ? "retry-after" : "without retry-after"}`);
      await pause(200);
    }
  }

  const sending = (async () => {
    let open: Promise<void>[] = [];
    while (!ending.signal.aborted) {
      const id = randomBytes(16).toString("hex");
      const pieces = madeRun(id);
      runs.set(id, pieces);
      // the pieces of a run come apart, and some of them while a server is away
      open.push(...pieces.map(async (body, n) => (await pause(n * randomInt(400)), send(body))));
      await pause(150);
      await released;
      if (open.length > 200) open = [Promise.all(open).then(() => {})];
    }
    await Promise.all(open);
  })();
  sending.catch(() => {});
  return {
    refusals() {
      const told = refusals;
      refusals = [];
      return told;
    },
    hold() {
      const gate = Promise.withResolvers<void>();
      released = gate.promise;
      return gate.resolve;
    },
    async end() {
      ending.abort();
      await sending;
      return runs;
    },
  };
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    async (answer) => (await answer.text(), answer.status),
    () => 0,
  );

/** Checkpoints that are gone; a topic that is gone, with all that was in it. */
export function lossTests(servers: () => Distributed): void {
  test.skipIf(!IS_WHOLE)(
    "a checkpoint that was removed: the runs in it are read from the topic again",
    { timeout: 300_000 },
    async () => {
      const { s3, shared, processes, apart } = servers();
      const made = apart("forgotten");
      const one = await processes.start("lost-checkpoint", ROLES, { ...made, assemble: { settle: 300 }, log: "debug" });
      await one.ready();
      const pieces = madeRun(golden.id);
      for (const body of pieces.filter((each) => !isRoot(each))) expect(await post(one.http, body)).toBe(true);
      const has = (name: string) => one.logged().some(({ event, entries }) => event === name && entries !== 0);
      await until("a checkpoint", async () => has("journal.checkpoint"));
      process.env["AWS_ACCESS_KEY_ID"] = s3.credentials.accessKeyId;
      process.env["AWS_SECRET_ACCESS_KEY"] = s3.credentials.secretAccessKey;
      const { store, close } = await openStore(made["store"] as string, shared["s3"] as object);
      for await (const { key } of store.list("v1/checkpoints/")) await store.delete(key);
      close();
      await one.crash();
      await one.ready();
      await until("the word of it", async () => has("journal.checkpoint-lost"), 60_000);
      for (const body of pieces.filter(isRoot)) expect(await post(one.http, body)).toBe(true);
      await expectContents(one.http, new Map([[golden.id, golden.header.content]]), [one]);
      expect(await one.stop()).toBe(0);
    },
  );

  test.skipIf(!IS_WHOLE)(
    "a topic that was removed: its processes end, a start makes another one, which is read from its begin, and what was sealed stays",
    { timeout: 300_000 },
    async () => {
      const { kafka, processes, apart } = servers();
      const one = await processes.start("lost-topic", ROLES, { ...apart("lost"), assemble: { settle: 300 } });
      const other = await processes.start("lost-topic-2", ["receive"], apart("lost"));
      await Promise.all([one.ready(), other.ready()]);
      const ids = [1, 2, 3].map(() => randomBytes(16).toString("hex"));
      const sendAll = async (id: string) => {
        for (const body of madeRun(id)) await until("200", () => post(one.http, body));
        await until("the run", async () => (await contents(one.http, [id])).size === 1);
      };
      // several, so that the new topic is shorter than the old one was
      await sendAll(ids[0]!);
      await sendAll(ids[1]!);
      const admin = new Admin({ clientId: "test", bootstrapBrokers: [kafka.broker] });
      await admin.deleteTopics({ topics: ["lost"] });
      await admin.close();
      await until("the word of it", async () => (await statusOf(`${one.http}/readyz/receive`)) === 503);
      // the other one sees that this start has made the topic anew
      await one.crash();
      expect(await other.ended()).toBe(5);
      expect(other.printed()).toMatch(/^REPLACED: kafka:[^\n]*; next: start it again/m);
      await one.ready();
      await sendAll(ids[2]!);
      expect((await listed(one.http)).toSorted()).toEqual(ids.toSorted());
      expect(await one.stop()).toBe(0);
    },
  );
}

/** Stops each server for a while, and shares the partitions out again and again, while spans come in. */
export function outageTests(servers: () => Distributed): void {
  test.skipIf(scale(true, false, false))(
    "brokers, database and store that go away, and owners that are replaced and paused: senders are told, nothing is lost or kept twice, and all goes on by itself",
    { timeout: scale(180_000, 180_000, 1_800_000) },
    async () => {
      const { kafka, postgres, s3, proxy, processes, apart } = servers();
      const start = (name: string, roles: readonly string[]) =>
        processes.start(`outage-${name}`, roles, apart("outages"));
      const [receiver, other, query, ...assemblers] = await Promise.all([
        start("receive-1", ["receive"]),
        start("receive-2", ["receive"]),
        start("query", ["query", "retain"]),
        start("assemble-1", ["assemble"]),
        start("assemble-2", ["assemble"]),
      ]);
      const all = [receiver, other, query, ...assemblers];
      const ready = (path = "/readyz") => Promise.all(all.map(({ http }) => statusOf(http + path)));
      const isReady = async () => (await ready()).every((status) => status === 200);
      await Promise.all(all.map((each) => each.ready()));
      const load = startLoad([receiver, other]);
      const list = () => statusOf(`${query.http}/api/v1/runs?limit=1`);

      await kafka.down();
      await until("the word of it", async () =>
        (await ready("/readyz/receive")).slice(0, 2).every((each) => each === 503),
      );
      await pause(AWAY_MS);
      await until("a refusal", async () => load.refusals().includes("503 retry-after"));
      // nobody sends anything to a process that is not ready
      const release = load.hold();
      await kafka.up();
      await until("readiness without a request", isReady, 60_000);
      expect(new Set(load.refusals())).toEqual(new Set(["503 retry-after"]));
      release();

      await postgres.down();
      await until("the word of it", async () => (await list()) === 503 && !(await isReady()));
      await pause(AWAY_MS);
      expect([await statusOf(`${receiver.http}/readyz/receive`), load.refusals()]).toEqual([200, []]);
      await postgres.up();
      await until("readiness", isReady, 60_000);

      const refuse: readonly [() => unknown, () => unknown] = [
        () => (proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" })),
        () => (proxy.fault = () => null),
      ];
      const stopped: typeof refuse = [() => s3.kill(), () => s3.start()];
      for (const [stop, again] of IS_WHOLE ? [refuse, stopped] : [refuse]) {
        await stop();
        await until("the word of it", async () => !(await isReady()));
        await pause(AWAY_MS);
        await again();
        await until("readiness", isReady, 60_000);
      }
      expect(load.refusals()).toEqual([]);

      if (IS_WHOLE) {
        const third = await start("assemble-3", ["assemble"]);
        all.push(third);
        for (let n = 0; n < REBALANCES; n++) {
          await pause(REBALANCE_MS);
          await third.crash();
        }
        const sleeper = assemblers[0].pid();
        process.kill(sleeper, "SIGSTOP");
        await pause(AWAY_MS);
        process.kill(sleeper, "SIGCONT");
        expect(load.refusals()).toEqual([]);
      }

      const requests = await load.end();
      const runs = [...requests.keys()];
      const alone = await startCollector({ assemble: { settle: 300 } });
      try {
        for (const body of [...requests.values()].flat()) await alone.send(body);
        const expected = await until("all runs of one process", async () => {
          const found = await contents(alone.address.http, runs);
          return found.size === runs.length && found;
        });
        await expectContents(query.http, expected, all);
      } finally {
        await alone.stop();
      }
      expect((await listed(query.http)).toSorted()).toEqual(runs.toSorted());
      expect(await Promise.all(all.map((each) => each.stop()))).toEqual(all.map(() => 0));
      process.stdout.write(
        `distributed: ${runs.length} runs over ${IS_WHOLE ? 6 : 3} kinds of outages, 0 lost, 0 twice\n`,
      );
    },
  );
}
