import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { missingS3Server, S3_SERVERS, startS3Server } from "./s3-server.ts";
import { runSuites } from "./unit-suites.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";

for (const name of S3_SERVERS) {
  const missing = missingS3Server(name);
  if (missing !== null && !required) {
    test.skip(`${name}: ${missing}`, () => {});
    continue;
  }
  test(`the table of retention holds on ${name}`, { timeout: 600_000 }, async () => {
    if (missing !== null) throw new Error(missing);
    const server = await startS3Server(name);
    try {
      const credentials = {
        AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
        AWS_REGION: "us-east-1",
      };
      const { accessKeyId, secretAccessKey } = server.credentials;
      const client = new S3Client({
        endpoint: server.endpoint,
        region: "us-east-1",
        forcePathStyle: true,
        credentials: { accessKeyId, secretAccessKey },
      });
      await client.send(new CreateBucketCommand({ Bucket: "retention" }));
      client.destroy();
      const store = { REENACT_TEST_STORE: "s3://retention/table", REENACT_TEST_ENDPOINT: server.endpoint };
      const told = await runSuites(["collector/src/retain/retention-table.test.ts"], { ...credentials, ...store });
      expect(told).toMatch(/retention: [0-9]{3} runs over 4,000 days in s3:/);
    } finally {
      await server.stop();
    }
  });
}
