import type { z } from "zod";
import type { RunQuery } from "../catalog/catalog.ts";
import type { Filter } from "../catalog/filter.ts";
import type { RunRow } from "../catalog/run-row.ts";
import type { RunSums } from "../catalog/run-sums.ts";
import type { ReadDeps } from "./api-deps.ts";
import { filterOf } from "./list-runs.ts";
import { openFitting } from "./open-fitting.ts";
import type { errorsAnswer, errorsQuery } from "./sums-schema.ts";

type Deps = Pick<ReadDeps, "catalog" | "open" | "now">;
type ErrorGroup = z.infer<typeof errorsAnswer>["errors"][number];
type Counted = ErrorGroup["agents"][number];

/** Groups whose agents and versions are counted. */
const MOST_DETAILED = 50;
const MOST_VALUES = 10;
/** Versions that can be asked for. */
const MOST_VERSIONS = 20;

const both = (a: Filter, b: Filter): Filter => ({ is: "all", of: [a, b] });
const among = (values: readonly string[]): Filter => ({ is: "one-of", field: "fingerprint", values });

/** Runs that failed in the same way, the newest group first; runs in no pack yet count, too. Throws `BAD_FILTER`. */
export async function errorGroups(
  deps: Deps,
  tenant: string,
  query: z.infer<typeof errorsQuery>,
): Promise<z.infer<typeof errorsAnswer>> {
  const { catalog, now = Date.now } = deps;
  const filter = filterOf(query, now());
  // in this order: a run that is packed meanwhile counts
  const live = await openFitting(deps, tenant, filter);
  const failed = Map.groupBy(
    live.rows.filter(({ error }) => error !== null),
    ({ error }) => error!.fingerprint,
  );
  const sums = new Map(
    (await catalog.sums({ tenant, filter }, "fingerprint", query.limit)).map((each) => [each.value, each]),
  );
  const newest = (fingerprint: string) =>
    Math.max(sums.get(fingerprint)?.last ?? 0, ...(failed.get(fingerprint) ?? []).map(({ started }) => started));
  const order = [...new Set([...sums.keys(), ...failed.keys()])]
    .toSorted((a, b) => newest(b) - newest(a) || (a < b ? -1 : 1))
    .slice(0, query.limit);
  const versions = await versionsOf(deps, tenant);
  const since = versions.find(({ version }) => version === query.since)?.first ?? null;
  const before = since === null ? new Set<string>() : await seenBefore(deps, tenant, { fingerprints: order, since });
  const errors = await Promise.all(
    order.map(async (fingerprint, at): Promise<ErrorGroup> => {
      const rows = (failed.get(fingerprint) ?? []).toSorted((a, b) => b.started - a.started);
      const of = { tenant, filter: both(filter, among([fingerprint])) };
      const packed = await packedGroup(catalog, of, { sums: sums.get(fingerprint), detailed: at < MOST_DETAILED });
      const [first, last] = [rows.at(-1)?.started ?? Infinity, newest(fingerprint)];
      return {
        fingerprint,
        ...shownOf([...rows.slice(0, 1), ...packed.newest]),
        runs: packed.runs + rows.length,
        first: Math.min(packed.first, first),
        last,
        agents: counted(packed.agents, rows, ({ name }) => name),
        versions: counted(packed.versions, rows, ({ version }) => version),
        isNew: since === null ? null : !before.has(fingerprint),
      };
    }),
  );
  return { schemaVersion: 1, errors, versions, since, exact: live.exact };
}

/** What the catalog knows of the runs of one group. */
async function packedGroup(
  catalog: Deps["catalog"],
  of: RunQuery,
  { sums, detailed }: { readonly sums: RunSums | undefined; readonly detailed: boolean },
) {
  if (sums === undefined) return { runs: 0, first: Infinity, newest: [], agents: [], versions: [] };
  const { rows: newest } = await catalog.find(of, { limit: 1 });
  const counts = detailed ? await catalog.facets(of, ["name", "version"], MOST_VALUES) : {};
  return { runs: sums.runs, first: sums.first, newest, agents: counts.name, versions: counts.version };
}

/** Error and id of the newest of some runs. */
function shownOf(runs: readonly RunRow[]): Pick<ErrorGroup, "class" | "message" | "newest"> {
  const [row] = runs.toSorted((a, b) => b.started - a.started);
  return { class: row?.error?.class ?? "", message: row?.error?.message ?? "", newest: row?.run ?? "" };
}

/** Versions by their first run, the newest first. */
async function versionsOf({ catalog, open }: Deps, tenant: string) {
  const everything: Filter = { is: "all", of: [] };
  const first = new Map<string, number>();
  const { rows } = await openFitting({ catalog, open }, tenant, everything);
  const known = await catalog.sums({ tenant, filter: everything }, "version", MOST_VERSIONS);
  for (const { value, first: started } of known) first.set(value, started);
  for (const { version, started } of rows)
    if (version !== null) first.set(version, Math.min(first.get(version) ?? Infinity, started));
  const all = [...first].map(([version, started]) => ({ version, first: started }));
  return all.toSorted((a, b) => b.first - a.first).slice(0, MOST_VERSIONS);
}

/** Those of the groups that have a run from before that time, whatever the filter of the page hides. */
async function seenBefore(
  { catalog, open }: Deps,
  tenant: string,
  { fingerprints, since }: { readonly fingerprints: readonly string[]; readonly since: number },
): Promise<Set<string>> {
  const filter = both(among(fingerprints), { is: "number", field: "started", op: "<", value: since });
  const live = await openFitting({ catalog, open }, tenant, filter);
  const packed = await catalog.sums({ tenant, filter }, "fingerprint", Math.max(1, fingerprints.length));
  return new Set([...packed.map(({ value }) => value), ...live.rows.flatMap(({ error }) => error?.fingerprint ?? [])]);
}

function counted(
  packed: readonly Counted[] = [],
  rows: readonly RunRow[],
  of: (row: RunRow) => string | null,
): Counted[] {
  const runs = new Map(packed.map(({ value, runs: known }) => [value, known]));
  for (const value of rows.flatMap((row) => of(row) ?? [])) runs.set(value, (runs.get(value) ?? 0) + 1);
  const all = [...runs].map(([value, known]) => ({ value, runs: known }));
  return all.toSorted((a, b) => b.runs - a.runs || (a.value < b.value ? -1 : 1)).slice(0, MOST_VALUES);
}
