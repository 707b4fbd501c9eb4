/**
 * Headers that an SDK or a transport sets by itself, reviewed as data. A difference in one of them is a note of the
 * report, with its name, and no divergence: another release of an SDK sends another version, another machine another
 * port. Every header that is not named here is compared.
 */
const TRANSPORT_HEADERS: readonly (readonly [name: string, why: string])[] = [
  ["baggage", "trace context"],
  ["content-length", "length of the body, which is compared itself"],
  ["date", "time of the request"],
  ["expect", "transport"],
  ["host", "compared as part of the URL"],
  ["idempotency-key", "idempotency key"],
  ["keep-alive", "transport"],
  ["priority", "transport"],
  ["proxy-connection", "transport"],
  ["sec-fetch-mode", "set by fetch"],
  ["sentry-trace", "trace context"],
  ["te", "transport"],
  ["traceparent", "trace context"],
  ["tracestate", "trace context"],
  ["b3", "trace context"],
  ["uber-trace-id", "trace context"],
  ["x-amzn-trace-id", "trace context"],
  ["x-cloud-trace-context", "trace context"],
  ["elastic-apm-traceparent", "trace context"],
  ["trailer", "transport"],
  ["transfer-encoding", "transport"],
  ["upgrade-insecure-requests", "set by fetch"],
  ["user-agent", "name and release of the client"],
  ["x-idempotency-key", "idempotency key"],
  ["amz-sdk-invocation-id", "id of the SDK for one call"],
  ["amz-sdk-request", "count of the SDK's tries"],
  ["x-amz-content-sha256", "digest of the body, which is compared itself"],
  ["x-amz-date", "time of the signature"],
  ["x-amz-security-token", "part of a signature"],
  ["x-amz-user-agent", "name and release of the SDK"],
  ["x-client-request-id", "id of the SDK for one call"],
  ["x-goog-api-client", "name and release of the SDK"],
  ["x-ms-client-request-id", "id of the SDK for one call"],
  ["x-ms-date", "time of the signature"],
  ["x-ms-useragent", "name and release of the SDK"],
  ["x-sdk-version", "release of the SDK"],
];

/**
 * Not compared: Node's client sets it by the state of the agent's connections, and a replay has none, so that it differs
 * on unchanged code. It holds for one connection and says nothing to the server's program.
 */
export const NOT_COMPARED: ReadonlySet<string> = new Set(["connection"]);

/** Families of such headers, by what their names begin with. */
const TRANSPORT_PREFIXES: readonly (readonly [prefix: string, why: string])[] = [
  ["x-stainless-", "name, release and platform of the SDK"],
  ["x-b3-", "trace context"],
  ["x-datadog-", "trace context"],
  ["x-fern-", "name and release of the SDK"],
  ["x-speakeasy-", "name and release of the SDK"],
];

const BY_NAME = new Map(TRANSPORT_HEADERS);

/** Why a header is not the program's own, by its lower-case name; null: it is compared. */
export function transportHeader(name: string): string | null {
  return BY_NAME.get(name) ?? TRANSPORT_PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}
