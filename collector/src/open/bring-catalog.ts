import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Catalog, CatalogAddress } from "../catalog/catalog.ts";
import { CatalogError, type CatalogErrorCode } from "../catalog/catalog-error.ts";
import { openCatalog, placeOfCatalog, putAsideCatalog } from "../catalog/open-catalog.ts";
import type { Log } from "../log.ts";
import { isComplete, rebuildCatalog, type RebuildProgress } from "../rebuild/rebuild-catalog.ts";
import { waitBeforeRetry } from "../seal/retrying.ts";
import type { ReadStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";

/** The catalog of a collector that does not wait for it. */
export interface CatalogPart {
  /**
   * Cursors and changes wait until it is open, and while its database does not answer; leases wait for the former. Rows do not
   * wait: they throw `INCOMPLETE` before all are there, and `UNUSABLE`.
   */
  readonly catalog: Catalog;
  /** Resolves when it has every row that the store has; rejects with what refuses the start, or once it is closed. */
  readonly complete: Promise<void>;
  /** Throws `INCOMPLETE` where a row may be missing. */
  assertWhole(): void;
  /** null: it is complete */
  missing(): CatalogMissing | null;
  /** how far its rows were made again since the start, also once all are there; null: none had to be */
  rebuilt(): RebuildProgress | null;
  /** Ends what is being made, and all waiting for it; what is there works on. */
  end(): void;
  close(): Promise<void>;
}

/**
 * `opening`: its file or database; `waiting`: it lacks rows, and the store to make them from; `rebuilding`: from the packs; `away`: it
 * has every row, and its database does not answer.
 */
export type CatalogPhase = "opening" | "waiting" | "rebuilding" | "away";

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
  /** id that all collectors which use the catalog have, of which one makes its rows again; null: this one uses it alone */
  readonly sharedBy: string | null;
  /** also again for each attempt that failed */
  readonly onPhase: (phase: CatalogPhase, why: string | null) => void;
  readonly log: Log;
}

/** Between two attempts, milliseconds, at most. */
const LONGEST_PAUSE = 5_000;
/** How often a database is asked whether it answers: reads of other threads do not show it here. */
const LOOK_MS = 2_000;
/** A process that rebuilds for the others and is not heard of for so long is taken for dead. */
const REBUILD_LEASE_MS = 60_000;
/** What no further attempt changes. */
const REFUSING: readonly CatalogErrorCode[] = ["NEWER_CATALOG", "DENIED", "NO_DRIVER"];

/**
 * Opens the catalog, and makes the rows that it lacks from the packs, in the background. A file that is no catalog any more
 * is put aside under another name and made again.
 */
