import { wholeBody } from "./object-body.ts";
import { objectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";
import { objectRange } from "./object-range.ts";
import { StoreError } from "./store-error.ts";

/** A store for tests. */
export function createMemoryStore(options: { now?: () => number } = {}): ObjectStore {
  const now = options.now ?? Date.now;
  const objects = new Map<string, { bytes: Uint8Array; modified: number }>();
  return {
    async put(key, body) {
      const bytes = Uint8Array.from(await wholeBody(body));
      objects.set(objectKey(key), { bytes, modified: now() });
    },
    async putIfAbsent(key, body) {
      const bytes = Uint8Array.from(await wholeBody(body));
      const known = objects.get(objectKey(key));
      if (known) return Buffer.compare(known.bytes, bytes) === 0 ? "same" : "different";
      objects.set(key, { bytes, modified: now() });
      return "created";
    },
    async getRange(key, offset, length) {
      const known = objects.get(objectKey(key));
      if (!known) throw new StoreError("NO_OBJECT", `get ${key}`, "there is no such object");
      const { from, to } = objectRange(key, known.bytes.length, offset, length);
      return Uint8Array.from(known.bytes.subarray(from, to));
    },
    async head(key) {
      const known = objects.get(objectKey(key));
      return known ? { key, size: known.bytes.length, modified: known.modified } : null;
    },
    async *list(prefix, after = "") {
      for (const key of [...objects.keys()].toSorted()) {
        const known = objects.get(key);
        if (!known || !key.startsWith(prefix) || key <= after) continue;
        yield { key, size: known.bytes.length, modified: known.modified };
      }
    },
    async delete(key) {
      objects.delete(objectKey(key));
    },
  };
}
