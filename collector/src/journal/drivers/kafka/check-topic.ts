import { Admin } from "@platformatic/kafka";
import { fail, pass, type ServerCheck } from "../../../check/server-check.ts";
import { JournalError } from "../../journal-error.ts";
import { type KafkaAddress, kafkaPlace } from "./kafka-address.ts";
import { clientOptions, journalError } from "./kafka-client.ts";
import { assertSafeTopic, describeTopic, type KafkaTopic, REPLICAS } from "./kafka-topic.ts";

/** Records that are not sealed in this time are lost: a night and a day in which nobody looks. */
const LEAST_RETENTION = 24 * 3_600_000;
/** Smaller records than this go to the store, each with two requests. */
const LEAST_BYTES = 256 * 1024;
const DAY = 86_400_000;

/** Throws `JournalError`: `UNAVAILABLE`, `DENIED`. Makes no topic. */
export async function checkTopic(address: KafkaAddress): Promise<ServerCheck[]> {
  const admin = new Admin({ ...clientOptions(address), retries: 0 });
  try {
    const { brokers } = await admin.metadata({ topics: [], forceUpdate: true });
    const answers = pass("brokers", `${kafkaPlace(address)}: ${brokers.size} in the cluster`);
    const topic = await describeTopic(admin, address);
    return topic === null ? [answers, toBeMade(address, brokers.size)] : [answers, ...checksOf(address, topic)];
  } catch (error) {
    throw journalError(error, address, "the topic cannot be read");
  } finally {
    await admin.close().catch(() => {});
  }
}

function toBeMade({ topic, partitions, allowSingleBroker }: KafkaAddress, brokers: number): ServerCheck {
  if (brokers < REPLICAS && !allowSingleBroker)
    return fail(
      "topic",
      `${topic} is not there, and ${brokers} of the ${REPLICAS} brokers that it needs are`,
      "start more brokers, or, where a lost broker may lose runs, start with --allow-single-broker",
    );
  return pass("topic", `${topic} is not there; the first start makes it, with ${partitions} partitions`);
}

function checksOf(address: KafkaAddress, found: KafkaTopic): ServerCheck[] {
  const { topic } = address;
  const { partitions, replicas, minInSync, unwritable, maxBytes, retentionMs } = found;
  const alter = (setting: string) =>
    `kafka-configs --alter --entity-type topics --entity-name ${topic} --add-config ${setting}`;
  const checks = [safety(address, found)];
  if (unwritable > 0)
    checks.push(
      fail(
        "replicas",
        `${unwritable} of ${partitions} partitions of ${topic} have fewer than ${minInSync} replicas in sync: nothing is acknowledged there`,
        "start the brokers that are away",
      ),
    );
  else if (replicas === minInSync && checks[0]?.ok && !address.allowSingleBroker)
    checks.push(
      fail(
        "replicas",
        `${topic} has ${replicas} replicas and min.insync.replicas=${minInSync}: with one broker away nothing is acknowledged`,
        "give the topic 3 replicas: kafka-reassign-partitions",
      ),
    );
  const limits = `max.message.bytes=${maxBytes}, records kept for ${retentionMs === Infinity ? "ever" : `${retentionMs / DAY} days`}`;
  if (retentionMs < LEAST_RETENTION)
    checks.push(
      fail("topic-limits", `${topic}: ${limits}: what is not sealed by then is lost`, alter("retention.ms=604800000")),
    );
  else if (maxBytes < LEAST_BYTES)
    checks.push(
      fail("topic-limits", `${topic}: ${limits}: most records go to the store`, alter("max.message.bytes=1048588")),
    );
  else checks.push(pass("topic-limits", `${topic}: ${limits}`));
  return checks;
}

function safety(address: KafkaAddress, found: KafkaTopic): ServerCheck {
  const { partitions, replicas, minInSync } = found;
  try {
    assertSafeTopic(address, found);
    const text = `${partitions} partitions, ${replicas} replicas, min.insync.replicas=${minInSync}`;
    return pass("topic", `${address.topic}: ${text}`);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return fail("topic", `${error.code}: ${error.message}`, error.next);
  }
}
