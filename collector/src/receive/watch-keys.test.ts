import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { newKey, post, PROTOBUF, startReceiver, traceBytes } from "./receiver.test.fixture.ts";
import { type WatchedKeys, watchKeys } from "./watch-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "watch-keys-"));
let keys: WatchedKeys | null = null;
afterEach(() => {
  keys?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a key that is added or taken out counts without a restart, and a broken file changes nothing", async () => {
  const path = join(folder, "keys.json");
  const [first, second] = [newKey(), newKey()];
  const write = (...all: { sha256: string }[]) => {
    const list = all.map(({ sha256 }, at) => ({ name: `k${at}`, sha256, scopes: ["ingest"], tenant: "t" }));
    writeFileSync(`${path}.new`, JSON.stringify({ keys: list }));
    renameSync(`${path}.new`, path);
  };
  write(first);
  const events: string[] = [];
  keys = watchKeys(path, (_, event) => void events.push(event));
  const { url, stop } = await startReceiver({ keys });
  const statusOf = async ({ key }: { key: string }) =>
    (await post(url, traceBytes(10), { ...PROTOBUF, authorization: `Bearer ${key}` })).status;
  const until = async (known: () => Promise<boolean>) => {
    for (let waited = 0; waited < 100 && !(await known()); waited++) await sleep(100);
  };

  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401]);
  write(second);
  await until(async () => (await statusOf(second)) === 200);
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);

  writeFileSync(path, '{ "keys": [');
  keys.reload();
  expect(events).toContain("keys.not-reloaded");
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);

  rmSync(path);
  keys.reload();
  expect(await statusOf(second)).toBe(200);
  write(first, second);
  keys.reload();
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  await stop();
});
