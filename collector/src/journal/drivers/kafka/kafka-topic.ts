import { Admin, ConfigResourceTypes } from "@platformatic/kafka";
import { JournalError } from "../../journal-error.ts";
import { type KafkaAddress, kafkaPlace } from "./kafka-address.ts";
import { clientOptions, journalError, protocolErrors } from "./kafka-client.ts";

/** What the brokers say of a topic. */
export interface KafkaTopic {
  /** of the cluster, for ever the same */
  readonly cluster: string;
  /** of this topic: one that is removed and made again under the same name has another */
  readonly id: string;
  readonly partitions: number;
  /** of the partition with the fewest */
  readonly replicas: number;
  readonly minInSync: number;
  /** partitions that have no leader, or fewer replicas in sync than are to acknowledge */
  readonly unwritable: number;
  /** `cleanup.policy` is or has `compact`: of the records of one run only the last would stay */
  readonly compacts: boolean;
  /** of one batch of records, as it is sent */
  readonly maxBytes: number;
  /** milliseconds for which records are kept, at least; Infinity: for ever */
  readonly retentionMs: number;
}

/** The least number of brokers that have a record before it is acknowledged. */
const COPIES = 2;
export const REPLICAS = 3;

/** Makes the topic where there is none, and reads what it promises. Throws `JournalError`: `UNAVAILABLE`, `DENIED`. */
export async function findTopic(address: KafkaAddress): Promise<KafkaTopic> {
  const admin = new Admin(clientOptions(address));
  try {
    return (await describeTopic(admin, address)) ?? (await makeTopic(admin, address));
  } catch (error) {
    throw journalError(error, address, "the topic cannot be read");
  } finally {
    await admin.close().catch(() => {});
  }
}

/** null: there is none. */
export async function describeTopic(admin: Admin, { topic }: KafkaAddress): Promise<KafkaTopic | null> {
  // asked first: the client does not say of a topic that it does not know whether the brokers know it
  if (!(await admin.listTopics({ includeInternals: false })).includes(topic)) return null;
  const { id, topics } = await admin.metadata({ topics: [topic], forceUpdate: true });
  const found = topics.get(topic);
  if (!found) return null;
  const names = ["min.insync.replicas", "max.message.bytes", "retention.ms", "cleanup.policy"];
  const [described] = await admin.describeConfigs({
    resources: [{ resourceType: ConfigResourceTypes.TOPIC, resourceName: topic, configurationKeys: names }],
  });
  const textOf = (name: string) => described?.configs.find((each) => each.name === name)?.value;
  const limits = topicLimits(textOf);
  const { minInSync } = limits;
  return {
    cluster: id,
    id: found.id,
    partitions: found.partitionsCount,
    replicas: Math.min(...found.partitions.map(({ replicas }) => replicas.length)),
    ...limits,
    unwritable: found.partitions.filter(({ leader, isr }) => leader < 0 || isr.length < minInSync).length,
    compacts: textOf("cleanup.policy")?.includes("compact") ?? false,
  };
}

/** As brokers have it where nobody set it. */
const DEFAULT_MAX_BYTES = 1_048_588;

/**
 * Numbers from the topic's settings. A setting that the brokers do not tell is taken for what loses nothing: records are kept for
 * ever, so nothing staged is removed; nobody has to acknowledge, so the start is refused; the default limit, so larger records are staged.
 */
export function topicLimits(
  textOf: (name: string) => string | null | undefined,
): Pick<KafkaTopic, "minInSync" | "maxBytes" | "retentionMs"> {
  const numberOf = (name: string, otherwise: number): number => {
    const text = textOf(name);
    const number = text === null || text === undefined || text === "" ? NaN : Number(text);
    return Number.isFinite(number) ? number : otherwise;
  };
  const retention = numberOf("retention.ms", -1);
  return {
    minInSync: numberOf("min.insync.replicas", 0),
    maxBytes: numberOf("max.message.bytes", DEFAULT_MAX_BYTES),
    retentionMs: retention < 0 ? Infinity : retention,
  };
}

async function makeTopic(admin: Admin, address: KafkaAddress): Promise<KafkaTopic> {
  const { topic, partitions, allowSingleBroker } = address;
  const copies = allowSingleBroker ? 1 : COPIES;
  const replicas = allowSingleBroker ? 1 : REPLICAS;
  try {
    await admin.createTopics({
      topics: [topic],
      partitions,
      replicas,
      configs: [{ name: "min.insync.replicas", value: String(copies) }],
    });
  } catch (error) {
    const names = protocolErrors(error);
    if (names.includes("INVALID_REPLICATION_FACTOR"))
      throw unsafeTopic(address, `there are fewer than ${replicas} brokers`);
    // another collector that starts made it
    if (!names.includes("TOPIC_ALREADY_EXISTS")) throw error;
  }
  for (let tried = 0; ; tried++) {
    // another broker may not know it yet
    const made = await describeTopic(admin, address).catch((error: unknown) => error);
    if (made !== null && !(made instanceof Error)) return made as KafkaTopic;
    if (tried === 50) throw made ?? new Error("the topic was made and does not appear");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Throws `UNSAFE_TOPIC` where an acknowledged record could be lost: to compaction, or, unless that is allowed, with one broker. */
export function assertSafeTopic(address: KafkaAddress, { replicas, minInSync, compacts }: KafkaTopic): void {
  if (compacts)
    throw unsafeTopic(address, "its cleanup.policy is compact, which removes all records of a run but the last");
  if (address.allowSingleBroker || (minInSync >= COPIES && replicas >= COPIES)) return;
  const why =
    replicas < COPIES
      ? `a partition of it is on one broker only`
      : `min.insync.replicas is ${minInSync}, so one broker alone acknowledges`;
  throw unsafeTopic(address, why);
}

const unsafeTopic = (address: KafkaAddress, why: string) =>
  new JournalError("UNSAFE_TOPIC", `${kafkaPlace(address)}: ${why}`);
