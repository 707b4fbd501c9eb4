import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openDirectoryStore } from "./drivers/directory.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { StoreError } from "./store-error.ts";
import { OWNERS_PREFIX, ownStore, type StoreOwner } from "./store-owner.ts";

const bytes = (text: string) => Buffer.from(text);
const NEVER = 1e9;
const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

const stores: Record<string, () => Promise<ObjectStore>> = {
  memory: async () => createMemoryStore(),
  folder: async () => {
    const folder = mkdtempSync(join(tmpdir(), "reenact-owner-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    return openDirectoryStore(folder);
  },
};

describe.each(Object.keys(stores))("one collector owns a store (%s)", (name) => {
  async function own(
    store: ObjectStore,
    id: string,
    options: { lookMs?: number; answerMs?: number; onLook?: (error: unknown) => void } = {},
  ): Promise<StoreOwner & { lost: StoreError[] }> {
    const lost: StoreError[] = [];
    const owner = await ownStore(store, {
      id,
      who: `collector ${id}`,
      lookMs: 10,
      answerMs: 2_000,
      ...options,
      onLost: (error) => lost.push(error),
    });
    undo.unshift(() => owner.release());
    return { ...owner, lost };
  }
  const keys = async (store: ObjectStore, below = "") => {
    const found: string[] = [];
    for await (const { key } of store.list(below)) found.push(key);
    return found;
  };

  test("the owner tells when the store does not answer any more, and when it does again, and stays the owner", async () => {
    const store = await stores[name]!();
    let isAway = false;
    const flaky: ObjectStore = {
      ...store,
      async *list(...given) {
        if (isAway) throw new Error("no answer");
        yield* store.list(...given);
      },
    };
    const looks: unknown[] = [];
    const first = await own(flaky, "a", { onLook: (error) => looks.push(error) });
    await expect.poll(() => looks.at(-1)).toBeNull();
    isAway = true;
    await expect.poll(() => looks.at(-1)).toMatchObject({ message: "no answer" });
    isAway = false;
    await expect.poll(() => looks.at(-1)).toBeNull();
    expect(await first.store.putIfAbsent("v1/x", bytes("x"))).toBe("created");
    expect(first.lost).toEqual([]);
  });

  test("a second one is refused, with the name of the first, which goes on", async () => {
    const store = await stores[name]!();
    const first = await own(store, "a");
    await expect(own(store, "b")).rejects.toMatchObject({
      code: "TAKEN",
      message: expect.stringContaining("collector a"),
    });
    expect(await first.store.putIfAbsent("v1/x", bytes("x"))).toBe("created");
    expect(first.lost).toEqual([]);
    expect((await keys(store, OWNERS_PREFIX)).length).toBe(1);
  });

  test("the same data folder goes on at once, and what it was before is fenced", async () => {
    const store = await stores[name]!();
    const before = await own(store, "a", { lookMs: NEVER });
    const after = await own(store, "a", { answerMs: NEVER });
    expect(after.epoch).toBe(before.epoch + 1);
    await expect(before.store.put("v1/x", bytes("x"))).rejects.toMatchObject({ code: "TAKEN" });
    expect(before.lost).toMatchObject([{ code: "TAKEN" }]);
    expect(await after.store.putIfAbsent("v1/x", bytes("y"))).toBe("created");
  });

  test("one that ended in order is followed without waiting", async () => {
    const store = await stores[name]!();
    await (await own(store, "a")).release();
    const next = await own(store, "b", { answerMs: NEVER });
    expect(await next.store.putIfAbsent("v1/x", bytes("x"))).toBe("created");
  });

  test("one that does not answer is followed; when it wakes up it can write and remove nothing", async () => {
    const store = await stores[name]!();
    const paused = await own(store, "a", { lookMs: NEVER });
    await paused.store.put("v1/kept", bytes("kept"));
    const next = await own(store, "b", { answerMs: 50 });
    for (const write of [
      () => paused.store.put("v1/x", bytes("x")),
      () => paused.store.putIfAbsent("v1/x", bytes("x")),
      () => paused.store.delete("v1/kept"),
    ])
      await expect(write()).rejects.toMatchObject({ code: "TAKEN" });
    expect(paused.lost.length).toBe(1);
    expect(await keys(store, "v1/x")).toEqual([]);
    expect(await next.store.putIfAbsent("v1/kept", bytes("kept"))).toBe("same");
  });

  test("a write that was under way when the store was taken is removed again", async () => {
    const store = await stores[name]!();
    let next: Promise<StoreOwner> | null = null;
    const slow: ObjectStore = {
      ...store,
      async putIfAbsent(key, body) {
        // paused before the write; another collector takes the store meanwhile
        if (key === "v1/pack") await (next = own(store, "b", { answerMs: 50 }));
        return store.putIfAbsent(key, body);
      },
    };
    const paused = await own(slow, "a", { lookMs: NEVER });
    await expect(paused.store.putIfAbsent("v1/pack", bytes("split"))).rejects.toMatchObject({ code: "TAKEN" });
    expect(next).not.toBeNull();
    expect(await keys(store, "v1/pack")).toEqual([]);
  });

  test("of many that begin at once one owns it", async () => {
    const store = await stores[name]!();
    const all = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => own(store, `c${n}`)));
    const owners = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(owners.length).toBe(1);
    for (const each of all) if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "TAKEN" });
    expect(await owners[0]!.store.putIfAbsent("v1/x", bytes("x"))).toBe("created");
  });

  test("a store that is away makes nobody lose it", async () => {
    const store = await stores[name]!();
    let away = false;
    const shaky: ObjectStore = {
      ...store,
      list: (prefix, after) => {
        if (away) throw new Error("away");
        return store.list(prefix, after);
      },
    };
    const owner = await own(shaky, "a");
    away = true;
    await expect(owner.store.put("v1/x", bytes("x"))).rejects.toThrow("away");
    await new Promise((resolve) => setTimeout(resolve, 50));
    away = false;
    await owner.store.put("v1/x", bytes("x"));
    expect(owner.lost).toEqual([]);
  });
});
