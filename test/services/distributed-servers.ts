import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { type CollectorProcesses, collectorProcesses } from "./collector-processes.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type Kafka, missingKafka, startKafka } from "./kafka.ts";
import { missingPostgres, type Postgres, startPostgres } from "./postgres.ts";
import { missingS3Server, type S3Server, startS3Server } from "./s3-server.ts";

export const ROLES = ["receive", "assemble", "query", "forward", "retain"];
export const PARTITIONS = 4;
const SESSION_MS = 3_000;

/** Why the servers cannot be started here; null: they can. */
export const missingDistributed = (): string | null =>
  missingKafka() ?? missingPostgres() ?? missingS3Server("versitygw");

/** Kafka, PostgreSQL and S3, and processes of the collector that use them. */
export interface Distributed {
  readonly kafka: Kafka;
  readonly postgres: Postgres;
  readonly s3: S3Server;
  /** between the processes and S3 */
  readonly proxy: FaultProxy;
  readonly processes: CollectorProcesses;
  /** settings of the processes */
  readonly shared: {
    readonly journal: object;
    readonly catalog: { readonly url: string };
    readonly [setting: string]: unknown;
  };
  /** Settings of other collectors on the same servers: topic, schema and prefix have this name. */
  apart(name: string): Record<string, unknown>;
  stop(): Promise<void>;
}

export async function startDistributed(): Promise<Distributed> {
  const [kafka, postgres, s3] = await Promise.all([startKafka(), startPostgres(), startS3Server("versitygw")]);
  const { accessKeyId, secretAccessKey } = s3.credentials;
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: "runs" }));
  client.destroy();
  const proxy = await startFaultProxy(s3.endpoint);
  const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = postgres.env;
  const shared = {
    journal: {
      url: `kafka://${kafka.broker}/reenact.spans.v1`,
      partitions: PARTITIONS,
      allowSingleBroker: true,
      sessionTimeout: SESSION_MS,
      checkpointEvery: 1_000,
    },
    catalog: { url: `postgres://${PGUSER}:${PGPASSWORD}@127.0.0.1:${PGPORT}/${PGDATABASE}`, connections: 2 },
    store: "s3://runs/all",
    s3: { endpoint: proxy.endpoint, pathStyle: true, region: "us-east-1" },
    // what comes late, or was read again by another owner, has no end of its own
    assemble: { settle: 300, idle: 3_000 },
    pack: { age: 200 },
  };
  const processes = collectorProcesses(shared, {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  return {
    kafka,
    postgres,
    s3,
    proxy,
    processes,
    shared,
    apart: (name) => ({
      journal: { ...shared.journal, url: `kafka://${kafka.broker}/${name}`, group: name },
      catalog: { ...shared.catalog, schema: name },
      store: `s3://runs/${name}`,
    }),
    async stop() {
      await processes.end();
      await proxy.close();
      await Promise.all([kafka.stop(), postgres.stop(), s3.stop()]);
    },
  };
}
