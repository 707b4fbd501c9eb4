import { readDestinationPolicy } from "@reenact/redaction/policy";
import type { DestinationPolicy } from "@reenact/redaction";
import { z } from "zod";
import { parseDuration } from "./duration.ts";
import { parseKafkaUrl } from "./journal/kafka-url.ts";
import { ROLES } from "./roles.ts";

const MIB = 1024 * 1024;
const duration = z.union([z.number().nonnegative(), z.string()]).transform((value, context) => {
  const ms = typeof value === "number" ? value : parseDuration(value);
  if (ms !== null) return ms;
  context.addIssue({ code: "custom", message: "is no duration: 250ms, 5s, 10m, 1h, 30d" });
  return z.NEVER;
});
const port = z.number().int().min(0).max(65_535);
const bytes = z.number({ error: "is no number of bytes, such as 67108864" }).int().positive();
const retentionClass = z.enum(["short", "sample", "keep"]);

/** Options of the address would be a second place for what has a setting. */
function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") return false;
  try {
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part);
  } catch {
    // a % of a password that is written as it is
    return false;
  }
  return url.hostname !== "" && /^\/[^/]+$/.test(url.pathname);
}

const policy = z.unknown().transform((given, context): DestinationPolicy | undefined => {
  if (given === undefined) return undefined;
  const read = readDestinationPolicy(given);
  if ("policy" in read) return read.policy;
  context.addIssue({ code: "custom", message: read.error });
  return z.NEVER;
});

export const destination = z
  .strictObject({
    /** names its cursor and its metrics: letters, digits, `-`, `_` */
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    /** the whole address, `/v1/traces` included */
    url: z.url({ protocol: /^https?$/ }).refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
      error: "holds a password: write it as a header, with ${NAME} for its variable",
    }),
    /** sent as they are; `${NAME}` is replaced by that environment variable */
    headers: z.record(z.string(), z.string()).default({}),
    /** full: all attributes; openinference: without those named `reenact.*`, but for the run's id */
    view: z.enum(["openinference", "full"]).default("full"),
    /** what is replaced besides, in every value of what goes there: a policy of `@reenact/redaction`, without detectors */
    redaction: policy.optional(),
    /** OTLP bytes values as base64 text (Phoenix answers 200 and drops a span that has one), or as they are */
    bytes: z.enum(["text", "keep"]).default("text"),
    /** only of these tenants */
    tenants: z.array(z.string()).optional(),
    /** only runs that fit this filter expression; needs the run to be sealed */
    filter: z.string().optional(),
    /** only runs of these classes; needs the run to be sealed */
    classes: z.array(retentionClass).optional(),
    /** written as resource attribute `openinference.project.name` */
    project: z.string().optional(),
    /** auto: gzip, but for a destination on this machine */
    compression: z.enum(["auto", "gzip", "none"]).default("auto"),
    timeout: duration.default(30_000),
    /** a batch that was refused for so long goes to the dead-letter file */
    giveUpAfter: duration.default(24 * 3_600_000),
    /** a larger batch is split before it is sent */
    maxBatchBytes: bytes.default(4 * MIB),
    /** so far behind, the oldest are given up: a dead destination must not fill the disk */
    maxBehindBytes: bytes.default(4096 * MIB),
    /** room for what was given up; beyond it spans are dropped */
    maxDeadLetterBytes: bytes.default(1024 * MIB),
  })
  .refine(({ redaction, view }) => redaction === undefined || view === "openinference", {
    path: ["redaction"],
    error:
      "needs view: openinference: a record has one policy, that of its recorder, and does not replay when it is redacted again",
  });

