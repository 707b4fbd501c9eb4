import { randomBytes } from "node:crypto";
import type { Catalog, CatalogChange } from "../../catalog/catalog.ts";
import type { RunRow } from "../../catalog/run-row.ts";
import type { OpenChanges, OpenRuns } from "../unpacked-runs.ts";

/** A run that was seen to change; `row` null: it is gone. */
export interface RunChange {
  readonly seq: number;
  readonly tenant: string;
  readonly run: string;
  readonly row: RunRow | null;
}

/** Tells of runs as they change: the sealed ones at once, those still open within a moment. */
export interface RunFeed {
  /** a catalog whose changes are told of */
  watch(catalog: Catalog): Catalog;
  /** Names the place behind the last change. */
  place(): string;
  /** The changes after a place. Null: the place is too old, or of another process. */
  since(place: string, tenant: string): readonly RunChange[] | null;
  /** Calls back for every change of a tenant until the result is called; `again`: also for all open runs, as they are now. */
  follow(tenant: string, told: (change: RunChange) => void, again?: boolean): () => void;
  close(): void;
}

/** Changes that can be asked for again. */
const REMEMBERED = 1000;
const LOOK = 500;
/** Open runs that are looked into at a time. */
const MOST_LOOKED_AT = 50;

export function createRunFeed(
  open: Pick<OpenChanges, "changes"> & Pick<OpenRuns, "rows">,
  { lookMs = LOOK } = {},
): RunFeed {
  const epoch = randomBytes(6).toString("hex");
  const remembered: RunChange[] = [];
  const followers = new Map<string, Set<(change: RunChange) => void>>();
  /** by tenant: what each of its open runs was when it was looked at last */
  const seen = new Map<string, Map<string, string>>();
  let last = 0;
  let timer: NodeJS.Timeout | null = null;

  const versionsOf = (tenant: string) => new Map(open.changes(tenant).map(({ run, version }) => [run, version]));

  function tell(tenant: string, run: string, row: RunRow | null): void {
    const change = { seq: ++last, tenant, run, row };
    remembered.push(change);
    if (remembered.length > REMEMBERED) remembered.shift();
    for (const told of followers.get(tenant) ?? []) told(change);
  }

  /** Only while somebody follows: with none of them it costs nothing. */
  async function look(): Promise<void> {
    for (const tenant of followers.keys()) {
      const before = seen.get(tenant) ?? new Map<string, string>();
      const now = versionsOf(tenant);
      const changed = [...now].filter(([run, version]) => before.get(run) !== version);
      // the others are looked at next time
      for (const [run] of changed.splice(MOST_LOOKED_AT)) {
        const old = before.get(run);
        if (old === undefined) now.delete(run);
        else now.set(run, old);
      }
      seen.set(tenant, now);
      for (const [run] of changed) for (const row of await open.rows(tenant, run)) tell(tenant, run, row);
    }
  }

  const turn = () => {
    timer = setTimeout(() => {
      look()
        // a run that was sealed while it was looked at is told of by the catalog
        .catch(() => {})
        .finally(() => {
          if (timer !== null) turn();
        });
    }, lookMs).unref();
  };
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    seen.clear();
  };

  return {
    watch: (catalog) => ({
      ...catalog,
      async apply(change: CatalogChange) {
        await catalog.apply(change);
        for (const { row } of change.upsert ?? []) tell(row.tenant, row.run, row);
        for (const { tenant, run } of change.remove ?? []) tell(tenant, run, null);
      },
    }),
    place: () => `${epoch}-${last}`,
    since(place, tenant) {
      const [of, text = ""] = place.split("-");
      if (of !== epoch || !/^[0-9]{1,15}$/.test(text)) return null;
      const from = Number(text);
      if (from > last || from < last - remembered.length) return null;
      return remembered.filter((change) => change.seq > from && change.tenant === tenant);
    },
    follow(tenant, told, again = false) {
      const mine = followers.get(tenant) ?? new Set();
      // what is open when the first one comes, that one reads from the list
      if (again) seen.set(tenant, new Map());
      else if (!seen.has(tenant)) seen.set(tenant, versionsOf(tenant));
      followers.set(tenant, mine.add(told));
      if (timer === null) turn();
      return () => {
        mine.delete(told);
        if (mine.size === 0) {
          followers.delete(tenant);
          seen.delete(tenant);
        }
        if (followers.size === 0) stop();
      };
    },
    close: stop,
  };
}
