import type { EnvelopeError } from "@reenact/envelope";
import { HEADER_PREFIX, readManifest } from "@reenact/envelope/file";
import { type PackEntry, type PackIndex, parsePackKey, readPackedEnvelope } from "@reenact/envelope/pack";
import type { RetentionClass } from "@reenact/envelope/schema";
import { compareCopies, copyOf, readVoidCopies, type RunCopy } from "../retain/copy-order.ts";
import { packKeys, readPackIndexFrom } from "../seal/read-packs.ts";
import { openStoreToRead } from "../store/open-store.ts";
import { StoreError } from "../store/store-error.ts";

/** A sealed run, and where it lies. */
export interface ArchivedRun {
  readonly class: RetentionClass;
  readonly tenant: string;
  /** key of its pack */
  readonly key: string;
  readonly entry: PackEntry;
}

export interface UnreadablePack {
  readonly key: string;
  readonly error: EnvelopeError | StoreError;
}

/** The sealed runs of a store, without a collector and a catalog. All methods throw `StoreError` and `EnvelopeError`. */
export interface RunArchive {
  /**
   * The newest revision of each run that is wanted, in no order. Reads the indexes of all packs, of each its end; a pack
   * whose index cannot be read is told of, and passed over.
   */
  find(wanted: (entry: PackEntry) => boolean): Promise<{ runs: ArchivedRun[]; unreadable: UnreadablePack[] }>;
  /** Header and manifest, from the begin of the envelope. */
  manifest(run: ArchivedRun): Promise<Pick<ReturnType<typeof readManifest>, "header" | "manifest">>;
  /** Its bytes, every digest checked. */
  envelope(run: ArchivedRun): Promise<Uint8Array>;
  close(): void;
}

/** Indexes that are read at once. */
const READERS = 16;

/** `address`: `s3://bucket/prefix`, or the folder of a collector's store. Throws `StoreError`. */
export async function openRunArchive(
  address: string,
  s3: Parameters<typeof openStoreToRead>[1] = {},
): Promise<RunArchive> {
  const { store, close } = await openStoreToRead(address, s3);

  async function manifest({ key, entry }: ArchivedRun) {
    for (let length = Math.min(4 * HEADER_PREFIX, entry.length); ; length = Math.min(length * 8, entry.length)) {
      const bytes = await store.getRange(key, entry.offset, length);
      try {
        return readManifest(bytes);
      } catch (error) {
        if (length === entry.length || (error as EnvelopeError).code !== "TRUNCATED") throw error;
      }
    }
  }

  return {
    async find(wanted) {
      const found = new Map<string, ArchivedRun>();
      const unreadable: UnreadablePack[] = [];
      const isVoid = await readVoidCopies(store);
      const keys = packKeys(store);
      async function read(): Promise<void> {
        for (let next = await keys.next(); next.done !== true; next = await keys.next()) {
          const key = next.value;
          const kept = parsePackKey(key)?.class;
          let index: PackIndex;
          let copies: RunCopy[];
          try {
            index = await readPackIndexFrom(store, key);
            copies = index.runs.map((entry) => copyOf(entry, kept ?? index.class));
          } catch (error) {
            if (error instanceof StoreError && error.code === "NO_OBJECT") continue;
            if (error instanceof StoreError && error.code !== "BAD_RANGE") throw error;
            unreadable.push({ key, error: error as UnreadablePack["error"] });
            continue;
          }
          const { tenant } = index;
          for (const [n, entry] of index.runs.entries()) {
            if (!wanted(entry) || isVoid(tenant, entry.run, copies[n]!)) continue;
            const name = `${tenant} ${entry.run}`;
            const run = { class: kept ?? index.class, tenant, key, entry };
            const other = found.get(name);
            if (other === undefined || isNewer(run, other)) found.set(name, run);
          }
        }
      }
      await Promise.all(Array.from({ length: READERS }, read));
      return { runs: [...found.values()], unreadable };
    },
    manifest,
    async envelope({ key, entry }) {
      const bytes = await store.getRange(key, entry.offset, entry.length);
      readPackedEnvelope(bytes, entry);
      return bytes;
    },
    close,
  };
}

const isNewer = (a: ArchivedRun, b: ArchivedRun): boolean =>
  compareCopies(copyOf(a.entry, a.class), copyOf(b.entry, b.class)) > 0;
