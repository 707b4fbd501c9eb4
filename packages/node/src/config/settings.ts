import { readForward, readRoot } from "../send/address.ts";

/** An environment variable of the recorder. Unset and empty are the same; space around a value does not count. */
export interface Setting<T> {
  /** Markdown for the table in the README; null: not for users */
  readonly means: string | null;
  /** used where the variable is unset, empty or wrong */
  readonly otherwise: T;
  /** what a value must be, for the line about a wrong one */
  readonly must: string;
  /** undefined: the text is wrong */
  read(text: string): T | undefined;
}

export const BAD_RECIPIENT = "must be a public key, as reenact vault keygen prints it";
const BAD_ADDRESS = "must be http://host:port, without a user or a query";
const ON = ["1", "true", "yes", "on"];
const OFF = ["0", "false", "no", "off"];
const RUN_AND_LANE = /^([0-9a-f]{32})(?::[\w-]+)?$/;

/** Read by hand: a schema library would cost the agent's start more than everything else together. */
export const SETTINGS = {
  REENACT_STORE: setting<string | null>({
    means: "folder of the store; default `.reenact`, on AWS Lambda `/tmp/.reenact`",
    otherwise: null,
    must: "must be a folder; a collector keeps runs in S3, and REENACT_ENDPOINT names it",
    // an address would be taken for the name of a folder
    read: (value) => (/^[a-z][a-z0-9+.-]+:\/\//i.test(value) ? undefined : value),
  }),
  REENACT_DISABLED: onOff("`1`: nothing is recorded; so does `OTEL_SDK_DISABLED=true`", false),
  REENACT_LOG: oneOf("`info`: one line at start says what is recorded and where it goes", ["silent", "info", "debug"]),
  REENACT_EXIT_MS: number(
    "milliseconds that finishing large texts and sending may take at exit; default 2000, 0: texts without limit, and no waiting for what is not sent yet",
    2000,
  ),
  REENACT_MAX_MB_PER_MIN: number(
    "megabytes per minute; above it no new run is recorded; one that has begun is completed",
    null,
  ),
  REENACT_REDACTION_KEY: text(
    "key of the tokens, at least 32 random bytes in hex or base64 (`openssl rand -hex 32`); a passphrase is stretched, in about 0.1 s; default: one is made in the store",
  ),
  REENACT_REDACTION_KEY_COMMAND: text("command that prints the key within 5 s, where none is set"),
  REENACT_CONFIG: text("configuration file; default `reenact.config.ts`, `.mjs` or `.json` in the working directory"),
  REENACT_SESSION: text(
    "session of every run of the process, as `identify({ session })` gives it: runs that continue one another, also in other processes; `reenact run --session` sets it",
  ),
  REENACT_ON_INPUT: oneOf(
    "`suspend`: a run is suspended where it asks a person with `input()`, and another process goes on with the answer; so does `reenact run --suspend`",
    ["ask", "suspend"],
  ),
  REENACT_PARENT: setting<string | null>({
    means: "`<run>:<lane>` of the run that this process is a part of",
    otherwise: null,
    must: "must be <run>:<lane>",
    read: (value) => RUN_AND_LANE.exec(value)?.[1],
  }),
  REENACT_LAUNCH: text(null),
  REENACT_ENDPOINT: setting<string | null>({
    means: "root of a Reenact collector: it gets every run, whole; the local store gets none",
    otherwise: null,
    must: BAD_ADDRESS,
    read: (value) => readRoot(value) ?? undefined,
  }),
  REENACT_API_KEY: text("key for that collector"),
  REENACT_FORWARD: setting<readonly string[]>({
    means: "OTLP/HTTP addresses, with commas, that get every run too: what people read, without the record",
    otherwise: [],
    must: BAD_ADDRESS,
    read: (value) => readForward(value) ?? undefined,
  }),
  REENACT_FORWARD_VIEW: oneOf("`full`: they get the record as well", ["openinference", "full"]),
  REENACT_FORWARD_HEADERS: pairs(
    "`name=value,…` for the one address in `REENACT_FORWARD`",
    "must be name=value,name=value",
  ),
  REENACT_EXPORT: oneOf(
    "`otel`: one more such address, with headers, time limit, certificates and compression, as `OTEL_EXPORTER_OTLP_*` say; protobuf over HTTP only. Without it these variables are not read",
    ["none", "otel"],
  ),
  REENACT_VAULT: onOff("`0`: originals of redacted values are not kept ([the vault](#the-vault))", true),
  REENACT_VAULT_RECIPIENT: setting<string | null>({
    means: "public key of a responder who may open them; with it they are kept wherever runs are sent",
    otherwise: null,
    must: BAD_RECIPIENT,
    read: (value) => (isRecipient(value) ? value : undefined),
  }),
  REENACT_VAULT_DAYS: number("days after which they are deleted; default 30", null),
  OTEL_SERVICE_NAME: text("name of the process's run"),
  OTEL_RESOURCE_ATTRIBUTES: pairs("attributes of the resource, as `key=value,…`", "must be key=value,key=value"),
  OTEL_SDK_DISABLED: setting<boolean>({
    means: null,
    otherwise: false,
    must: "",
    read: (value) => value.toLowerCase() === "true",
  }),
};

function setting<T>(row: Setting<T>): Setting<T> {
  return row;
}

/** Whether the text is written as `reenact vault keygen` writes a public key. */
export function isRecipient(text: string): boolean {
  return /^reenact-vault-public:[\w-]{43}$/.test(text);
}

function text(means: string | null): Setting<string | null> {
  return { means, otherwise: null, must: "", read: (value) => value };
}

function number<T extends number | null>(means: string, otherwise: T): Setting<number | T> {
  const read = (value: string): number | undefined => (/^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined);
  return { means, otherwise, must: "must be a number ≥ 0", read };
}

function onOff(means: string, otherwise: boolean): Setting<boolean> {
  const read = (value: string): boolean | undefined => {
    const word = value.toLowerCase();
    return ON.includes(word) ? true : OFF.includes(word) ? false : undefined;
  };
  return { means, otherwise, must: "must be 1 or 0", read };
}

/** The first word is the default. */
function oneOf<const T extends string>(means: string, words: readonly [T, ...T[]]): Setting<T> {
  const read = (value: string): T | undefined => words.find((word) => word === value.toLowerCase());
  const must = `must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return { means, otherwise: words[0], must, read };
}

function pairs(means: string, must: string): Setting<Record<string, string>> {
  return { means, otherwise: {}, must, read: (value) => readPairs(value) ?? undefined };
}

/** Baggage syntax: percent-encoded values; null when any part is malformed, as OpenTelemetry asks. */
export function readPairs(text: string | null): Record<string, string> | null {
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
