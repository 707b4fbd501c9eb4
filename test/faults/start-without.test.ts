import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, PutBucketLifecycleConfigurationCommand, S3Client } from "@aws-sdk/client-s3";
import { openRunArchive } from "@reenact/collector/store";
import { joinTraces } from "@reenact/envelope";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fillStore, packedRunId, packedRunSpans } from "../pack-store.ts";
import { scale } from "../scale.ts";
import { missingS3Server, type S3Server, startS3Server } from "../services/s3-server.ts";
import { CollectorProgram } from "./collector-program.ts";

const required = process.env["REENACT_REQUIRE_SERVICES"] === "1";
const missing = missingS3Server("minio");

let folder: string;
const undo: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reenact-start-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

const send = async (url: string, n: number) => {
  const answer = await fetch(`${url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: Uint8Array.from(joinTraces(packedRunSpans(n)).bytes),
  });
  expect(answer.status).toBe(200);
};
const asked = async (url: string, path: string) => {
  const answer = await fetch(`${url}${path}`);
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() };
};
const whole = (url: string) =>
  expect.poll(async () => (await asked(url, "/readyz")).status, { timeout: 120_000, interval: 100 }).toBe(200);

interface Listed {
  readonly runs: readonly {
    readonly run: string;
    readonly class: string;
    readonly state: string;
    readonly flags: string[];
  }[];
  readonly next: string | null;
}
async function list(url: string): Promise<Map<string, Listed["runs"][number]>> {
  const found = new Map<string, Listed["runs"][number]>();
  for (let after: string | null = ""; after !== null;) {
    const answer = await asked(url, `/api/v1/runs?limit=500${after && `&after=${encodeURIComponent(after)}`}`);
    const page = JSON.parse(answer.text) as Listed;
    for (const each of page.runs) {
      expect(found.has(each.run), `${each.run} is listed once`).toBe(false);
      found.set(each.run, each);
    }
    after = page.next;
  }
  return found;
}

/** MinIO on a port of its own, with its bucket, and killed. */
async function awayStore(): Promise<{ server: S3Server; env: Record<string, string>; client: S3Client }> {
  const server = await startS3Server("minio");
  undo.push(() => server.stop());
  const { accessKeyId, secretAccessKey } = server.credentials;
  const client = new S3Client({
    endpoint: server.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: server.credentials,
  });
  undo.push(() => client.destroy());
  await client.send(new CreateBucketCommand({ Bucket: "runs" }));
  const env = {
    REENACT_COLLECTOR_STORE: "s3://runs/prod",
    REENACT_COLLECTOR_S3_ENDPOINT: server.endpoint,
    REENACT_COLLECTOR_S3_PATH_STYLE: "true",
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_REGION: "us-east-1",
  };
  return { server, env, client };
}

test.skipIf(missing !== null && !required)(
  "with the store away, a collector starts, takes spans, keeps them over kills, names the store, and seals each run once when the store answers",
  { timeout: 300_000 },
  async () => {
    const { server, env } = await awayStore();
    await server.kill();
    const collector = new CollectorProgram(folder, env);
    undo.push(() => collector.kill());
    const rounds = scale(2, 4, 20);
    for (let round = 0; round < rounds; round++) {
      await collector.start();
      const { url } = collector;
      await send(url, round);
      expect(await asked(url, "/livez")).toMatchObject({ status: 200, text: expect.stringContaining("the store") });
      expect(await asked(url, "/readyz/receive")).toMatchObject({ status: 200 });
      expect(await asked(url, "/readyz")).toMatchObject({ status: 503, text: expect.stringContaining("the store") });
      const system = JSON.parse((await asked(url, "/api/v1/system")).text) as { store: unknown; catalog: unknown };
      expect(system).toMatchObject({
        store: { missing: { phase: expect.stringMatching(/^(away|trying)$/) } },
        catalog: { missing: { phase: "waiting", progress: null } },
      });
      expect((await asked(url, "/metrics")).text).toContain("reenact_store_up 0\n");
      for (const path of ["/api/v1/runs", `/api/v1/runs/${packedRunId(round)}`, "/api/v1/store", "/api/v1/retention"])
        expect(await asked(url, path), path).toMatchObject({
          status: 503,
          retryAfter: "5",
          text: expect.stringContaining("UNAVAILABLE"),
        });
      await collector.kill();
    }
    await collector.start();
    await send(collector.url, rounds);
    await server.start();
    await whole(collector.url);
    // each run is in one pack and in the catalog
    await expect
      .poll(async () => (await asked(collector.url, "/metrics")).text, { timeout: 60_000, interval: 200 })
      .toContain(`reenact_sealed_runs_total ${rounds + 1}\n`);
    expect((await list(collector.url)).size).toBe(rounds + 1);
    expect((await asked(collector.url, "/metrics")).text).toContain("reenact_store_up 1\n");

    // lists need the catalog only: they are answered while the store is away
    await collector.kill();
    await server.kill();
    await collector.start();
    expect((await list(collector.url)).size).toBe(rounds + 1);
    expect(await asked(collector.url, `/api/v1/runs/${packedRunId(0)}/envelope`)).toMatchObject({ status: 503 });
    await server.start();
    await whole(collector.url);
    await expect
      .poll(async () => (await asked(collector.url, `/api/v1/runs/${packedRunId(0)}/envelope`)).status)
      .toBe(200);

    // a store that goes away later is named as one that was away at the start
    await server.kill();
    await expect
      .poll(async () => await asked(collector.url, "/readyz"), { timeout: 60_000, interval: 200 })
      .toMatchObject({ status: 503, text: expect.stringContaining("the store") });
    expect((await asked(collector.url, "/metrics")).text).toContain("reenact_store_up 0\n");
    expect(await asked(collector.url, "/readyz/receive")).toMatchObject({ status: 200 });
    await send(collector.url, rounds + 1);
    await expect.poll(async () => (await list(collector.url)).size).toBe(rounds + 2);
    await server.start();
    await whole(collector.url);
    expect((await asked(collector.url, "/metrics")).text).toContain("reenact_store_up 1\n");
  },
);

test.skipIf(missing !== null && !required)(
  "a store that answers later and refuses ends the collector; the spans it took are sealed by the next one that the store accepts",
  { timeout: 300_000 },
  async () => {
    const { server, env, client } = await awayStore();
    const rule = (Days: number) =>
      new PutBucketLifecycleConfigurationCommand({
        Bucket: "runs",
        LifecycleConfiguration: {
          Rules: [{ ID: "all-goes", Status: "Enabled", Filter: { Prefix: "" }, Expiration: { Days } }],
        },
      });
    await client.send(rule(7));
    await server.kill();
    const collector = new CollectorProgram(folder, env);
    undo.push(() => collector.kill());
    await collector.start();
    await send(collector.url, 1);
    const ended = collector.ended();
    await server.start();
    expect(await ended).toMatchObject({ code: 5, errors: expect.stringMatching(/^FOREIGN_LIFECYCLE: .*all-goes/m) });
    // reachable from the start: before the port is open, unless the store takes longer than the port waits
    const again = collector.start().then(async () => {
      throw new Error((await collector.ended()).errors);
    });
    await expect(again).rejects.toThrow(/FOREIGN_LIFECYCLE/);

    const accepting = new CollectorProgram(folder, { ...env, REENACT_COLLECTOR_S3_ACCEPT_FOREIGN_LIFECYCLE: "true" });
    undo.push(() => accepting.kill());
    await accepting.start();
    await expect
      .poll(async () => (await list(accepting.url).catch(() => new Map())).get(packedRunId(1))?.state, {
        timeout: 60_000,
        interval: 200,
      })
      .toBe("sealed");
  },
);

const size = scale(
  { packs: 12, runs: 100, flagged: 25, kills: 2 },
  { packs: 20, runs: 200, flagged: 40, kills: 4 },
  { packs: 200, runs: 500, flagged: 50, kills: 40 },
);
test(
  `a lost catalog whose rebuild is killed ${size.kills} times: spans are taken, the rebuild goes on, and each run has its newest row`,
  { timeout: 600_000 },
  async () => {
    const { runs } = fillStore(join(folder, "store"), size);
    const collector = new CollectorProgram(folder);
    undo.push(() => collector.kill());
    let packs = 0;
    let sent = 0;
    for (let kill = 0; kill < size.kills; kill++) {
      await collector.start();
      await send(collector.url, runs + sent++);
      const from = packs;
      for (;;) {
        const system = JSON.parse((await asked(collector.url, "/api/v1/system")).text) as {
          catalog: { missing: { phase: string; progress: { packs: number } | null } | null };
        };
        if (system.catalog.missing === null) break;
        packs = system.catalog.missing.progress?.packs ?? packs;
        // the rebuild goes on near the place of before the kill: the last packs may not have been saved
        expect(packs).toBeGreaterThanOrEqual(from - 40);
        if (packs > from) {
          const answer = await asked(collector.url, "/api/v1/runs");
          if (answer.status === 503) expect(answer.text).toMatch(/made again from the packs: \d+/);
          break;
        }
        await sleep(5);
      }
      await collector.kill();
    }
    await collector.start();
    await send(collector.url, runs + sent++);
    await whole(collector.url);
    const stored = async () => (await (await openRunArchive(join(folder, "store"))).find(() => true)).runs;
    await expect
      .poll(async () => new Set((await stored()).map(({ entry }) => entry.run)).size, {
        timeout: 120_000,
        interval: 500,
      })
      .toBe(runs + sent);
    // nothing was sealed twice, or over what was there
    expect((await stored()).filter(({ entry }) => entry.revision > 0)).toEqual([]);
    const found = await list(collector.url);
    for (let n = 0; n < runs + sent; n++) {
      const isFlagged = n < runs && n % size.flagged === 0;
      expect(found.get(packedRunId(n)), `run ${n}`).toMatchObject({
        class: isFlagged ? "keep" : n < runs ? "short" : expect.any(String),
        flags: isFlagged ? ["wrong"] : [],
      });
    }
  },
);
