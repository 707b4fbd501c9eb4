import { randomUUID } from "node:crypto";
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { type OpenedStore, openStore } from "@reenact/collector/store";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fault, type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { missingS3Server, S3_SERVERS, type S3Server, startS3Server } from "./s3-server.ts";
import { scale } from "../scale.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const bytes = (text: string) => Buffer.from(text);
const fresh = () => `v1/trouble/${randomUUID()}`;

for (const name of S3_SERVERS) {
  const missing = missingS3Server(name);
  if (missing !== null && !required) {
    test.skip(`${name}: ${missing}`, () => {});
    continue;
  }
  describe(`${name} in trouble`, () => {
    let server: S3Server;
    let proxy: FaultProxy;
    let opened: OpenedStore;
    let client: S3Client;
    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      server = await startS3Server(name);
      process.env["AWS_ACCESS_KEY_ID"] = server.credentials.accessKeyId;
      process.env["AWS_SECRET_ACCESS_KEY"] = server.credentials.secretAccessKey;
      client = new S3Client({ endpoint: server.endpoint, region: "us-east-1", forcePathStyle: true });
      await client.send(new CreateBucketCommand({ Bucket: "runs" }));
      proxy = await startFaultProxy(server.endpoint);
      opened = await openStore("s3://runs", { endpoint: proxy.endpoint, pathStyle: true });
    });
    beforeEach(() => {
      proxy.fault = () => null;
    });
    afterAll(async () => {
      opened?.close();
      client?.destroy();
      await proxy?.close();
      await server?.stop();
    });
    /** The first `times` requests of a method meet the fault. */
    const failing = (method: string, fault: Fault, times = 1) => {
      let left = times;
      proxy.fault = (request) => (request.method === method && left-- > 0 ? fault : null);
    };

    test("a write whose answer is lost is known as our own", async () => {
      for (const times of [1, 2]) {
        const key = fresh();
        failing("PUT", { kind: "lost-answer" }, times);
        expect(await opened.store.putIfAbsent(key, bytes("body"))).toBe("same");
        expect(Buffer.from(await opened.store.getRange(key, 0, 10)).toString()).toBe("body");
      }
    });

    test("a write that was lost before it was done is done again", async () => {
      const key = fresh();
      failing("PUT", { kind: "lost-request" });
      expect(await opened.store.putIfAbsent(key, bytes("body"))).toBe("created");
    });

    test.each([
      [503, "SlowDown"],
      [500, "InternalError"],
      [409, "ConditionalRequestConflict"],
    ])("%s %s is tried again", async (status, code) => {
      const key = fresh();
      failing("PUT", { kind: "status", status, code }, 2);
      expect(await opened.store.putIfAbsent(key, bytes("body"))).toBe("created");
      failing("GET", { kind: "status", status: 503, code: "SlowDown" }, 2);
      expect(Buffer.from(await opened.store.getRange(key, 0, 10)).toString()).toBe("body");
    });

    test("412 for an object that is gone when it is looked at is no answer", async () => {
      const key = fresh();
      failing("PUT", { kind: "status", status: 412, code: "PreconditionFailed" });
      expect(await opened.store.putIfAbsent(key, bytes("body"))).toBe("created");
    });

    test("trouble that stays is UNAVAILABLE, and told as such", async () => {
      failing("PUT", { kind: "status", status: 503, code: "SlowDown" }, 1_000);
      await expect(opened.store.putIfAbsent(fresh(), bytes("x"))).rejects.toMatchObject({
        code: "UNAVAILABLE",
        retryable: true,
      });
    });

    test("half a multipart upload leaves no object, and the whole can be written then", async () => {
      const key = fresh();
      const body = Buffer.alloc(35 * 1024 ** 2, "much ");
      proxy.fault = (request) =>
        request.method === "PUT" && request.url?.includes("partNumber=2")
          ? { kind: "status", status: 403, code: "AccessDenied" }
          : null;
      await expect(opened.store.putIfAbsent(key, body)).rejects.toMatchObject({ code: "DENIED" });
      proxy.fault = () => null;
      expect(await opened.store.head(key)).toBeNull();
      const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: "runs" }));
      expect(Uploads ?? []).toEqual([]);
      failing("POST", { kind: "lost-answer" });
      expect(["created", "same"]).toContain(await opened.store.putIfAbsent(key, body));
      expect(await opened.store.head(key)).toMatchObject({ size: body.length });
    });

    test("a slow list is waited for", async () => {
      const key = fresh();
      await opened.store.put(key, bytes("x"));
      failing("GET", { kind: "slow", ms: 2_000 });
      const keys: string[] = [];
      for await (const head of opened.store.list(key)) keys.push(head.key);
      expect(keys).toEqual([key]);
    });

    test("racing writers under random faults: one body, known to its writer", { timeout: 300_000 }, async () => {
      const rounds = scale(5, 25, 500);
      const kinds: Fault[] = [
        { kind: "lost-answer" },
        { kind: "lost-request" },
        { kind: "status", status: 503, code: "SlowDown" },
        { kind: "status", status: 500, code: "InternalError" },
        { kind: "status", status: 409, code: "ConditionalRequestConflict" },
      ];
      const before = proxy.made();
      for (let round = 0; round < rounds; round++) {
        proxy.fault = () => (Math.random() < 0.2 ? kinds[Math.floor(Math.random() * kinds.length)]! : null);
        const key = fresh();
        const bodies = Array.from({ length: 8 }, (_, n) => bytes(`writer ${n}`));
        const outcomes = await Promise.allSettled(bodies.map((body) => opened.store.putIfAbsent(key, body)));
        proxy.fault = () => null;
        const stored = Buffer.from(await opened.store.getRange(key, 0, 100)).toString();
        for (const [n, outcome] of outcomes.entries()) {
          if (outcome.status === "rejected") {
            expect(outcome.reason).toMatchObject({ code: "UNAVAILABLE" });
            continue;
          }
          // "different" is said only to a writer whose bytes are not there, the others only to the one whose are.
          expect(outcome.value === "different", `${outcome.value} for writer ${n}`).toBe(stored !== `writer ${n}`);
        }
      }
      process.stderr.write(`${name}: ${rounds} races, ${proxy.made() - before} faults\n`);
    });
  });
}
