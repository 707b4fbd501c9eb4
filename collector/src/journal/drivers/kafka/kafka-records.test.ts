import { hash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Admin,
  ConfigResourceTypes,
  IncrementalAlterConfigOperationTypes,
  ProduceAcks,
  Producer,
} from "@platformatic/kafka";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryStore } from "../../../store/memory-store.ts";
import type { ObjectStore } from "../../../store/object-store.ts";
import { testBroker, testTopic } from "../../kafka-journal.test.fixture.ts";
import { JOURNAL_START } from "../../journal.ts";
import { joinGroup } from "./group-member.ts";
import { type KafkaJournal, openKafkaJournal } from "./kafka.ts";
import type { KafkaAddress } from "./kafka-address.ts";
import type { PartitionJournal } from "./partition-journal.ts";
import { writeHeaders } from "./record-headers.ts";
import { partitionOf } from "./run-records.ts";
import { stagedKey } from "./staging.ts";

const KIND = 9;
/** Tenants whose records go to the first and to the second of two partitions. */
const [HERE, THERE] = [0, 1].map((partition) =>
  ["a", "b", "c", "d", "e", "f"].find((tenant) => partitionOf(tenant, 2) === partition),
) as [string, string];
const client = { clientId: "test", bootstrapBrokers: [testBroker ?? ""] };

describe.skipIf(testBroker === undefined)("records of a real topic", () => {
  let folder: string;
  let address: KafkaAddress;
  let store: ObjectStore;
  let events: string[];
  let kafka: KafkaJournal;
  let partitions: PartitionJournal[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "reenact-records-"));
    address = testTopic(folder, 2);
    store = createMemoryStore();
    events = [];
  });
  afterEach(async () => {
    for (const each of partitions) await each.close();
    await kafka.close();
    rmSync(folder, { recursive: true, force: true });
  });
  async function open(stagedWaitMs = 600_000): Promise<void> {
    const log = (_level: string, event: string) => void events.push(event);
    kafka = await openKafkaJournal(address, { staging: store, stagedWaitMs, log, onReplaced: () => {} });
    partitions = [await kafka.open(0, 0), await kafka.open(1, 0)];
  }
  const append = (tenant: string, body: Uint8Array) => kafka.append({ tenant, kind: KIND, receivedAt: 1_000, body });
  /** Bodies in the order of the partition, as they come. */
  function reading(partition: number): string[] {
    const bodies: string[] = [];
    void (async () => {
      for await (const { body } of partitions[partition]!.read(JOURNAL_START))
        bodies.push(Buffer.from(body).toString());
    })();
    return bodies;
  }

  test("a record of another program is passed over, and one whose body is not in the store yet holds up its own partition only", async () => {
    await open();
    const producer = new Producer(client);
    const put = (headers: Map<Buffer, Buffer>, value: string) =>
      producer.send({
        acks: ProduceAcks.ALL,
        messages: [{ topic: address.topic, partition: 0, key: Buffer.from("k"), value: Buffer.from(value), headers }],
      });
    const body = Buffer.from("a body that came late");
    const staged = { digest: hash("sha256", body), length: body.length };
    const own = { tenant: HERE, kind: KIND, receivedAt: 1_000, staged: null };
    try {
      await put(new Map(), "no record of a collector");
      await put(new Map([...writeHeaders(own), [Buffer.from("received"), Buffer.from("1e99")]]), "at no time");
      await put(writeHeaders({ ...own, tenant: "t".repeat(300) }), "of nobody");
      await put(writeHeaders({ ...own, staged }), "");
    } finally {
      await producer.close();
    }
    const [here, there] = [reading(0), reading(1)];
    await append(HERE, Buffer.from("behind it"));
    await append(THERE, Buffer.from("beside it"));
    await vi.waitUntil(() => there.length === 1 && events.includes("journal.partition-waits"), 20_000);
    expect([here, there]).toEqual([[], ["beside it"]]);
    expect(kafka.status().damagedBytes).toBe(3);
    await store.put(stagedKey(staged.digest, 1_000), body);
    await vi.waitUntil(() => here.length === 2, 20_000);
    expect(here).toEqual([body.toString(), "behind it"]);
    expect(events.filter((event) => event === "journal.foreign-record")).toHaveLength(3);
  });

  test("a record whose body is gone, or is another one, is passed over by name after a time, and counted", async () => {
    await open(500);
    const bytes = 2_000_000;
    const [lost, other] = [randomBytes(bytes), randomBytes(bytes)];
    const keyOf = (body: Buffer) => stagedKey(hash("sha256", body), 1_000);
    const { putIfAbsent } = store;
    const spoiled: typeof putIfAbsent = async (key, body) => {
      if (key === keyOf(lost)) return "created";
      return putIfAbsent(key, key === keyOf(other) ? Buffer.alloc(bytes) : body);
    };
    Object.assign(store, { putIfAbsent: spoiled });
    for (const body of [Buffer.from("before"), lost, other, Buffer.from("behind")]) await append(HERE, body);
    const here = reading(0);
    await vi.waitUntil(() => here.length === 2, 20_000);
    expect(here.map((body) => body.slice(0, 10))).toEqual(["before", "behind"]);
    expect(events.filter((event) => event === "journal.body-lost")).toHaveLength(2);
    expect(kafka.status().damagedBytes).toBe(2);
  });

  test("a record that is larger than the topic takes goes to the store, also once the topic takes less", async () => {
    const admin = new Admin(client);
    try {
      const limit = { name: "max.message.bytes", value: "9000" };
      await admin.createTopics({ topics: [address.topic], partitions: 2, replicas: 1, configs: [limit] });
      await open();
      const [large, middle] = [Buffer.alloc(20_000, "l"), Buffer.from(randomBytes(5_000).toString("base64"))];
      await append(HERE, large);
      const resource = { resourceType: ConfigResourceTypes.TOPIC, resourceName: address.topic };
      const lower = { ...limit, value: "3000", configOperation: IncrementalAlterConfigOperationTypes.SET };
      await admin.incrementalAlterConfigs({ resources: [{ ...resource, configs: [lower] }] });
      await vi.waitUntil(
        () =>
          append(HERE, middle).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000, interval: 200 },
      );
      const here = reading(0);
      await vi.waitUntil(() => here.length === 2, 20_000);
      expect(here).toEqual([large.toString(), middle.toString()]);
      for (const body of [large, middle])
        expect(await store.head(stagedKey(hash("sha256", body), 1_000))).not.toBeNull();
    } finally {
      await admin.close();
    }
  });

  test("partitions that a topic gets later are shared out, though no process comes or goes", async () => {
    await open();
    const assigned: (readonly number[])[] = [];
    const onAssigned = (found: readonly number[]) => void assigned.push(found);
    const member = joinGroup(address, { partitions: kafka.partitions, onAssigned, log: () => {} });
    const admin = new Admin(client);
    try {
      await vi.waitUntil(() => assigned.at(-1)?.length === 2, 20_000);
      await admin.createPartitions({ topics: [{ name: address.topic, count: 3, assignments: null }] });
      await vi.waitUntil(() => assigned.at(-1)?.length === 3, 20_000);
    } finally {
      await member.leave();
      await admin.close();
    }
  });
});
