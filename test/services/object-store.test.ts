import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { type OpenedStore, openStore } from "@reenact/collector/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { objectStoreContract } from "../contracts/object-store.ts";
import { missingS3Server, S3_SERVERS, type S3Server, startS3Server } from "./s3-server.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

for (const name of S3_SERVERS) {
  const missing = missingS3Server(name);
  if (missing !== null && !required) {
    test.skip(`${name}: ${missing}`, () => {});
    continue;
  }
  describe(name, () => {
    let server: S3Server;
    let client: S3Client;
    beforeAll(async () => {
      if (missing !== null) throw new Error(missing);
      server = await startS3Server(name);
      process.env["AWS_ACCESS_KEY_ID"] = server.credentials.accessKeyId;
      process.env["AWS_SECRET_ACCESS_KEY"] = server.credentials.secretAccessKey;
      client = new S3Client({ endpoint: server.endpoint, region: "us-east-1", forcePathStyle: true });
      for (const bucket of ["plain", "versions"]) await client.send(new CreateBucketCommand({ Bucket: bucket }));
      const versioning = { Bucket: "versions", VersioningConfiguration: { Status: "Enabled" as const } };
      await client.send(new PutBucketVersioningCommand(versioning));
    });
    afterAll(async () => {
      client?.destroy();
      await server?.stop();
    });
    const open = (address: string): Promise<OpenedStore> =>
      openStore(address, { endpoint: server.endpoint, pathStyle: true });

    for (const bucket of ["plain", "versions"]) {
      objectStoreContract(`${name}, bucket ${bucket}`, async () => {
        const opened = await open(`s3://${bucket}/some/prefix/`);
        return { store: opened.store, close: async () => opened.close() };
      });
    }

    test("lifecycle rules are installed beside those of others and read back, where the server has them", async () => {
      const { expiry, close } = await open("s3://versions/some/prefix");
      const rules = [
        { prefix: "v1/runs/short/", days: 32 },
        { prefix: "v1/runs/sample/", days: 182 },
      ];
      const installed = await expiry!.install(rules);
      expect(installed).toBe(name === "minio");
      if (installed) {
        const others = {
          ID: "of-somebody",
          Status: "Enabled" as const,
          Filter: { Prefix: "x/" },
          Expiration: { Days: 3 },
        };
        const read = async () =>
          (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: "versions" }))).Rules ?? [];
        await client.send(
          new PutBucketLifecycleConfigurationCommand({
            Bucket: "versions",
            LifecycleConfiguration: { Rules: [others, ...(await read())] },
          }),
        );
        expect(await expiry!.install(rules.map((rule) => ({ ...rule, days: rule.days + 1 })))).toBe(true);
        const stored = await read();
        const ours = stored.filter(({ ID }) => ID !== "of-somebody");
        expect(stored.length).toBe(5);
        expect(ours.map(({ ID }) => ID?.replace(/^reenact-[0-9a-f]{8}-/, "")).toSorted()).toEqual([
          "v1-runs-sample-expiry",
          "v1-runs-sample-markers",
          "v1-runs-short-expiry",
          "v1-runs-short-markers",
        ]);
        expect(ours.find(({ ID }) => ID?.endsWith("short-expiry"))).toMatchObject({
          Filter: { Prefix: "some/prefix/v1/runs/short/" },
          Expiration: { Days: 33 },
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        });
      }
      close();
    });

    test("collectors below several prefixes of one bucket leave each other's rules alone", async () => {
      await client.send(new CreateBucketCommand({ Bucket: "several" }));
      const rules = [{ prefix: "v1/runs/short/", days: 32 }];
      const prefixes = ["a", "b", "a/b", "a-b"];
      const opened = await Promise.all(prefixes.map((prefix) => open(`s3://several/${prefix}`)));
      const installed = await Promise.all(opened.map(({ expiry }) => expiry!.install(rules)));
      expect(installed).toEqual(prefixes.map(() => name === "minio"));
      // a collector whose rules were overwritten by another one writes them again at its next sweep
      for (const { expiry } of opened) await expiry!.install(rules);
      if (name === "minio") {
        const { Rules } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: "several" }));
        expect(Rules!.map(({ Filter }) => Filter?.Prefix).toSorted()).toEqual(
          prefixes.flatMap((prefix) => [`${prefix}/v1/runs/short/`, `${prefix}/v1/runs/short/`]).toSorted(),
        );
        // no rule of ours is one of others
        for (const { expiry } of opened) expect(await expiry!.foreign("v1/runs/keep/")).toEqual([]);
      }
      for (const each of opened) each.close();
    });

    test("rules of others that take kept runs away are found, and no others", async () => {
      await client.send(new CreateBucketCommand({ Bucket: "foreign" }));
      const { expiry, close } = await open("s3://foreign/prod");
      const found = async (Rules: LifecycleRule[]) => {
        await client.send(
          new PutBucketLifecycleConfigurationCommand({ Bucket: "foreign", LifecycleConfiguration: { Rules } }),
        );
        return (await expiry!.foreign("v1/runs/keep/")).map(({ id, does }) => `${id} ${does}`);
      };
      const rule = (ID: string, Prefix: string, more: Partial<LifecycleRule> = {}): LifecycleRule => ({
        ID,
        Status: "Enabled",
        Filter: { Prefix },
        Expiration: { Days: 90 },
        ...more,
      });
      if (name === "minio") {
        expect(await found([rule("all", "")])).toEqual(["all deletes"]);
        expect(await found([rule("above", "prod/")])).toEqual(["above deletes"]);
        expect(await found([rule("part", "prod/v1/runs/keep/acme/")])).toEqual(["part deletes"]);
        expect(await found([rule("begin", "pro")])).toEqual(["begin deletes"]);
        expect(await found([rule("reenact-old", "prod/")])).toEqual(["reenact-old deletes"]);
        const date = { Expiration: { Date: new Date("2030-01-01T00:00:00Z") } };
        expect(await found([rule("date", "", date)])).toEqual(["date deletes"]);
        const tagged = { Filter: { And: { Prefix: "", Tags: [{ Key: "temporary", Value: "yes" }] } } };
        const others = [
          rule("other", "staging/"),
          rule("off", "", { Status: "Disabled" }),
          rule("tagged", "", tagged),
          rule("markers", "", { Expiration: { ExpiredObjectDeleteMarker: true } }),
        ];
        expect(await found(others)).toEqual([]);
      } else expect(await expiry!.foreign("v1/runs/keep/")).toEqual([]);
      close();
    });

    test("in a versioned bucket a deleted object leaves no version behind", async () => {
      const { store, close } = await open("s3://versions/gone");
      await store.put("v1/x", Buffer.from("one"));
      await store.put("v1/x", Buffer.from("two"));
      await store.put("v1/xy", Buffer.from("other"));
      await store.delete("v1/x");
      const { Versions, DeleteMarkers } = await client.send(
        new ListObjectVersionsCommand({ Bucket: "versions", Prefix: "gone/" }),
      );
      expect((Versions ?? []).map(({ Key }) => Key)).toEqual(["gone/v1/xy"]);
      expect(DeleteMarkers ?? []).toEqual([]);
      close();
    });

    test("tagging and Object Lock are tried on the real server, and leave nothing behind", async () => {
      await client.send(new CreateBucketCommand({ Bucket: "locked", ObjectLockEnabledForBucket: true }));
      const features = async (bucket: string) => {
        const opened = await open(`s3://${bucket}/tried`);
        const found = await opened.features();
        const left = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: "tried/" }));
        expect([left.Versions ?? [], left.DeleteMarkers ?? []]).toEqual([[], []]);
        opened.close();
        return found;
      };
      expect(await features("plain")).toEqual({ versioning: "off", tagging: "supported", objectLock: "off" });
      expect(await features("versions")).toEqual({ versioning: "supported", tagging: "supported", objectLock: "off" });
      expect(await features("locked")).toEqual({
        versioning: "supported",
        tagging: "supported",
        objectLock: "supported",
      });
    });

    test("a bucket that is not there is refused by name", async () => {
      await expect(open("s3://no-such-bucket")).rejects.toMatchObject({ code: "NO_BUCKET" });
    });
  });
}
