import type { Catalog, CatalogAddress } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { openCatalog, putAsideCatalog } from "../catalog/open-catalog.ts";
import type { Log } from "../log.ts";
import { isComplete, rebuildCatalog, type RebuildProgress } from "../rebuild/rebuild-catalog.ts";
import { waitBeforeRetry } from "../seal/retrying.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";

/** The catalog of a collector that does not wait for it. */
export interface CatalogPart {
  /** Calls for cursors, leases and changes wait until its file is open; reading rows before all are there throws `INCOMPLETE`. */
  readonly catalog: Catalog;
  /** Resolves when it has every row that the store has; rejects with what refuses the start, or once it is closed. */
  readonly complete: Promise<void>;
  /** Throws `INCOMPLETE` where a row may be missing. */
  assertWhole(): void;
  /** null: it is complete */
  missing(): CatalogMissing | null;
  /** Ends what is being made, and all waiting for it; what is there works on. */
  end(): void;
  close(): Promise<void>;
}

/** `opening`: its file; `waiting`: it lacks rows, and the store to make them from; `rebuilding`: from the packs. */
export type CatalogPhase = "opening" | "waiting" | "rebuilding";

export interface CatalogMissing {
  readonly phase: CatalogPhase;
  readonly why: string | null;
  /** null: no pack has been read yet */
  readonly progress: RebuildProgress | null;
}

interface BringCatalogOptions {
  readonly address: CatalogAddress;
  readonly store: ReadStore;
  /** the store may be read */
  readonly storeHere: Promise<{ readonly epoch: number }>;
  /** also again for each attempt that failed */
  readonly onPhase: (phase: CatalogPhase, why: string | null) => void;
  readonly log: Log;
}

/** Between two attempts, milliseconds, at most. */
const LONGEST_PAUSE = 5_000;

/**
 * Opens the catalog, and makes the rows that it lacks from the packs, in the background. A file that is no catalog any more
 * is put aside under another name and made again.
 */
export function bringCatalog({ address, store, storeHere, onPhase, log }: BringCatalogOptions): CatalogPart {
  const ending = new AbortController();
  const { signal } = ending;
  const closed = Promise.withResolvers<never>();
  let phase: CatalogPhase = "opening";
  let why: string | null = null;
  let progress: RebuildProgress | null = null;
  let isWhole = false;

  function enter(next: CatalogPhase, reason: string | null = null): void {
    phase = next;
    why = reason;
    onPhase(next, reason);
  }

  async function open(): Promise<Catalog> {
    for (let tried = 0; ; tried++) {
      try {
        return await openCatalog(address);
      } catch (error) {
        if (!(error instanceof CatalogError) || error.code === "NEWER_CATALOG" || signal.aborted) throw error;
        enter("opening", error.message);
        log(tried < 3 ? "warn" : "error", "catalog.away", { ...address, tried, error });
        if (error.code === "DAMAGED") putAside();
        else await waitBeforeRetry(tried, LONGEST_PAUSE, signal);
        signal.throwIfAborted();
      }
    }
  }

  /** Its rows come back from the packs; only its cursors are lost. */
  function putAside(): void {
    const aside = putAsideCatalog(address);
    log("error", "catalog.damaged", { ...address, aside, next: "its rows are made again from the packs" });
  }

  async function complete(): Promise<void> {
    const catalog = await raw;
    if (!(await isComplete(catalog))) {
      enter("waiting");
      await rebuild(catalog, (await Promise.race([storeHere, closed.promise])).epoch);
    }
    isWhole = true;
  }

  async function rebuild(catalog: Catalog, epoch: number): Promise<void> {
    for (let tried = 0; ; tried++) {
      enter("rebuilding", why);
      try {
        const onProgress = (now: RebuildProgress) => void (progress = now);
        await rebuildCatalog({ store, catalog, epoch, signal, onProgress, log });
        return;
      } catch (error) {
        const mayPass = error instanceof StoreError && (error.retryable || error.code === "DENIED");
        if (signal.aborted || !mayPass) throw error;
        why = error.message;
        log(tried < 3 ? "warn" : "error", "catalog.rebuild-waits-for-store", { tried, error });
        await waitBeforeRetry(tried, LONGEST_PAUSE, signal);
        signal.throwIfAborted();
      }
    }
  }

  function end(): void {
    ending.abort();
    closed.reject(new CatalogError("UNUSABLE", "the catalog is closed"));
  }

  const raw = open();
  const opened = Promise.race([raw, closed.promise]);
  const running = complete();
  const whole = Promise.race([running, closed.promise]);
  for (const each of [raw, opened, running, whole, closed.promise]) each.catch(() => {});

  function assertWhole(): void {
    if (isWhole) return;
    const lacks = phase === "opening" ? "is not open yet" : "is being made again from the packs";
    throw new CatalogError("INCOMPLETE", `the catalog ${lacks}${progressText(progress)}`);
  }
  async function rows(): Promise<Catalog> {
    assertWhole();
    return opened;
  }
  return {
    complete: whole,
    assertWhole,
    missing: () => (isWhole ? null : { phase, why, progress }),
    catalog: {
      apply: async (change) => (await opened).apply(change),
      cursor: async (name) => (await opened).cursor(name),
      lease: async (name, owner, forMs) => (await opened).lease(name, owner, forMs),
      find: async (query, page) => (await rows()).find(query, page),
      facets: async (query, fields, limit) => (await rows()).facets(query, fields, limit),
      sums: async (query, field, limit) => (await rows()).sums(query, field, limit),
      series: async (query, over) => (await rows()).series(query, over),
      get: async (tenant, run) => (await rows()).get(tenant, run),
      close: async () => (await raw).close(),
    },
    end,
    async close() {
      end();
      await running.catch(() => {});
      await raw.then((catalog) => catalog.close()).catch(() => {});
    },
  };
}

/** For people; empty: nothing has been read. */
export function progressText(progress: RebuildProgress | null): string {
  if (progress === null) return "";
  const { packs, of, runs } = progress;
  return `: ${packs}${of === null ? "" : ` of ${of}`} packs, ${runs} runs`;
}
