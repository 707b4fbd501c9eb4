import { resolve } from "node:path";
import { readForward, readRoot } from "../send/address.ts";

export type LogLevel = "silent" | "info" | "debug";

/** What the environment says. The zod schema in `config-schema.ts` is the reference; a test keeps both equal. */
export interface Config {
  /** absolute folder */
  store: string;
  disabled: boolean;
  log: LogLevel;
  /** milliseconds that finishing large texts may take at exit; 0: no limit */
  exitMs: number;
  /** megabytes per minute that may be recorded; null: no limit */
  maxMbPerMin: number | null;
  /** run that this process is a part of: 32 hex */
  parent: string | null;
  /** file of the configuration; null: one of three names in the working directory */
  configFile: string | null;
  /** opaque name that `reenact run` gives to the processes it starts */
  launch: string | null;
  /** root of the Reenact collector that gets every run, without a slash at its end; null: runs stay in the store */
  endpoint: string | null;
  /** for that collector */
  apiKey: string | null;
  /** OTLP receivers that get a view of every run as well */
  forward: readonly string[];
  forwardView: "openinference" | "full";
  /** for those receivers: only where there is one */
  forwardHeaders: Record<string, string>;
  /** the standard OTEL_EXPORTER_OTLP_* variables name another receiver */
  exportOtel: boolean;
  /** originals of redacted values are kept, sealed, where that is possible */
  vault: boolean;
  /** public key of a responder who may open them too */
  vaultRecipient: string | null;
  /** days after which they are deleted; null: as the configuration file says */
  vaultDays: number | null;
  serviceName: string | null;
  serviceVersion: string | null;
  resource: Record<string, string>;
}

export interface ReadConfig {
  config: Config;
  /** one line each; the default stands in for the bad value */
  problems: string[];
}

/** The only place where the recorder looks at the environment. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}

/** By hand: zod would cost the agent's start-up more than everything else together. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = environment()): ReadConfig {
  const problems: string[] = [];
  const get = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  const number = (name: string, otherwise: number | null): number | null => {
    const value = get(name);
    if (value === null) return otherwise;
    if (/^\d{1,9}(\.\d{1,6})?$/.test(value)) return Number(value);
    problems.push(`${name} must be a number ≥ 0`);
    return otherwise;
  };
  const on = (name: string, otherwise = false): boolean => {
    const value = get(name)?.toLowerCase() ?? "";
    if (["1", "true", "yes", "on"].includes(value)) return true;
    if (["0", "false", "no", "off"].includes(value)) return false;
    if (value !== "") problems.push(`${name} must be 1 or 0`);
    return otherwise;
  };
  const log = get("REENACT_LOG")?.toLowerCase() ?? "silent";
  if (log !== "silent" && log !== "info" && log !== "debug") problems.push("REENACT_LOG must be silent, info or debug");
  const parent = get("REENACT_PARENT");
  if (parent !== null && !PARENT.test(parent)) problems.push("REENACT_PARENT must be <run>:<lane>");
  const resource = readResource(get("OTEL_RESOURCE_ATTRIBUTES"));
  if (resource === null) problems.push("OTEL_RESOURCE_ATTRIBUTES must be key=value,key=value");
  const endpoint = get("REENACT_ENDPOINT");
  const root = endpoint === null ? null : readRoot(endpoint);
  if (endpoint !== null && root === null) problems.push(`REENACT_ENDPOINT ${BAD_ADDRESS}`);
  const forward = readForward(get("REENACT_FORWARD"));
  if (forward === null) problems.push(`REENACT_FORWARD ${BAD_ADDRESS}`);
  const view = get("REENACT_FORWARD_VIEW")?.toLowerCase() ?? "openinference";
  if (view !== "openinference" && view !== "full") problems.push("REENACT_FORWARD_VIEW must be openinference or full");
  const headers = readResource(get("REENACT_FORWARD_HEADERS"));
  if (headers === null) problems.push("REENACT_FORWARD_HEADERS must be name=value,name=value");
  const many = Object.keys(headers ?? {}).length > 0 && (forward?.length ?? 0) > 1;
  if (many) problems.push(MANY_HEADED);
  const exporter = get("REENACT_EXPORT")?.toLowerCase() ?? "none";
  if (exporter !== "otel" && exporter !== "none") problems.push("REENACT_EXPORT must be otel or none");
  const recipient = get("REENACT_VAULT_RECIPIENT");
  if (recipient !== null && !isRecipient(recipient)) problems.push(`REENACT_VAULT_RECIPIENT ${BAD_RECIPIENT}`);
  const store = get("REENACT_STORE");
  if (store !== null && !isFolder(store)) problems.push(`REENACT_STORE ${NO_FOLDER}`);
  return {
    problems,
    config: {
      store: resolve(store !== null && isFolder(store) ? store : ".reenact"),
      disabled: on("REENACT_DISABLED") || get("OTEL_SDK_DISABLED")?.toLowerCase() === "true",
      log: log === "info" || log === "debug" ? log : "silent",
      exitMs: number("REENACT_EXIT_MS", 2000) as number,
      maxMbPerMin: number("REENACT_MAX_MB_PER_MIN", null),
      parent: parent === null ? null : (PARENT.exec(parent)?.[1] ?? null),
      configFile: get("REENACT_CONFIG"),
      launch: get("REENACT_LAUNCH"),
      endpoint: root,
      apiKey: get("REENACT_API_KEY"),
      forward: forward ?? [],
      forwardView: view === "full" ? "full" : "openinference",
      forwardHeaders: many ? {} : (headers ?? {}),
      exportOtel: exporter === "otel",
      vault: on("REENACT_VAULT", true),
      vaultRecipient: recipient !== null && isRecipient(recipient) ? recipient : null,
      vaultDays: number("REENACT_VAULT_DAYS", null),
      serviceName: get("OTEL_SERVICE_NAME") ?? resource?.["service.name"] ?? null,
      serviceVersion: resource?.["service.version"] ?? null,
      resource: resource ?? {},
    },
  };
}

/** Whether it is written as `reenact vault keygen` writes a public key. */
export function isRecipient(text: string): boolean {
  return /^reenact-vault-public:[\w-]{43}$/.test(text);
}

export const BAD_RECIPIENT = "must be a public key, as reenact vault keygen prints it";

/** An address would be taken for the name of a folder. */
export function isFolder(store: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:\/\//i.test(store);
}

export const NO_FOLDER = "must be a folder; a collector keeps runs in S3, and REENACT_ENDPOINT names it";
const BAD_ADDRESS = "must be http://host:port, without a user or a query";
/** What is said of headers that more than one receiver would get. */
export const MANY_HEADED = "REENACT_FORWARD_HEADERS is used only with one address in REENACT_FORWARD";
const PARENT = /^([0-9a-f]{32})(?::[\w-]+)?$/;

/** Baggage syntax: percent-encoded values; null when any part is malformed, as OpenTelemetry asks. */
export function readResource(text: string | null): Record<string, string> | null {
  const out: Record<string, string> = {};
  for (const part of text?.split(",") ?? []) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const key = part.slice(0, at).trim();
    if (at < 1 || key === "" || key.length > 255) return null;
    try {
      out[key] = decodeURIComponent(
        part
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, "$1"),
      );
    } catch {
      return null;
    }
  }
  return out;
}