export function bringCatalog(options: BringCatalogOptions): CatalogPart {
  const { address, store, storeHere, sharedBy, onPhase, log } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const place = placeOfCatalog(address);
  const closed = Promise.withResolvers<never>();
  let phase: CatalogPhase = "opening";
  let why: string | null = null;
  let progress: RebuildProgress | null = null;
  let isWhole = false;
  /** why its database does not answer; null: it does */
  let away: string | null = null;
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;

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
        if (!(error instanceof CatalogError) || REFUSING.includes(error.code) || signal.aborted) throw error;
        enter("opening", error.message);
        log(tried < 3 ? "warn" : "error", "catalog.away", { catalog: place, tried, error });
        if (error.code === "DAMAGED") putAside();
        else await waitBeforeRetry(tried, LONGEST_PAUSE, signal);
        signal.throwIfAborted();
      }
    }
  }

  /** Its rows come back from the packs; only its cursors are lost. */
  function putAside(): void {
    const aside = putAsideCatalog(address);
    log("error", "catalog.damaged", { catalog: place, aside, next: "its rows are made again from the packs" });
  }

  async function complete(): Promise<void> {
    if (!(await isComplete(steady))) {
      enter("waiting");
      const { epoch } = await Promise.race([storeHere, closed.promise]);
      await (sharedBy === null ? rebuild(epoch) : rebuildInTurn(epoch));
    }
    isWhole = true;
    if (address.driver !== "sqlite") looking = setInterval(() => void look(), LOOK_MS).unref();
  }

  /** Waits while the database does not answer, until everything is to end; then what is asked has one attempt. */
  async function persistent<Result>(work: (catalog: Catalog) => Promise<Result>): Promise<Result> {
    // what refuses the start is not waited for
    const catalog = await opened;
    for (let tried = 0; ; tried++) {
      try {
        return here(await work(catalog));
      } catch (error) {
        if (!isAway(error)) throw error;
        if (tried > 0) log(tried < 3 ? "warn" : "error", "catalog.away", { catalog: place, tried, error });
        await waitBeforeRetry(tried, LONGEST_PAUSE, signal);
      }
    }
  }

  /** Notes that it answers. */
  function here<Result>(result: Result): Result {
    if (away !== null) log("info", "catalog.here", { catalog: place });
    away = null;
    return result;
  }

  /** Notes that it does not, if that is what the error says. */
  function isAway(error: unknown): boolean {
    if (signal.aborted || address.driver === "sqlite" || !(error instanceof CatalogError)) return false;
    // it was open: rights or a password that were taken away are given again without a start
    if (error.code !== "UNUSABLE" && error.code !== "DENIED") return false;
    if (away === null) log("warn", "catalog.away", { catalog: place, error });
    away = error.message;
    return true;
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    await opened.then((catalog) => isComplete(catalog)).then(here, isAway);
    isLooking = false;
  }

  /** One of those that share the catalog; the others wait for it, and go on if it ends before its time. */
  async function rebuildInTurn(epoch: number): Promise<void> {
    const owner = randomUUID();
    const take = async () => (await opened).lease("catalog:rebuild", owner, REBUILD_LEASE_MS);
    while (!(await isComplete(steady))) {
      signal.throwIfAborted();
      if (!(await take().catch(() => false))) {
        await pause(LOOK_MS / 4);
        continue;
      }
      const renewing = setInterval(() => void take().catch(() => {}), REBUILD_LEASE_MS / 4);
      await rebuild(epoch).finally(() => clearInterval(renewing));
      await (await opened).lease("catalog:rebuild", owner, 0).catch(() => false);
    }
  }

  async function rebuild(epoch: number): Promise<void> {
    for (let tried = 0; ; tried++) {
      enter("rebuilding", why);
      try {
        const onProgress = (now: RebuildProgress) => void (progress = now);
        await rebuildCatalog({ store, catalog: steady, epoch, signal, onProgress, log });
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
    clearInterval(looking);
    closed.reject(new CatalogError("UNUSABLE", "the catalog is closed"));
  }

  const raw = open();
  const opened = Promise.race([raw, closed.promise]);
  const steady: Pick<Catalog, "apply" | "cursor" | "fence" | "get"> = {
    apply: (change) => persistent((catalog) => catalog.apply(change)),
    cursor: (name) => persistent((catalog) => catalog.cursor(name)),
    fence: (name) => persistent((catalog) => catalog.fence(name)),
    get: (tenant, run) => persistent((catalog) => catalog.get(tenant, run)),
  };
  const running = complete();
  const whole = Promise.race([running, closed.promise]);
  for (const each of [raw, opened, running, whole, closed.promise]) each.catch(() => {});

  function assertWhole(): void {
    if (isWhole) return;
    const lacks = phase === "opening" ? "is not open yet" : "is being made again from the packs";
    throw new CatalogError("INCOMPLETE", `the catalog ${lacks}${progressText(progress)}`);
  }
  async function rows<Result>(read: (catalog: Catalog) => Promise<Result>): Promise<Result> {
    assertWhole();
    try {
      return here(await read(await opened));
    } catch (error) {
      isAway(error);
      throw error;
    }
  }
  return {
    complete: whole,
    assertWhole,
    missing() {
      if (!isWhole) return { phase, why: away ?? why, progress };
      return away === null ? null : { phase: "away", why: away, progress: null };
    },
    rebuilt: () => progress,
    catalog: {
      apply: steady.apply,
      cursor: steady.cursor,
      fence: steady.fence,
      lease: async (name, owner, forMs) => (await opened).lease(name, owner, forMs),
      find: (query, page) => rows((catalog) => catalog.find(query, page)),
      facets: (query, fields, limit) => rows((catalog) => catalog.facets(query, fields, limit)),
      sums: (query, field, limit) => rows((catalog) => catalog.sums(query, field, limit)),
      series: (query, over) => rows((catalog) => catalog.series(query, over)),
      get: (tenant, run) => rows((catalog) => catalog.get(tenant, run)),
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
