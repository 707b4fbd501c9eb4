import { catalogAddress } from "../catalog/open-catalog.ts";
import type { Opening } from "../close-stack.ts";
import type { CollectorConfig } from "../config-schema.ts";
import type { RunningJournal } from "../journal/journal.ts";
import { openJournal } from "../journal/open-journal.ts";
import { bringCatalog, type CatalogPart } from "./bring-catalog.ts";
import { bringStore, type StorePart } from "./bring-store.ts";
import { prepareFolder } from "./prepare-folder.ts";
import type { StartGate } from "./start-gate.ts";

/** Where spans, runs and rows lie. */
export interface Storage {
  readonly journal: RunningJournal;
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
  const journal = await openJournal(config, { log, onDead: fail });
  stack.add("journal", () => journal.close());
  // after the journal: its lock makes sure that one process uses this folder, and with it the owner id
  const store = bringStore(config, { log, onLost: fail, onPhase: gate.store });
  stack.add("store", () => store.close());
  const catalog = bringCatalog({
    address: catalogAddress(config),
    store: store.store,
    storeHere: store.here,
    onPhase: gate.catalog,
    log,
  });
  stack.add("catalog", () => catalog.close());
  return { journal, store, catalog };
}
