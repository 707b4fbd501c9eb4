import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Setting, SETTINGS } from "./settings.ts";

export type LogLevel = "silent" | "info" | "debug";

/** The recorder's configuration, read from `SETTINGS`. */
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
  /** session that every run of this process belongs to, unless the program names another one */
  session: string | null;
  /** what `input()` does without a handler, or, where runs are suspended, in any case */
  onInput: "ask" | "suspend";
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

type SettingName = keyof typeof SETTINGS;
type ValueOf<N extends SettingName> = (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;

export function readConfig(env: Readonly<Record<string, string | undefined>> = environment()): ReadConfig {
  const problems: string[] = [];
  function valueOf<N extends SettingName>(name: N): ValueOf<N> {
    const { otherwise, must, read } = SETTINGS[name] as Setting<ValueOf<N>>;
    const text = env[name]?.trim() ?? "";
    const value = text === "" ? otherwise : read(text);
    if (value === undefined) problems.push(`${name} ${must}`);
    return value ?? otherwise;
  }
  const forward = valueOf("REENACT_FORWARD");
  const headers = valueOf("REENACT_FORWARD_HEADERS");
  const hasTooMany = Object.keys(headers).length > 0 && forward.length > 1;
  if (hasTooMany) problems.push("REENACT_FORWARD_HEADERS is used only with one address in REENACT_FORWARD");
  const resource = valueOf("OTEL_RESOURCE_ATTRIBUTES");
  const isOff = valueOf("OTEL_SDK_DISABLED");
  return {
    problems,
    config: {
      store: resolve(
        valueOf("REENACT_STORE") ?? (env["LAMBDA_TASK_ROOT"] === undefined ? ".reenact" : join(tmpdir(), ".reenact")),
      ),
      disabled: valueOf("REENACT_DISABLED") || isOff,
      log: valueOf("REENACT_LOG"),
      exitMs: valueOf("REENACT_EXIT_MS"),
      maxMbPerMin: valueOf("REENACT_MAX_MB_PER_MIN"),
      parent: valueOf("REENACT_PARENT"),
      configFile: valueOf("REENACT_CONFIG"),
      session: valueOf("REENACT_SESSION"),
      onInput: valueOf("REENACT_ON_INPUT"),
      launch: valueOf("REENACT_LAUNCH"),
      endpoint: valueOf("REENACT_ENDPOINT"),
      apiKey: valueOf("REENACT_API_KEY"),
      forward,
      forwardView: valueOf("REENACT_FORWARD_VIEW"),
      forwardHeaders: hasTooMany ? {} : headers,
      exportOtel: valueOf("REENACT_EXPORT") === "otel",
      vault: valueOf("REENACT_VAULT"),
      vaultRecipient: valueOf("REENACT_VAULT_RECIPIENT"),
      vaultDays: valueOf("REENACT_VAULT_DAYS"),
      serviceName: valueOf("OTEL_SERVICE_NAME") ?? resource["service.name"] ?? null,
      serviceVersion: resource["service.version"] ?? null,
      resource,
    },
  };
}
