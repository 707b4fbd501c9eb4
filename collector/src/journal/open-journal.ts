import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@reenact/envelope";
import type { CollectorConfig } from "../config-schema.ts";
import type { Log } from "../log.ts";
import { isLoopback } from "../receive/allow-list.ts";
import type { ObjectStore } from "../store/object-store.ts";
import type { KafkaJournal } from "./drivers/kafka/kafka.ts";
import type { KafkaAddress } from "./drivers/kafka/kafka-address.ts";
import { lockFolder } from "./drivers/local/folder-lock.ts";
import { createLocalJournal } from "./drivers/local/local-journal.ts";
import { endOfFolder } from "./drivers/local/segment-name.ts";
import { storedPosition } from "./drivers/local/segment-place.ts";
import type { Position, RunningJournal } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import { parseKafkaUrl } from "./kafka-url.ts";

const folderOf = ({ data }: Pick<CollectorConfig, "data">) => join(data, "journal");

/** The topic that the settings name; null: the journal is a folder. */
export function kafkaAddress({ data, journal }: Pick<CollectorConfig, "data" | "journal">): KafkaAddress | null {
  const url = journal.url === undefined ? null : parseKafkaUrl(journal.url);
  if (url === null) return null;
  const { brokers, topic, user, password } = url;
  const isLocal = brokers.every((each) => isLoopback(each.replace(/:\d+$/, "")));
  return {
    driver: "kafka",
    brokers,
    topic,
    group: journal.group,
    tls: journal.tls === "auto" ? !isLocal : journal.tls === "verify",
    ca: journal.ca ?? null,
    sasl: user === null ? null : { mechanism: journal.sasl, username: user, password },
    sessionMs: journal.sessionTimeout,
    partitions: journal.partitions,
    allowSingleBroker: journal.allowSingleBroker,
    spool: join(data, "spool"),
  };
}

/** A journal as this process has it. */
export type OpenedJournal =
  | { readonly driver: "local"; readonly journal: RunningJournal }
  | { readonly driver: "kafka"; readonly journal: KafkaJournal; readonly address: KafkaAddress; readonly id: string };

interface JournalDeps {
  /** for records that a broker does not take; used when one comes */
  readonly staging: Pick<ObjectStore, "putIfAbsent" | "getRange" | "list" | "delete">;
  readonly log: Log;
  /** nothing can be kept any more */
  readonly onDead: (error: JournalError) => void;
}

/**
 * The journal that the settings name; nobody else can open its folder until it is closed. Throws `JournalError`: `LOCKED`,
 * `NOT_A_JOURNAL`, `IO`, `NO_SPACE`, and for one in Kafka `UNAVAILABLE`, `DENIED`, `UNSAFE_TOPIC`, `NO_DRIVER`.
 */
export async function openJournal(
  config: Pick<CollectorConfig, "data" | "limits" | "journal">,
  { staging, log, onDead }: JournalDeps,
): Promise<OpenedJournal> {
  const address = kafkaAddress(config);
  if (address === null) {
    const minFreeBytes = config.limits.freeDiskBytes;
    const journal = await createLocalJournal({ folder: folderOf(config), minFreeBytes, log, onDead });
    return { driver: "local", journal };
  }
  const { openKafkaJournal, sharedId } = await loadKafka();
  const journal = await openKafkaJournal(address, { staging, log, onReplaced: onDead });
  return { driver: "kafka", journal, address, id: sharedId(journal.topic, address) };
}

async function loadKafka(): Promise<typeof import("./drivers/kafka/kafka.ts")> {
  try {
    return await import("./drivers/kafka/kafka.ts");
  } catch (cause) {
    const code = errorCode(cause);
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw cause;
    // the package is optional: a journal in a folder works without it
    const why = "a journal in Kafka needs the package @platformatic/kafka, and it is not installed";
    throw new JournalError("NO_DRIVER", why, cause);
  }
}

/** A journal that nobody can open until it is unlocked. */
export interface LockedJournal extends Pick<RunningJournal, "position"> {
  readonly end: Position;
  unlock(): void;
}

/** Keeps a collector from starting. Throws as `openJournal` does. */
export function lockJournal(config: Pick<CollectorConfig, "data">): LockedJournal {
  const folder = folderOf(config);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  return { end: endOfFolder(folder), position: storedPosition, unlock };
}
