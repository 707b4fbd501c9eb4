import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CopyObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { bin, launch } from "../e2e/reenact.ts";
import { until } from "../e2e/running-collector.ts";
import { scale } from "../scale.ts";
import type { CollectorProcess } from "./collector-processes.ts";
import { type Distributed, ROLES } from "./distributed-servers.ts";
import { contents, expectContents, isRoot, listed, madeRun, post } from "./made-runs.ts";

/** All but at CI's size, where time is short; the kills of the other test end with a catalog that is made from the bucket, too. */
const IS_WHOLE = scale(true, false, true);
const operations = readFileSync(join(import.meta.dirname, "../../collector/OPERATIONS.md"), "utf8");

/** Runs the commands that OPERATIONS.md has under this name; returns what they printed. */
async function documented(name: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const [, commands] = new RegExp(`\`\`\`sh ${name}\\n([^]*?)\`\`\``).exec(operations) ?? [];
  if (commands === undefined) throw new Error(`OPERATIONS.md has no commands ${name}`);
  const reenact = `reenact() { "${process.execPath}" "${bin}" "$@"; }\n`;
  const { code, stdout, stderr } = await launch(["sh", "-euc", reenact + commands], { env: variables });
  expect(code, `${name}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "reenact-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const newRun = () => randomBytes(16).toString("hex");
async function sendAll(to: CollectorProcess, bodies: readonly Uint8Array[]): Promise<void> {
  for (const body of bodies) expect(await post(to.http, body)).toBe(true);
}
/** The digests of these runs once each is in the catalog. An envelope that still waits for its pack has no ETag. */
async function sealed(at: CollectorProcess, runs: readonly string[]): Promise<Map<string, string>> {
  const isPacked = async (run: string): Promise<boolean> => {
    const answer = await fetch(`${at.http}/api/v1/runs/${run}/envelope`);
    await answer.arrayBuffer();
    return answer.status === 200 && answer.headers.has("etag");
  };
  await until("sealed runs", async () => (await Promise.all(runs.map(isPacked))).every(Boolean));
  return contents(at.http, runs);
}
/** Whether all of these are listed, once each, and open with the same content as before. */
async function expectRuns(at: CollectorProcess, expected: ReadonlyMap<string, string>): Promise<void> {
  await expectContents(at.http, expected, [at]);
  expect((await listed(at.http)).toSorted()).toEqual([...expected.keys()].toSorted());
}

/** Runs the commands of OPERATIONS.md: after them, every run that was sealed before is found and opens. */
export function backupTests(servers: () => Distributed): void {
  // the restored one waits 20 s for an answer of the old one
  test.skipIf(!IS_WHOLE)(
    "a collector of one process is restored from folders that were copied while it ran",
    async () => {
      const { processes } = servers();
      const folder = scratch();
      const place = (name: string) => ({ DATA: join(folder, name, "data"), STORE: join(folder, name, "store") });
      const start = (name: string) => {
        const { DATA: data, STORE: store } = place(name);
        mkdirSync(join(folder, name), { recursive: true });
        const alone = { journal: {}, catalog: {}, s3: {}, assemble: { settle: 300, idle: 600_000 } };
        return processes.start(`folder-${name}`, ROLES, { ...alone, data, store });
      };
      const one = await start("one");
      await one.ready();
      const runs = [newRun(), newRun()];
      for (const run of runs) await sendAll(one, madeRun(run));
      const before = await sealed(one, runs);
      // one that is open: its spans are in the journal alone
      const open = newRun();
      await sendAll(
        one,
        madeRun(open).filter((body) => !isRoot(body)),
      );
      const BACKUP = join(folder, "backup");
      mkdirSync(BACKUP);
      await documented("backup-folder", { ...place("one"), BACKUP });
      await sendAll(
        one,
        madeRun(open).filter((body) => isRoot(body)),
      );
      const whole = await sealed(one, [open]);
      expect(await one.stop()).toBe(0);

      await documented("restore-folder", { ...place("two"), BACKUP });
      const two = await start("two");
      await two.ready();
      await expectContents(two.http, before, [two]);
      await sendAll(
        two,
        madeRun(open).filter((body) => isRoot(body)),
      );
      await expectRuns(two, new Map([...before, ...whole]));
      expect(await two.stop()).toBe(0);
    },
  );

  test("a database is restored from a dump, and a bucket from a copy: every run that was sealed is found and opens", async () => {
    const { processes, apart, shared, s3, proxy } = servers();
    const folder = scratch();
    const settings = { ...shared, ...apart("backup"), assemble: { settle: 300, idle: 1_000 } };
    const one = await processes.start("backup", ROLES, settings);
    await one.ready();
    const [plain, flagged, grown] = [newRun(), newRun(), newRun()];
    for (const run of [plain, flagged]) await sendAll(one, madeRun(run));
    const pieces = madeRun(grown);
    const late = pieces.findIndex((body) => !isRoot(body));
    await sendAll(
      one,
      pieces.filter((_, n) => n !== late),
    );
    await sealed(one, [plain, flagged, grown]);

    const keys = {
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    };
    const catalog = { CATALOG: shared.catalog.url, SCHEMA: "backup", BACKUP: folder };
    await documented("backup-catalog", catalog);
    // what a dump does not know: another run, a mark, and spans that came late
    const after = newRun();
    await sendAll(one, madeRun(after));
    const flag = { method: "POST", headers: { "content-type": "application/json" } };
    const answer = await fetch(`${one.http}/api/v1/runs/${flagged}/flag`, { ...flag, body: '{"reason":"ticket"}' });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    const old = (await contents(one.http, [grown])).get(grown);
    await sendAll(one, pieces.slice(late, late + 1));
    const runs = [plain, flagged, grown, after];
    await until(
      "the late spans",
      async () => ![undefined, old].includes((await contents(one.http, [grown])).get(grown)),
    );
    const isFlagged = async (at: CollectorProcess) =>
      (await (await fetch(`${at.http}/api/v1/runs/${flagged}`)).text()).includes('"flags":["ticket"]');
    await until("the flag", () => isFlagged(one));
    const before = await sealed(one, runs);
    const CONFIG = join(folder, "collector.json");
    writeFileSync(CONFIG, JSON.stringify({ ...settings, data: join(folder, "rebuilt") }));
    const refused = await launch([process.execPath, bin, "catalog", "rebuild", "--config", CONFIG], { env: keys });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(/connections use .*stop all processes/s)]);
    expect(await one.stop()).toBe(0);

    const told = await documented("restore-catalog", { ...catalog, ...keys, CONFIG });
    expect(told).toMatch(/\b[123] changed\b/);
    const two = await processes.start("restored", ROLES, settings);
    await two.ready();
    await expectRuns(two, before);
    expect(await isFlagged(two)).toBe(true);
    expect(await two.stop()).toBe(0);

    if (!IS_WHOLE) return;
    // the bucket alone, in another place: no database, no topic
    await copyAll(servers(), "backup/", "copied/");
    const three = await processes.start("copied", ROLES, {
      ...settings,
      journal: { ...(apart("copied")["journal"] as object), partitions: 1 },
      catalog: apart("copied")["catalog"],
      store: "s3://runs/copied",
      s3: { ...(shared["s3"] as object), endpoint: proxy.endpoint },
    });
    await three.ready();
    await expectRuns(three, before);
    expect(await isFlagged(three)).toBe(true);
    expect(await three.stop()).toBe(0);
  });
}

/** In the place of `aws s3 sync`, which would have to be installed. */
async function copyAll({ s3 }: Distributed, from: string, to: string): Promise<void> {
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: s3.credentials,
  });
  try {
    for (let token: string | undefined; ;) {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: "runs", Prefix: from, ...(token && { ContinuationToken: token }) }),
      );
      for (const { Key = "" } of page.Contents ?? [])
        await client.send(
          new CopyObjectCommand({ Bucket: "runs", Key: to + Key.slice(from.length), CopySource: `runs/${Key}` }),
        );
      token = page.NextContinuationToken;
      if (token === undefined) return;
    }
  } finally {
    client.destroy();
  }
}
