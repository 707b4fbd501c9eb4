import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { noLog } from "../log.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { openKafkaJournal } from "./drivers/kafka/kafka.ts";
import type { KafkaAddress } from "./drivers/kafka/kafka-address.ts";
import type { Journal } from "./journal.ts";

/** host:port of a real broker, for the suites that run on one; undefined: there is none, and they are left out. */
export const testBroker = process.env["REENACT_TEST_KAFKA"];

/** A topic of its own on the broker of the tests, whose records lie below `folder`. */
export function testTopic(folder: string, partitions: number): KafkaAddress {
  const name = randomUUID();
  return {
    driver: "kafka",
    brokers: [testBroker ?? ""],
    topic: `test.${name}`,
    group: `test.${name}`,
    tls: false,
    ca: null,
    sasl: null,
    sessionMs: 6_000,
    partitions,
    allowSingleBroker: true,
    spool: join(folder, "spool"),
  };
}

/** A topic of one partition has one order of its records, as a journal in a folder has. */
export async function openTestKafka(folder: string): Promise<Journal> {
  const kafka = await openKafkaJournal(testTopic(folder, 1), {
    staging: createMemoryStore(),
    log: noLog,
    onReplaced: () => {},
  });
  const partition = await kafka.open(0, 0);
  return {
    ...partition,
    append: kafka.append,
    async close() {
      await partition.close();
      await kafka.close();
    },
  };
}
