import { readPairs } from "../config/settings.ts";
import { readAddress, tracesOf } from "./address.ts";
import type { Destination } from "./destination.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What the standard variables of OpenTelemetry's OTLP exporter say, those for traces before the general ones. `error`:
 * one line, where they ask for something else than protobuf over HTTP or make no sense.
 */
export function otelDestination(env: Env, view: "openinference" | "full"): Destination | { error: string } {
  const of = (name: string): string | null =>
    valueOf(env, `OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? valueOf(env, `OTEL_EXPORTER_OTLP_${name}`);
  const wrong = (name: string, must: string) => ({ error: `REENACT_EXPORT=otel: OTEL_EXPORTER_OTLP_${name} ${must}` });

  const protocol = of("PROTOCOL") ?? "http/protobuf";
  if (protocol !== "http/protobuf") return wrong("PROTOCOL", "must be http/protobuf");
  const compression = of("COMPRESSION") ?? "none";
  if (compression !== "gzip" && compression !== "none") return wrong("COMPRESSION", "must be gzip or none");
  const timeout = of("TIMEOUT") ?? "10000";
  if (!/^[1-9]\d{0,8}$/.test(timeout)) return wrong("TIMEOUT", "must be milliseconds");
  const url = addressOf(env);
  if (url === null) return wrong("ENDPOINT", "must be an http or https address, without a user or a query");
  const headers = headersOf(env);
  if (headers === null) return wrong("HEADERS", "must be name=value,name=value");
  const [ca, cert, key] = [of("CERTIFICATE"), of("CLIENT_CERTIFICATE"), of("CLIENT_KEY")];
  return {
    target: { url, view },
    traces: url,
    headers,
    timeoutMs: Number(timeout),
    gzip: compression === "gzip",
    tls: { ...(ca !== null && { ca }), ...(cert !== null && { cert }), ...(key !== null && { key }) },
  };
}

/** The one for traces is used as it is, the general one is a root. */
function addressOf(env: Env): string | null {
  const own = valueOf(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (own !== null) return readAddress(own);
  const root = readAddress(valueOf(env, "OTEL_EXPORTER_OTLP_ENDPOINT") ?? "http://localhost:4318");
  return root === null ? null : tracesOf(root.replace(/\/$/, ""));
}

function headersOf(env: Env): Record<string, string> | null {
  const general = readPairs(valueOf(env, "OTEL_EXPORTER_OTLP_HEADERS"));
  const own = readPairs(valueOf(env, "OTEL_EXPORTER_OTLP_TRACES_HEADERS"));
  return general === null || own === null ? null : { ...general, ...own };
}

function valueOf(env: Env, name: string): string | null {
  const value = env[name]?.trim() ?? "";
  return value === "" ? null : value;
}
