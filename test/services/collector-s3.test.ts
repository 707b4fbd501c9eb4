import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, PutBucketLifecycleConfigurationCommand, S3Client } from "@aws-sdk/client-s3";
import { type Collector, createCollector, loadConfig } from "@reenact/collector";
import { joinTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, describe, expect, test } from "vitest";
import { bin, launch } from "../e2e/reenact.ts";
import { missingS3Server, S3_SERVERS, type S3Server, startS3Server } from "./s3-server.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const golden = readEnvelope(readFileSync(join(import.meta.dirname, "../fixtures/envelopes/v1-parallel-calls.reenact")));
const body = Uint8Array.from(joinTraces(golden.spans.map(({ scanned }) => scanned)).bytes);

for (const name of S3_SERVERS) {
  const missing = missingS3Server(name);
  if (missing !== null && !required) {
    test.skip(`${name}: ${missing}`, () => {});
    continue;
  }
  describe(`a collector on ${name}`, () => {
    const undo: (() => Promise<unknown> | void)[] = [];
    afterEach(async () => {
      for (const each of undo.splice(0).toReversed()) await each();
    });

    async function start(): Promise<{
      server: S3Server;
      open: (
        folder?: string,
        s3?: { acceptForeignLifecycle?: boolean },
      ) => Promise<{ http: string; collector: Collector }>;
      folder: string;
    }> {
      if (missing !== null) throw new Error(missing);
      const server = await startS3Server(name);
      undo.push(() => server.stop());
      process.env["AWS_ACCESS_KEY_ID"] = server.credentials.accessKeyId;
      process.env["AWS_SECRET_ACCESS_KEY"] = server.credentials.secretAccessKey;
      const client = new S3Client({ endpoint: server.endpoint, region: "us-east-1", forcePathStyle: true });
      await client.send(new CreateBucketCommand({ Bucket: "runs" }));
      client.destroy();
      const data = mkdtempSync(join(tmpdir(), "reenact-collector-"));
      undo.push(() => rmSync(data, { recursive: true, force: true }));
      const open = async (folder = data, s3: { acceptForeignLifecycle?: boolean } = {}) => {
        const given = {
          data: folder,
          store: "s3://runs/prod",
          s3: { endpoint: server.endpoint, pathStyle: true, ...s3 },
          listen: { port: 0 },
          limits: { freeDiskBytes: 1 },
          pack: { age: 200 },
          log: "error",
        };
        const collector = createCollector(loadConfig({ env: {}, given }));
        const { http } = await collector.ready;
        undo.push(() => collector.close());
        return { http, collector };
      };
      return { server, open, folder: data };
    }

    const send = (http: string) =>
      fetch(`${http}/v1/traces`, { method: "POST", headers: { "content-type": "application/x-protobuf" }, body });
    async function envelopeOf(http: string): Promise<Uint8Array> {
      for (const until = Date.now() + 60_000; Date.now() < until;) {
        const answer = await fetch(`${http}/api/v1/runs/${golden.id}/envelope`);
        // one that is not in the store yet has no tag
        if (answer.ok && answer.headers.has("etag")) return new Uint8Array(await answer.arrayBuffer());
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error("the run was not sealed in time");
    }

    test("what was acknowledged while the store was killed is in it afterwards", async () => {
      const { server, open } = await start();
      const { http } = await open();
      const crash = server.crash();
      expect((await send(http)).status).toBe(200);
      await crash;
      const read = readEnvelope(await envelopeOf(http));
      expect(read).toMatchObject({ complete: true, header: { content: golden.header.content } });
    });

    test("its probe says what the store has", async () => {
      const { open } = await start();
      const { http } = await open();
      // the port opens before a slow store has been tried
      await expect.poll(async () => (await fetch(`${http}/readyz`)).ok, { timeout: 60_000 }).toBe(true);
      const ended = await launch([process.execPath, bin, "probe", "--server", http]);
      expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
      const lifecycle = name === "minio" ? "supported" : "unsupported";
      expect(ended.stdout.split("\n")[0]).toBe(
        `store s3://runs/prod: conditional writes supported, lifecycle ${lifecycle}, versioning off, tagging supported, Object Lock off`,
      );
    });

    test("a bucket's rule that takes kept runs away refuses the start, or is told of where that is accepted", async () => {
      const { server, open } = await start();
      const client = new S3Client({ endpoint: server.endpoint, region: "us-east-1", forcePathStyle: true });
      undo.push(() => client.destroy());
      const Rules = [
        { ID: "spring-clean", Status: "Enabled" as const, Filter: { Prefix: "prod/" }, Expiration: { Days: 90 } },
      ];
      const put = new PutBucketLifecycleConfigurationCommand({ Bucket: "runs", LifecycleConfiguration: { Rules } });
      // one of the servers has no lifecycle rules, so nobody can have made one
      if (name !== "minio") {
        await expect(client.send(put)).rejects.toThrow();
        return;
      }
      await client.send(put);
      const data = mkdtempSync(join(tmpdir(), "reenact-collector-"));
      undo.push(() => rmSync(data, { recursive: true, force: true }));
      const env = {
        ...process.env,
        REENACT_COLLECTOR_DATA: data,
        REENACT_COLLECTOR_STORE: "s3://runs/prod",
        REENACT_COLLECTOR_S3_ENDPOINT: server.endpoint,
        REENACT_COLLECTOR_S3_PATH_STYLE: "true",
        REENACT_COLLECTOR_LISTEN_PORT: "0",
      };
      const program = join(import.meta.dirname, "../../collector/bin/reenact-collector.js");
      const refused = spawnSync(process.execPath, [program], { env, encoding: "utf8" });
      expect(refused.status, refused.stderr).toBe(5);
      expect(refused.stderr).toMatch(
        /^FOREIGN_LIFECYCLE: s3:\/\/runs\/prod: lifecycle rule "spring-clean" deletes .*; next: /m,
      );
      const { http } = await open(data, { acceptForeignLifecycle: true });
      expect((await send(http)).status).toBe(200);
    });

    test("a collector that lost its disk finds every run in the store", async () => {
      const { open } = await start();
      const first = await open();
      expect((await send(first.http)).status).toBe(200);
      const sealed = await envelopeOf(first.http);
      await first.collector.close();
      const empty = mkdtempSync(join(tmpdir(), "reenact-collector-"));
      undo.push(() => rmSync(empty, { recursive: true, force: true }));
      const second = await open(empty);
      expect(Buffer.from(await envelopeOf(second.http))).toEqual(Buffer.from(sealed));
    });
  });
}
