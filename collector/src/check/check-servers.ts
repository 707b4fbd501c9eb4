import { catalogAddress } from "../catalog/open-catalog.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { kafkaAddress } from "../journal/open-journal.ts";
import { reasonOf } from "../refusal.ts";
import { checkStore } from "./check-store.ts";
import { fail, pass, type ServerCheck } from "./server-check.ts";

/**
 * Asks the brokers, the database and the store of a collector whether it can start on them and lose nothing. It makes no topic and no
 * table, and owns nothing: a collector may be running. Below `v1/probe/` of the store it writes and removes small objects.
 */
export async function checkServers(config: CollectorConfig): Promise<ServerCheck[]> {
  const checks = await Promise.all([
    guarded("brokers", () => checkJournal(config)),
    guarded("database", () => checkCatalog(config)),
    guarded("store", () => checkStore(config)),
  ]);
  return checks.flat();
}

async function checkJournal(config: CollectorConfig): Promise<ServerCheck[]> {
  const address = kafkaAddress(config);
  if (address === null) return [pass("journal", `a folder in ${config.data}`)];
  const { checkTopic } = await import("../journal/drivers/kafka/check-topic.ts");
  return checkTopic(address);
}

async function checkCatalog(config: CollectorConfig): Promise<ServerCheck[]> {
  const address = catalogAddress(config);
  if (address.driver === "sqlite") return [pass("catalog", `the file ${address.file}`)];
  const { checkPostgres } = await import("../catalog/drivers/check-postgres.ts");
  return checkPostgres(address);
}

/** What one server does not answer hides no other. */
async function guarded(id: string, look: () => Promise<ServerCheck[]>): Promise<ServerCheck[]> {
  try {
    return await look();
  } catch (error) {
    const { code, message, next } = reasonOf(error);
    return [fail(id, `${code}: ${message}`, next)];
  }
}
