import { resolve } from "node:path";

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
  const on = (name: string): boolean => {
    const value = get(name)?.toLowerCase() ?? "";
    if (["1", "true", "yes", "on"].includes(value)) return true;
    if (!["", "0", "false", "no", "off"].includes(value)) problems.push(`${name} must be 1 or 0`);
    return false;
  };
  const log = get("REENACT_LOG")?.toLowerCase() ?? "silent";
  if (log !== "silent" && log !== "info" && log !== "debug") problems.push("REENACT_LOG must be silent, info or debug");
  const parent = get("REENACT_PARENT");
  if (parent !== null && !PARENT.test(parent)) problems.push("REENACT_PARENT must be <run>:<lane>");
  const resource = readResource(get("OTEL_RESOURCE_ATTRIBUTES"));
  if (resource === null) problems.push("OTEL_RESOURCE_ATTRIBUTES must be key=value,key=value");
  return {
    problems,
    config: {
      store: resolve(get("REENACT_STORE") ?? ".reenact"),
      disabled: on("REENACT_DISABLED") || get("OTEL_SDK_DISABLED")?.toLowerCase() === "true",
      log: log === "info" || log === "debug" ? log : "silent",
      exitMs: number("REENACT_EXIT_MS", 2000) as number,
      maxMbPerMin: number("REENACT_MAX_MB_PER_MIN", null),
      parent: parent === null ? null : (PARENT.exec(parent)?.[1] ?? null),
      configFile: get("REENACT_CONFIG"),
      launch: get("REENACT_LAUNCH"),
      serviceName: get("OTEL_SERVICE_NAME") ?? resource?.["service.name"] ?? null,
      serviceVersion: resource?.["service.version"] ?? null,
      resource: resource ?? {},
    },
  };
}

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
