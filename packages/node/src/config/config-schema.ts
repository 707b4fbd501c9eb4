import { resolve } from "node:path";
import { z } from "zod";
import { BAD_RECIPIENT, type Config, isFolder, isRecipient, MANY_HEADED, NO_FOLDER, readResource } from "./config.ts";
import { readForward, readRoot } from "../send/address.ts";

/** An unset and an empty variable are the same. */
const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);
const number = text.pipe(
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, "must be a number ≥ 0")
    .transform(Number)
    .optional(),
);
const on = text.pipe(
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(["1", "true", "yes", "on", "0", "false", "no", "off"], "must be 1 or 0"))
    .optional()
    .transform((value) => value !== undefined && ["1", "true", "yes", "on"].includes(value)),
);

/** Environment names, what they mean and their defaults: the documentation table is made from this. */
export const environmentSchema = z.object({
  REENACT_STORE: text
    .refine((value) => value === undefined || isFolder(value), NO_FOLDER)
    .describe("folder of the store; default .reenact"),
  REENACT_DISABLED: on.describe("1: nothing is recorded"),
  REENACT_LOG: text
    .pipe(
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(["silent", "info", "debug"], "must be silent, info or debug"))
        .optional(),
    )
    .describe("info: one line at start says what is recorded and where it goes"),
  REENACT_EXIT_MS: number.describe(
    "milliseconds that finishing large texts may take at exit; default 2000, 0: no limit",
  ),
  REENACT_MAX_MB_PER_MIN: number.describe(
    "megabytes per minute; above it no new run is recorded, one that has begun goes on",
  ),
  REENACT_REDACTION_KEY: text.describe(
    "scope key of the tokens, at least 32 random bytes in hex or base64; a passphrase is stretched",
  ),
  REENACT_REDACTION_KEY_COMMAND: text.describe("command that prints the key within 5 s, where none is set"),
  REENACT_CONFIG: text.describe(
    "configuration file; default reenact.config.ts, .mjs or .json in the working directory",
  ),
  REENACT_PARENT: text
    .pipe(
      z
        .string()
        .regex(/^[0-9a-f]{32}(:[\w-]+)?$/, "must be <run>:<lane>")
        .transform((value) => value.slice(0, 32))
        .optional(),
    )
    .describe("the run that this process is a part of"),
  REENACT_LAUNCH: text.describe("set by `reenact run`: names the processes of one command"),
  REENACT_ENDPOINT: text
    .transform((value) => (value === undefined ? undefined : readRoot(value)))
    .refine((value) => value !== null, "must be http://host:port, without a user or a query")
    .describe("Reenact collector that gets every run; the store keeps what it has not taken yet"),
  REENACT_API_KEY: text.describe("key for that collector"),
  REENACT_FORWARD: text
    .transform((value) => readForward(value ?? null))
    .refine((value) => value !== null, "must be http://host:port, without a user or a query")
    .describe("OTLP/HTTP addresses, with commas, that get every run too, without what only a replay needs"),
  REENACT_FORWARD_VIEW: text
    .pipe(
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(["openinference", "full"], "must be openinference or full"))
        .optional(),
    )
    .describe("full: those addresses get the whole record"),
  REENACT_FORWARD_HEADERS: text
    .transform((value) => readResource(value ?? null))
    .refine((value) => value !== null, "must be name=value,name=value")
    .describe("headers for the one address in REENACT_FORWARD"),
  REENACT_EXPORT: text
    .pipe(
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(["otel", "none"], "must be otel or none"))
        .optional(),
    )
    .describe("otel: the address, headers and so on of OTEL_EXPORTER_OTLP_* are used as well"),
  REENACT_VAULT: text
    .pipe(
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(["1", "true", "yes", "on", "0", "false", "no", "off"], "must be 1 or 0"))
        .optional(),
    )
    .transform((value) => value === undefined || ["1", "true", "yes", "on"].includes(value))
    .describe(
      "0: originals of redacted values are not kept; default: sealed in the store where nothing leaves this machine",
    ),
  REENACT_VAULT_RECIPIENT: text
    .refine((value) => value === undefined || isRecipient(value), BAD_RECIPIENT)
    .describe("public key of a responder who may open them; with it they are kept wherever runs are sent"),
  REENACT_VAULT_DAYS: number.describe("days after which they are deleted; default 30"),
  OTEL_SERVICE_NAME: text.describe("name of the process's run"),
  OTEL_RESOURCE_ATTRIBUTES: text
    .transform((value) => readResource(value ?? null))
    .refine((value) => value !== null, "must be key=value,key=value")
    .describe("attributes of the resource"),
  OTEL_SDK_DISABLED: text.transform((value) => value?.toLowerCase() === "true").describe("true: nothing is recorded"),
});

/** Environment → configuration. */
export const configSchema = environmentSchema
  .refine(
    ({ REENACT_FORWARD: to, REENACT_FORWARD_HEADERS: headers }) =>
      (to?.length ?? 0) < 2 || Object.keys(headers ?? {}).length === 0,
    MANY_HEADED,
  )
  .transform((env): Config => ({
    store: resolve(env.REENACT_STORE ?? ".reenact"),
    disabled: env.REENACT_DISABLED || env.OTEL_SDK_DISABLED,
    log: env.REENACT_LOG ?? "silent",
    exitMs: env.REENACT_EXIT_MS ?? 2000,
    maxMbPerMin: env.REENACT_MAX_MB_PER_MIN ?? null,
    parent: env.REENACT_PARENT ?? null,
    configFile: env.REENACT_CONFIG ?? null,
    launch: env.REENACT_LAUNCH ?? null,
    endpoint: env.REENACT_ENDPOINT ?? null,
    apiKey: env.REENACT_API_KEY ?? null,
    forward: env.REENACT_FORWARD ?? [],
    forwardView: env.REENACT_FORWARD_VIEW ?? "openinference",
    forwardHeaders: env.REENACT_FORWARD_HEADERS ?? {},
    exportOtel: env.REENACT_EXPORT === "otel",
    vault: env.REENACT_VAULT,
    vaultRecipient: env.REENACT_VAULT_RECIPIENT ?? null,
    vaultDays: env.REENACT_VAULT_DAYS ?? null,
    serviceName: env.OTEL_SERVICE_NAME ?? env.OTEL_RESOURCE_ATTRIBUTES?.["service.name"] ?? null,
    serviceVersion: env.OTEL_RESOURCE_ATTRIBUTES?.["service.version"] ?? null,
    resource: env.OTEL_RESOURCE_ATTRIBUTES ?? {},
  }));
