import { Admin } from "@platformatic/kafka";
import type { Log } from "../../../log.ts";
import { JournalError } from "../../journal-error.ts";
import { type KafkaAddress, kafkaPlace } from "./kafka-address.ts";
import { clientOptions, journalError } from "./kafka-client.ts";
import { assertSafeTopic, describeTopic, type KafkaTopic } from "./kafka-topic.ts";

/** What the brokers say of the topic, asked again and again: a process that nobody sends anything must see, too, when they come back. */
export interface WatchedTopic {
  /** as of the last answer */
  now(): KafkaTopic;
  /** why records would not be acknowledged now; null: they would, as far as the brokers say */
  refusing(): JournalError | null;
  /** when they would have been, last: by `performance.now()` */
  writableAt(): number;
  close(): Promise<void>;
}

/** Between two looks, milliseconds. */
const LOOK_MS = 2_000;

/** `onReplaced` is called once the topic is another one of the same name. */
export function watchTopic(
  address: KafkaAddress,
  first: KafkaTopic,
  { log, onReplaced }: { readonly log: Log; readonly onReplaced: (error: JournalError) => void },
): WatchedTopic {
  const admin = new Admin({ ...clientOptions(address), retries: 0 });
  let topic = first;
  let refusing: JournalError | null = null;
  let writableAt = performance.now();
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const begun = performance.now();
    const found = await describeTopic(admin, address);
    if (found === null)
      throw new JournalError("UNAVAILABLE", `${kafkaPlace(address)}: the topic is not there any more`);
    if (found.id !== first.id) {
      const error = new JournalError("REPLACED", `${kafkaPlace(address)}: the topic was removed and made again`);
      onReplaced(error);
      throw error;
    }
    topic = found;
    assertSafeTopic(address, found);
    if (found.unwritable > 0) throw new JournalError("UNAVAILABLE", `${kafkaPlace(address)}: ${lacks(found)}`);
    if (refusing !== null) log("info", "journal.brokers-answer", { topic: address.topic });
    refusing = null;
    writableAt = begun;
  }

  function note(cause: unknown): void {
    const error = journalError(cause, address, "the topic cannot be read");
    if (refusing === null) log("warn", "journal.brokers-away", { topic: address.topic, error });
    refusing = error;
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch(note)
      .finally(() => (looking = null));
  }, LOOK_MS);
  return {
    now: () => topic,
    refusing: () => refusing,
    writableAt: () => writableAt,
    async close() {
      clearInterval(timer);
      await admin.close().catch(() => {});
      await looking;
    },
  };
}

const lacks = ({ unwritable, partitions, minInSync }: KafkaTopic): string =>
  `${unwritable} of ${partitions} partitions have fewer than ${minInSync} replicas in sync, so nothing is acknowledged there`;
