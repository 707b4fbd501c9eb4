import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ObjectStore, probeStore } from "@reenact/collector/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

export interface OpenedForTest {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

const bytes = (text: string) => Buffer.from(text);

/** What every object store must do, whoever keeps the bytes. */
export function objectStoreContract(name: string, open: () => Promise<OpenedForTest>): void {
  describe(`object store: ${name}`, () => {
    let opened: OpenedForTest;
    let store: ObjectStore;
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "reenact-contract-"));
      opened = await open();
      store = opened.store;
    });
    afterAll(async () => {
      await opened.close();
      rmSync(folder, { recursive: true });
    });
    const fresh = (of = "t") => `v1/test/${of}-${randomUUID()}`;
    const listed = async (prefix: string, after?: string) => {
      const keys: string[] = [];
      for await (const { key } of store.list(prefix, after)) keys.push(key);
      return keys;
    };

    test("gives back what was put, whole and in ranges, and replaces it", async () => {
      const key = fresh();
      await store.put(key, bytes("0123456789"));
      const range = async (offset: number, length: number) =>
        Buffer.from(await store.getRange(key, offset, length)).toString();
      expect(await range(0, 10)).toBe("0123456789");
      expect(await range(3, 4)).toBe("3456");
      expect(await range(8, 100)).toBe("89");
      expect(await range(-4, 4)).toBe("6789");
      expect(await range(-4, 2)).toBe("67");
      expect(await range(-400, 3)).toBe("012");
      expect(await range(2, 0)).toBe("");
      await store.put(key, bytes("new"));
      expect(await range(0, 100)).toBe("new");
    });

    test("names its errors", async () => {
      const key = fresh();
      await expect(store.getRange(key, 0, 1)).rejects.toMatchObject({ name: "StoreError", code: "NO_OBJECT" });
      await store.put(key, bytes("abc"));
      await expect(store.getRange(key, 3, 1)).rejects.toMatchObject({ code: "BAD_RANGE" });
      await expect(store.getRange(key, 100, 1)).rejects.toMatchObject({ code: "BAD_RANGE" });
      for (const bad of ["", "/x", "x/", "a//b", "../x", "a/../b", "a/./b", "ä", "a b", "x".repeat(600)]) {
        await expect(store.put(bad, bytes("x")), bad).rejects.toMatchObject({ code: "BAD_KEY" });
        await expect(store.head(bad), bad).rejects.toMatchObject({ code: "BAD_KEY" });
      }
    });

    test("head tells size and time, or null; delete is idempotent", async () => {
      const key = fresh();
      expect(await store.head(key)).toBeNull();
      const before = Date.now();
      await store.put(key, new Uint8Array(1234));
      const head = await store.head(key);
      expect(head).toMatchObject({ key, size: 1234 });
      expect(Math.abs((head?.modified ?? 0) - before)).toBeLessThan(5_000);
      await store.delete(key);
      await store.delete(key);
      expect(await store.head(key)).toBeNull();
      await expect(store.getRange(key, 0, 1)).rejects.toMatchObject({ code: "NO_OBJECT" });
    });

    test("an object of no bytes is an object", async () => {
      const key = fresh();
      expect(await store.putIfAbsent(key, new Uint8Array())).toBe("created");
      expect(await store.head(key)).toMatchObject({ size: 0 });
      expect(await store.getRange(key, 0, 0)).toHaveLength(0);
    });

    test("put-if-absent keeps the first bytes and tells the same from different ones", async () => {
      const key = fresh();
      expect(await store.putIfAbsent(key, bytes("first"))).toBe("created");
      expect(await store.putIfAbsent(key, bytes("first"))).toBe("same");
      expect(await store.putIfAbsent(key, bytes("other"))).toBe("different");
      expect(await store.putIfAbsent(key, bytes("longer than it"))).toBe("different");
      expect(Buffer.from(await store.getRange(key, 0, 100)).toString()).toBe("first");
      await store.delete(key);
      expect(await store.putIfAbsent(key, bytes("other"))).toBe("created");
    });

    test("of twenty racing writers one wins, and equal writers lose nothing", async () => {
      const key = fresh();
      const racing = Array.from({ length: 20 }, (_, n) => bytes(`body ${n}`));
      const outcomes = await Promise.all(racing.map((body) => store.putIfAbsent(key, body)));
      expect(outcomes.filter((each) => each === "created")).toHaveLength(1);
      expect(outcomes.filter((each) => each === "different")).toHaveLength(19);
      const winner = racing[outcomes.indexOf("created")]!;
      expect(Buffer.from(await store.getRange(key, 0, 100))).toEqual(winner);
      const same = fresh();
      const equal = await Promise.all(racing.map(() => store.putIfAbsent(same, bytes("equal"))));
      expect(equal.filter((each) => each === "created")).toHaveLength(1);
      expect(equal.filter((each) => each === "same")).toHaveLength(19);
    });

    test("lists in order of keys, by prefix, after a key", async () => {
      const base = `v1/list-${randomUUID()}`;
      const keys = ["a-", "a.b", "a/b/c", "a/b/d", "a0", "b/1", "b/10", "b/2", "c"].map((each) => `${base}/x-${each}`);
      for (const key of keys.toReversed()) await store.put(key, bytes(key));
      const sorted = keys.toSorted();
      expect(await listed(`${base}/`)).toEqual(sorted);
      expect(await listed(`${base}/x-a`)).toEqual(sorted.filter((each) => each.startsWith(`${base}/x-a`)));
      expect(await listed(`${base}/x-b/1`)).toEqual([`${base}/x-b/1`, `${base}/x-b/10`]);
      for (const after of sorted) {
        expect(await listed(`${base}/`, after)).toEqual(sorted.filter((each) => each > after));
      }
      expect(await listed(`${base}/nothing`)).toEqual([]);
    });

    test("lists more than one page", { timeout: 60_000 }, async () => {
      const base = `v1/pages-${randomUUID()}`;
      const keys = Array.from({ length: 1_010 }, (_, n) => `${base}/${String(n).padStart(5, "0")}`);
      for (let at = 0; at < keys.length; at += 32) {
        await Promise.all(keys.slice(at, at + 32).map((key) => store.put(key, bytes("x"))));
      }
      expect(await listed(`${base}/`)).toEqual(keys);
      for (let at = 0; at < keys.length; at += 32) {
        await Promise.all(keys.slice(at, at + 32).map((key) => store.delete(key)));
      }
    });

    test("takes a large object from a file, in parts", { timeout: 60_000 }, async () => {
      const path = join(folder, "large");
      const large = Buffer.alloc(23 * 1024 ** 2 + 77, "all work and no play ");
      writeFileSync(path, large);
      const key = fresh("large");
      expect(await store.putIfAbsent(key, { path, length: large.length })).toBe("created");
      expect(await store.putIfAbsent(key, { path, length: large.length })).toBe("same");
      expect(await store.putIfAbsent(key, large)).toBe("same");
      expect(await store.putIfAbsent(key, large.subarray(1))).toBe("different");
      expect(await store.head(key)).toMatchObject({ size: large.length });
      const at = 16 * 1024 ** 2 - 5;
      expect(Buffer.compare(await store.getRange(key, at, 10), large.subarray(at, at + 10))).toBe(0);
      expect(Buffer.compare(await store.getRange(key, 0, large.length), large)).toBe(0);
      await store.put(key, { path, length: 100 });
      expect(await store.head(key)).toMatchObject({ size: 100 });
      await store.delete(key);
    });

    test("passes the probe", async () => {
      expect(await probeStore(store)).toMatchObject({ races: 2, writers: 20 });
      expect(await listed("v1/probe/")).toEqual([]);
    });
  });
}
