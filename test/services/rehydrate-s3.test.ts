import { fileURLToPath } from "node:url";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyOf, Laptop, sealedIn } from "../e2e/laptop.ts";
import { Store } from "../e2e/reenact.ts";
import { startProvider } from "../provider/start-provider.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { missingS3Server, S3_SERVERS, type S3ServerName, startS3Server } from "./s3-server.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const desk = [process.execPath, fileURLToPath(new URL("../programs/forwarded-desk.mjs", import.meta.url))];
const OTHERS = 150;

for (const name of S3_SERVERS) {
  const missing = missingS3Server(name);
  if (missing !== null && !required) test.skip(`${name}: ${missing}`, () => {});
  else describe(`straight from ${name}`, () => fromStore(name, missing));
}

function fromStore(name: S3ServerName, missing: string | null): void {
  const laptop = new Laptop();
  const production = new Store();
  let proxy: FaultProxy;
  let run: Envelope;
  let provider: { PROVIDER_URL: string };
  let access: Record<string, string>;
  /** `Range` of each object that was read; undefined: all of it */
  let read: (string | undefined)[];

  beforeAll(async () => {
    if (missing !== null) throw new Error(missing);
    const server = await startS3Server(name);
    laptop.later(() => server.stop());
    const { credentials, endpoint } = server;
    const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: "runs" }));
    client.destroy();
    proxy = await startFaultProxy(endpoint);
    laptop.later(() => proxy.close());
    read = [];
    proxy.fault = ({ method, url = "", headers }) => {
      if (method === "GET" && /\/v1\/runs\//.test(new URL(url, endpoint).pathname)) read.push(headers.range);
      return null;
    };
    access = {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      REENACT_COLLECTOR_S3_ENDPOINT: proxy.endpoint,
    };
    const collector = await laptop.collector(laptop.folder(), {
      ...access,
      REENACT_COLLECTOR_STORE: "s3://runs/prod",
      REENACT_COLLECTOR_S3_PATH_STYLE: "true",
      REENACT_COLLECTOR_PACK_AGE: "500ms",
      REENACT_COLLECTOR_RETENTION_SAMPLE_SHARE: "0",
    });
    const answers = await startProvider();
    provider = { PROVIDER_URL: answers.url };
    const sent = { ...provider, REENACT_REDACTION_KEY: "5e".repeat(32), REENACT_ENDPOINT: collector.http };
    const { summary, stderr } = await production.run(desk, { env: sent });
    await answers.stop();
    expect(summary, stderr).toMatchObject({ sentTo: collector.http, waiting: 0 });
    await sealedIn(collector, 1);
    const answer = await fetch(`${collector.http}/api/v1/runs/${summary.run}/envelope`);
    run = readEnvelope(new Uint8Array(await answer.arrayBuffer()));
    for (let n = 0; n < OTHERS; n++) {
      const facts = { "reenact.root": JSON.stringify({ ...run.facts, instance: `other-${n}` }) };
      await collector.send(copyOf(run, n.toString(16).padStart(32, "e"), facts, n));
    }
    await sealedIn(collector, 50);
    expect(await collector.stop()).toBe(0);
  }, 240_000);
  afterAll(async () => {
    await laptop.clean();
    production.remove();
  });

  test("production record → collector gone → rehydrate in another folder without the key → identical replay, 0 sockets", async () => {
    const here = laptop.folder();
    read.length = 0;
    const begun = performance.now();
    const link = `s3://runs/prod/${run.id.slice(0, 10)}`;
    const ended = await laptop.reenact(here, ["rehydrate", link, "--json"], access);
    const ms = Math.round(performance.now() - begun);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ended.stdout)).toMatchObject({ run: run.id, runs: [run.id], from: "s3://runs/prod" });
    // no pack was downloaded: tails, and the run's own range
    expect(read.every((range) => range !== undefined)).toBe(true);
    const own = read.filter((range) => !range!.startsWith("bytes=-"));
    expect(own).toHaveLength(1);
    console.log(`${name}: 1 run of ${OTHERS + 1} in ${ms} ms, ${read.length} ranged reads`);

    const { code, report, stdout } = await laptop.replay(here, [run.id.slice(0, 6)], desk, provider);
    expect(report).toMatchObject({
      verdict: "identical (1 value by place)",
      recorded: 7,
      live: 0,
      refused: 0,
      sockets: 0,
    });
    expect([code, stdout]).toEqual([0, "2\n400\n"]);
  });

  test("replay and ls name the store themselves", async () => {
    const env = { ...access, ...provider };
    const args = [run.id, "--from", "s3://runs/prod", "--s3-endpoint", proxy.endpoint];
    const { code, report } = await laptop.replay(laptop.folder(), args, desk, env);
    expect([code, report.verdict, report.sockets]).toEqual([0, "identical (1 value by place)", 0]);
    const listed = await laptop.reenact(
      laptop.folder(),
      ["ls", "--from", "s3://runs/prod", "--limit", "3", "--json"],
      env,
    );
    expect((JSON.parse(listed.stdout) as { runs: unknown[] }).runs).toHaveLength(3);
  });

  test("a bucket that is not there, a run that is not, no rights, no server: each has its own words", async () => {
    const ask = (link: string, env: Record<string, string> = {}) =>
      laptop.reenact(laptop.folder(), ["rehydrate", link], { ...access, ...env });
    const cases = [
      [await ask(`s3://nobody/${run.id}`), "REEN-NO-STORE", 3],
      [await ask(`s3://runs/prod/${"0".repeat(12)}`), "REEN-NO-RUN", 3],
      [await ask(`s3://runs/elsewhere/${run.id}`), "REEN-NO-RUN", 3],
      [await ask("s3://runs/prod/eeee"), "REEN-AMBIGUOUS", 3],
      [await ask(`s3://runs/prod/${run.id}`, { AWS_SECRET_ACCESS_KEY: "wrong" }), "REEN-UNAUTHORISED", 4],
      [await ask(`s3://runs/prod/${run.id}`, { REENACT_COLLECTOR_S3_ENDPOINT: "http://127.0.0.1:1" }), "REEN-STORE", 5],
    ] as const;
    for (const [ended, code, exit] of cases) {
      expect(ended.stderr).toMatch(new RegExp(`^reenact: [^\\n]+\\. Next: [^\\n]+ \\[${code}\\]\\n$`));
      expect([ended.code, ended.stdout]).toEqual([exit, ""]);
    }
  });
}
