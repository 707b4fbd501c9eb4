import { catalogAddress } from "../catalog/open-catalog.ts";
import type { Opening } from "../close-stack.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { type OpenedJournal, openJournal } from "../journal/open-journal.ts";
import { bringCatalog, type CatalogPart } from "./bring-catalog.ts";
import { bringStore, type StorePart } from "./bring-store.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { prepareFolder } from "./prepare-folder.ts";
import type { StartGate } from "./start-gate.ts";

/** Where spans, runs and rows lie. */
export interface Storage {
  readonly journal: OpenedJournal;
  readonly store: StorePart;
  readonly catalog: CatalogPart;
}

/** Opens the journal, and begins to open store and catalog, which may take as long as they need. Throws `JournalError`. */
export async function openStorage(
  config: CollectorConfig,
  gate: StartGate,
  { log, stack, fail }: Opening,
): Promise<Storage> {
  prepareFolder(config.data);
  const opened: { store?: StorePart } = {};
  // for large records only, which come when the store is there or are refused until it is
  const staging: Pick<ObjectStore, "putIfAbsent" | "getRange" | "list" | "delete"> = {
    putIfAbsent: async (key, body) => storeOf(opened).putIfAbsent(key, body),
    getRange: async (key, offset, length) => storeOf(opened).getRange(key, offset, length),
    list: async function* (prefix, after) {
      yield* storeOf(opened).list(prefix, after);
    },
    delete: async (key) => storeOf(opened).delete(key),
  };
  const journal = await openJournal(config, { staging, log, onDead: fail });
  stack.add("journal", () => journal.journal.close());
  // after the journal: its lock makes sure that one process uses this folder, and with it the owner id
  const sharedBy = journal.driver === "kafka" ? journal.id : null;
  const store = (opened.store = bringStore(config, { sharedBy, log, onLost: fail, onPhase: gate.store }));
  stack.add("store", () => store.close());
  const catalog = bringCatalog({
    address: catalogAddress(config),
    store: store.store,
    storeHere: store.here,
    sharedBy,
    onPhase: gate.catalog,
    log,
  });
  stack.add("catalog", () => catalog.close());
  return { journal, store, catalog };
}

function storeOf({ store }: { readonly store?: StorePart }): ObjectStore {
  if (!store) throw new StoreError("UNAVAILABLE", "the store", "is not there yet");
  return store.store;
}