/** One schema: the file, the environment and the table in OPERATIONS.md. Unknown keys are refused everywhere. */
const settings = z.strictObject({
  /** folder of journal, catalog and dead letters */
  data: z.string().default(".reenact/collector"),
  /** a folder, or `s3://bucket/prefix` */
  store: z.string().default(".reenact/store"),
  catalog: z
    .strictObject({
      /** postgres://user@host:5432/database; absent: a file in `data` */
      url: z
        .string()
        .refine(isPostgresUrl, {
          error:
            "is not postgres://user@host:port/database, with nothing behind it; in a password % is %25, / is %2F, ? is %3F and # is %23",
        })
        .optional(),
      /** of its tables; a rebuild makes another one whose name ends in `_new` */
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,50}$/, { error: "is no name of a-z, 0-9 and _" })
        .refine((name) => !/^(public|information_schema|pg_.*)$/.test(name), {
          error: "is not the catalog's alone: a rebuild removes the schema with all in it",
        })
        .default("reenact"),
      /** auto: TLS, but for a database on this machine */
      tls: z.enum(["auto", "verify", "off"]).default("auto"),
      /** PEM file of the authority that signed the server's certificate */
      ca: z.string().optional(),
      /** for questions at a time, of each of three threads; two more write */
      connections: z.number().int().min(1).max(100).default(4),
      /** after so long a question is given up */
      queryTimeout: duration.default(30_000),
    })
    .prefault({}),
  journal: z
    .strictObject({
      /** kafka://user@host:9092,host:9092/topic; absent: a folder in `data` */
      url: z
        .string()
        .refine((text) => parseKafkaUrl(text) !== null, {
          error:
            "is not kafka://user@host:port,host:port/topic, with nothing behind it; in a password % is %25 and / is %2F",
        })
        .optional(),
      /** of the processes that assemble: those of one group share the partitions and one store */
      group: z
        .string()
        .regex(/^[A-Za-z0-9._-]{1,200}$/)
        .default("reenact"),
      /** auto: TLS, but for brokers on this machine */
      tls: z.enum(["auto", "verify", "off"]).default("auto"),
      /** PEM file of the authority that signed the brokers' certificates */
      ca: z.string().optional(),
      /** how the user of the address shows who it is */
      sasl: z.enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]).default("SCRAM-SHA-512"),
      /** a process that is not heard of for so long loses its partitions to the others */
      sessionTimeout: duration.default(30_000),
      /** of a topic that is not there yet; a later change parts runs that are open */
      partitions: z.number().int().min(1).max(10_000).default(12),
      /** start although one broker alone acknowledges records, and can lose them */
      allowSingleBroker: z.boolean().default(false),
      /** the open runs of a partition are written to the store when the journal has waited for them so long */
      checkpointEvery: duration.default(30_000),
    })
    .prefault({}),
  /** what this process does; others need a journal and a catalog that are shared */
  roles: z
    .array(z.enum(ROLES))
    .min(1)
    .default([...ROLES]),
  /** a folder of sealed runs that are shown beside what is received; nothing is written there */
  local: z.string().optional(),
  listen: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      /** OTLP/HTTP and API; 0 takes a free one */
      port: port.default(4318),
      /** OTLP/gRPC; absent: not offered */
      grpcPort: port.optional(),
      /** names by which clients may call it, beside those of `host`; `*` takes any */
      hosts: z.array(z.string()).default([]),
      /** web origins that may call it */
      origins: z.array(z.string()).default([]),
      tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
    })
    .prefault({}),
  /** file with the API keys; required for any host but loopback */
  keys: z.string().optional(),
  /** the tenant of requests where no keys are set */
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .default("default"),
  limits: z
    .strictObject({
      /** of one request, inflated */
      bodyBytes: bytes.max(1024 * MIB).default(64 * MIB),
      /** received and not yet on disk */
      pendingBytes: bytes.default(128 * MIB),
      /** below this, requests are refused with 503 */
      freeDiskBytes: bytes.default(256 * MIB),
    })
    .prefault({}),
  assemble: z
    .strictObject({
      /** after the root ended and all parents are there */
      settle: duration.default(5_000),
      idle: duration.default(600_000),
      age: duration.default(86_400_000),
    })
    .prefault({}),
  pack: z.strictObject({ bytes: bytes.default(64 * MIB), age: duration.default(60_000) }).prefault({}),
  retention: z
    .strictObject({
      short: duration.default(30 * 86_400_000),
      sample: duration.default(180 * 86_400_000),
      /** share of runs, by the hash of their id */
      sampleShare: z.number().min(0).max(1).default(0.05),
      /** file with the rules that choose a class */
      rules: z.string().optional(),
      sweepEvery: duration.default(3_600_000),
    })
    .prefault({}),
  /** file with prices of models; without it costs are not known */
  prices: z.string().optional(),
  s3: z
    .strictObject({
      endpoint: z.url().optional(),
      region: z.string().optional(),
      pathStyle: z.boolean().default(false),
      /** let the bucket's own lifecycle rules expire `short` and `sample` too, for the time when no collector runs */
      lifecycle: z.boolean().default(true),
      /** start although a lifecycle rule of others deletes or archives runs that are to be kept */
      acceptForeignLifecycle: z.boolean().default(false),
    })
    .prefault({}),
  forward: z.array(destination).default([]),
  log: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

/** What one setting asks of another. */
export const collectorConfig = settings
  .refine(({ journal, roles }) => journal.url !== undefined || ROLES.every((each) => roles.includes(each)), {
    path: ["roles"],
    error: "needs journal.url: a journal in a folder is one process's, which has to do everything",
  })
  .refine(({ journal, catalog }) => journal.url === undefined || catalog.url !== undefined, {
    path: ["journal", "url"],
    error: "needs catalog.url: what several processes write is kept apart by their database",
  });

export type Destination = z.infer<typeof destination>;
export type CollectorConfig = z.infer<typeof collectorConfig>;
