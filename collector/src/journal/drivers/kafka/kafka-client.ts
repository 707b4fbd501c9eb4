import { readFileSync } from "node:fs";
import type { BaseOptions } from "@platformatic/kafka";
import { JournalError } from "../../journal-error.ts";
import { type KafkaAddress, kafkaPlace } from "./kafka-address.ts";

/** One request, milliseconds. A sender that waits longer gives up, and sends again. */
const REQUEST_MS = 10_000;
const CONNECT_MS = 3_000;

/** Options of every client. Throws `JournalError` with `IO` where the file of the authority cannot be read. */
export function clientOptions({ brokers, tls, ca, sasl }: KafkaAddress): BaseOptions {
  return {
    clientId: "reenact-collector",
    bootstrapBrokers: [...brokers],
    timeout: REQUEST_MS,
    connectTimeout: CONNECT_MS,
    retries: 3,
    retryDelay: 250,
    ...(tls && { tls: ca === null ? {} : { ca: authority(ca) } }),
    ...(sasl && { sasl: { ...sasl } }),
  };
}

function authority(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw JournalError.from(error, `journal.ca: ${path}`);
  }
}

/** Names of the protocol's errors in what a client threw. */
export function protocolErrors(error: unknown): string[] {
  if (typeof error !== "object" || error === null) return [];
  const own = "apiId" in error && typeof error.apiId === "string" ? [error.apiId] : [];
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : [];
  return [...own, ...[...inner, ...cause].flatMap(protocolErrors)];
}

const DENIED = /^(TOPIC|GROUP|CLUSTER)_AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$/;

/** What a client threw, as the journal says it. */
export function journalError(error: unknown, address: KafkaAddress, what: string): JournalError {
  if (error instanceof JournalError) return error;
  const names = protocolErrors(error);
  const text = `${kafkaPlace(address)}: ${what}: ${[...new Set(names)].join(", ") || messageOf(error)}`;
  const code = (error as { code?: unknown } | null)?.code;
  const denied = names.some((name) => DENIED.test(name)) || code === "PLT_KFK_AUTHENTICATION";
  return new JournalError(denied ? "DENIED" : "UNAVAILABLE", text, error);
}

/** With what it was caused by: that a connection failed says less than that its certificate is not known. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors.at(-1));
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : messageOf(error.cause);
  return cause === "" || error.message.includes(cause)
    ? error.message
    : `${error.message.replace(/\.$/, "")}: ${cause}`;
}
