import { randomBytes, randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { scanTraces } from "@reenact/envelope";
import { expect, onTestFinished, test } from "vitest";
import { startCollector, until } from "../e2e/running-collector.ts";
import { scale } from "../scale.ts";
import type { CollectorProcess } from "./collector-processes.ts";
import { type Distributed, PARTITIONS } from "./distributed-servers.ts";
import { contents, expectContents, golden, isRoot, listed, madeRun, post } from "./made-runs.ts";

/** REENACT_TEST_KILLS=25: so many kills, with a load to match. */
const ASKED = process.env["REENACT_TEST_KILLS"];
const KILLS = ASKED === undefined ? scale(3, 4, 200) : Number(ASKED);
const RUNS = ASKED === undefined ? scale(30, 40, 2_000) : KILLS * 8;
/** For all runs to be as they should be, after the last kill. */
const SETTLE_MS = Math.max(60_000, RUNS * 300);

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

/** Takes OTLP; remembers which spans it has taken, each once. */
async function startDestination() {
  const taken = new Set<string>();
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    for (const { traceId, spanId } of scanTraces(body)) taken.add(`${traceId} ${spanId}`);
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  }
  // a request of a process that was killed has no end
  const server = createServer((request, response) => void take(request, response).catch(() => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    taken,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    close: () => server.close(),
  };
}

/** Kills processes of all roles, one after another; says now and then how many. */
function startKilling(victims: readonly CollectorProcess[]) {
  const killed = new Map(victims.map(({ name }) => [name, 0]));
  const told = () => [...killed].map(([name, times]) => `${name} ${times}`).join(", ");
  let kills = 0;
  const ended = (async () => {
    while (kills < KILLS) {
      const victim = victims[randomInt(victims.length)]!;
      // most have work to lose: on a busy machine a process would else die before it has begun, again and again
      if (randomInt(5) > 0) await victim.ready();
      await pause(randomInt(500, 2_500));
      await victim.crash();
      killed.set(victim.name, killed.get(victim.name)! + 1);
      kills++;
      if (kills % 10 === 0) process.stdout.write(`distributed: ${kills} kills so far\n`);
    }
  })();
  ended.catch(() => {});
  return { ended, told, share: () => kills / KILLS };
}

/** `kill -9` of any role at random moments under load, then a paused owner. */
export function killTests(servers: () => Distributed): void {
  test(
    "processes that are killed and paused under load: every acknowledged span is in one run, as one process would have sealed it",
    { timeout: scale(300_000, 300_000, 7_200_000) },
    async () => {
      const { processes, shared } = servers();
      const destination = await startDestination();
      onTestFinished(() => void destination.close());
      const forward = [{ name: "sink", url: destination.url }];
      const [receiver, other, query, forwarder, ...assemblers] = await Promise.all([
        processes.start("receive-1", ["receive"]),
        processes.start("receive-2", ["receive"]),
        processes.start("query", ["query"]),
        processes.start("forward", ["forward", "retain"], { forward, retention: { sweepEvery: 2_000 } }),
        processes.start("assemble-1", ["assemble"]),
        processes.start("assemble-2", ["assemble"]),
      ]);
      const all = [receiver!, other!, query!, forwarder!, ...assemblers];
      await Promise.all(all.map((each) => each.ready()));

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

      const killing = startKilling(all);
      // pieces of different runs go together, so that receivers part them
      const pieces = runs.flatMap((run) => requests.get(run)!).toSorted(() => randomInt(3) - 1);
      const batches = KILLS * 2;
      const most = Math.ceil(pieces.length / 3 / batches);
      for (let n = 1; pieces.length > 0; n++) {
        const batch = Array.from({ length: most }, () => pieces.splice(0, 3)).filter((some) => some.length > 0);
        await Promise.all(batch.map((some) => send(Buffer.concat(some))));
        await pause(700);
        // so that the last kill, too, happens under load
        while (killing.share() < n / batches - 0.05) await Promise.race([pause(50), killing.ended]);
      }
      await killing.ended;

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
        expected = await until(
          "all runs of one process",
          async () => {
            const found = await contents(alone.address.http, runs);
            return found.size === runs.length && found;
          },
          SETTLE_MS,
        );
      } finally {
        await alone.stop();
      }
      await expectContents(query!.http, expected, all, SETTLE_MS);
      expect((await listed(query!.http)).toSorted()).toEqual(runs.toSorted());
      // packs whose owner could not commit them lie there, too: a catalog that is made again must not take them for the runs
      const again = await processes.start("again", ["query"], {
        catalog: { ...shared.catalog, schema: "again" },
      });
      await again.ready();
      await expectContents(again.http, expected, [again], SETTLE_MS);
      expect(await again.stop()).toBe(0);
      const spans = runs.flatMap((run) => golden.spans.map(({ scanned }) => `${run} ${scanned.spanId}`));
      const isThere = async () => spans.every((span) => destination.taken.has(span));
      await until("all spans at the destination", isThere, SETTLE_MS);
      expect(destination.taken.size).toBe(spans.length);
      expect(await Promise.all(all.map((each) => each.stop()))).toEqual(all.map(() => 0));
      process.stdout.write(
        `distributed: ${runs.length} runs, ${KILLS} kills (${killing.told()}), ${repeated} requests sent again, 0 lost, 0 twice\n`,
      );
    },
  );
}
