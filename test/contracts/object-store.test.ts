import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, openStore, type ObjectStore, probeStore } from "@reenact/collector/store";
import { expect, test } from "vitest";
import { objectStoreContract } from "./object-store.ts";

objectStoreContract("memory", async () => ({ store: createMemoryStore(), close: async () => {} }));

objectStoreContract("directory", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-store-"));
  const { store } = await openStore(folder);
  return { store, close: async () => rmSync(folder, { recursive: true }) };
});

const broken: Record<string, (store: ObjectStore) => ObjectStore> = {
  "has no conditional writes": (store) => ({
    ...store,
    putIfAbsent: async (key, body) => store.put(key, body).then(() => "created"),
  }),
  "lets two of a race win": (store) => {
    let calls = 0;
    return {
      ...store,
      async putIfAbsent(key, body) {
        if (++calls % 20 !== 7) return store.putIfAbsent(key, body);
        await store.put(key, body);
        return "created";
      },
    };
  },
  "does not know its own write again": (store) => ({
    ...store,
    putIfAbsent: async (key, body) => {
      const outcome = await store.putIfAbsent(key, body);
      return outcome === "same" ? "different" : outcome;
    },
  }),
  "ignores ranges": (store) => ({ ...store, getRange: (key) => store.getRange(key, 0, 1e9) }),
  "lists late": (store) => ({
    ...store,
    async *list(prefix, after) {
      let n = 0;
      for await (const head of store.list(prefix, after)) if (n++ > 0) yield head;
    },
  }),
  "does not delete": (store) => ({ ...store, delete: async () => {} }),
};

test.each(Object.entries(broken))("the probe refuses a store that %s", async (_, spoil) => {
  await expect(probeStore(spoil(createMemoryStore()))).rejects.toMatchObject({ code: "UNSAFE" });
});
