import type { CatalogChange } from "../catalog.ts";
import { type ChangeOutcome, isInConflict, isRemovalInConflict } from "../change-outcome.ts";
import type { FacetChange } from "../facet-changes.ts";
import { LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS } from "../filter.ts";
import { comparable, LIST_OF, NUMBER_OF, TEXT_OF } from "../row-fields.ts";
import { runNotes } from "../run-note.ts";
import type { RunRow } from "../run-row.ts";
import { type GatheredChange, gatherChanges, type GatheredRun, keyOfRun } from "./postgres-gather.ts";
import { keyText } from "./postgres-key.ts";
import { monthOf } from "./postgres-month.ts";
import { type NewRow, planRuns, type StoredRun } from "./postgres-plan.ts";
import type { Ask, PostgresPool, SqlValue } from "./postgres-pool.ts";
import { indexedText } from "./postgres-words.ts";

/** A column of `runs`, the type of its values in a statement, and what a row has in it. */
interface Column {
  readonly name: string;
  readonly type: string;
  /** the value from `u.<column>`; default: as it is */
  readonly value?: string;
  of(row: NewRow): string | number | null;
}

const orNull = (text: string | null) => (text === null ? null : keyText(text));
/** One text for many: a statement cannot be given lists of different lengths in one list. */
const listText = (values: readonly string[]) =>
  `{${values.map((each) => `"${each.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
const asList = (name: string) => `u."${name}"::text[]`;

const COLUMNS: readonly Column[] = [
  { name: "month", type: "int", of: ({ month }) => month },
  { name: "tenant", type: "text", of: ({ row }) => comparable(row.tenant) },
  { name: "revision", type: "int", of: ({ row }) => row.revision },
  { name: "complete", type: "int", value: `u."complete" = 1`, of: ({ row }) => (row.complete ? 1 : 0) },
  ...TEXT_FIELDS.map((name): Column => ({ name, type: "text", of: ({ row }) => orNull(TEXT_OF[name](row)) })),
  ...NUMBER_FIELDS.map((name): Column => ({ name, type: "float8", of: ({ row }) => NUMBER_OF[name](row) })),
  ...LIST_FIELDS.map((name): Column => ({
    name,
    type: "text",
    value: asList(name),
    of: ({ row }) => listText([...new Set(LIST_OF[name](row).map(keyText))]),
  })),
  { name: "row", type: "text", value: `u."row"::json`, of: ({ row }) => JSON.stringify(row) },
  {
    name: "words",
    type: "text",
    value: `array_to_tsvector(${asList("words")})`,
    of: ({ text }) => (text === undefined ? null : listText(indexedText(text).lexemes)),
  },
  {
    name: "word_text",
    type: "text",
    of: ({ text }) => (text === undefined ? null : indexedText(text).words),
  },
];
/** Rows of one statement: a text of all values is made, and each row may bring 64 KiB of words. */
const AT_ONCE = 500;
const KEY: readonly string[] = ["run", "tenant", "month"];
/** Full text stays where none is given. */
const KEPT: readonly string[] = ["words", "word_text"];
const names = COLUMNS.map(({ name }) => `"${name}"`);
const PUT = `
INSERT INTO runs (${names.join(", ")}, changed)
SELECT ${COLUMNS.map(({ name, value }) => value ?? `u."${name}"`).join(", ")}, $${COLUMNS.length + 1}::bigint + u.n
FROM unnest(${COLUMNS.map(({ type }, n) => `$${n + 1}::${type}[]`).join(", ")}) WITH ORDINALITY AS u (${names.join(", ")}, n)
ON CONFLICT (run, tenant, month) DO UPDATE SET changed = excluded.changed, ${COLUMNS.filter(
  ({ name }) => !KEY.includes(name),
)
  .map(({ name }) =>
    KEPT.includes(name) ? `"${name}" = coalesce(excluded."${name}", runs."${name}")` : `"${name}" = excluded."${name}"`,
  )
  .join(", ")}`;

interface Deps {
  readonly pool: PostgresPool;
  readonly months: { ensure(months: Iterable<number>): Promise<void> };
}

/**
 * Applies the changes one after another, in one transaction and by few statements. Tells of each what
 * became of it.
 */
export async function applyChanges(
  { pool, months }: Deps,
  changes: readonly CatalogChange[],
): Promise<ChangeOutcome[]> {
  const now = Date.now();
  const rows = changes.flatMap(({ upsert }) => upsert ?? []);
  await months.ensure(new Set(rows.map(({ row }) => monthOf(row.started, now))));
  return pool.transaction(async (ask) => {
    const epochs = await lockFences(ask, changes);
    const isOwner = ({ fence }: CatalogChange) => fence === undefined || epochs.get(fence.name) === fence.epoch;
    const candidates = changes.filter(isOwner);
    const all = gatherChanges(candidates).runs;
    const last = await lockRuns(ask, all.length);
    const stored = await storedRuns(ask, all);
    const refused = conflictsOf(candidates, stored);
    const gathered = gatherChanges(candidates.filter((each) => !refused.has(each)));
    await changeRuns(ask, gathered.runs, { stored, last, now });
    await changeCursors(ask, gathered);
    return changes.map((each) => (!isOwner(each) ? "fenced" : refused.has(each) ? "conflict" : "applied"));
  });
}

/** Keeps every other writer of rows waiting until this transaction ends, and takes so many numbers for changes behind the one that it gives. */
async function lockRuns(ask: Ask, runs: number): Promise<number> {
  if (runs === 0) return 0;
  const [counter] = await ask<{ last: number }>(
    "UPDATE changes SET last = last + $1::int RETURNING (last - $1::int)::float8 AS last",
    [runs],
  );
  return counter?.last ?? 0;
}

/** The changes that are refused for what is stored; each is applied behind those before it. */
function conflictsOf(
  changes: readonly CatalogChange[],
  stored: ReadonlyMap<string, StoredRun>,
): ReadonlySet<CatalogChange> {
  const refused = new Set<CatalogChange>();
  const latest = new Map<string, RunRow | null>();
  for (const change of changes) {
    const rows = (change.upsert ?? []).map((each) => ({ each, key: keyOfRun(each.row.tenant, each.row.run) }));
    const gone = (change.remove ?? []).map((each) => ({ each, key: keyOfRun(each.tenant, each.run) }));
    const before = (key: string) => (latest.has(key) ? latest.get(key) : stored.get(key)?.row);
    if (
      rows.some(({ each, key }) => isInConflict(each, before(key))) ||
      gone.some(({ each, key }) => isRemovalInConflict(each, before(key)))
    ) {
      refused.add(change);
      continue;
    }
    // a row of a lower revision changes nothing
    for (const { each, key } of rows) if ((before(key)?.revision ?? -1) <= each.row.revision) latest.set(key, each.row);
    for (const { key } of gone) latest.set(key, null);
  }
  return refused;
}

/** The epochs of the fences of these changes. None is taken before the transaction has ended. */
async function lockFences(ask: Ask, changes: readonly CatalogChange[]): Promise<Map<string, number>> {
  const wanted = [...new Set(changes.flatMap(({ fence }) => fence?.name ?? []))];
  if (wanted.length === 0) return new Map();
  const found = await ask<{ name: string; epoch: number }>(
    "SELECT name, epoch::float8 AS epoch FROM fences WHERE name = ANY($1::text[]) ORDER BY name FOR SHARE",
    [wanted],
  );
  return new Map(found.map(({ name, epoch }) => [name, epoch]));
}

async function changeRuns(
  ask: Ask,
  runs: readonly GatheredRun[],
  {
    stored,
    last,
    now,
  }: { readonly stored: ReadonlyMap<string, StoredRun>; readonly last: number; readonly now: number },
): Promise<void> {
  if (runs.length === 0) return;
  const { put, gone, moved, facets } = planRuns(runs, stored, now);
  if (gone.length > 0) await removeRuns(ask, gone);
  // the row goes to the other partition
  for (const { from, to } of moved)
    await ask("UPDATE runs SET month = $1 WHERE month = $2 AND run = $3 AND tenant = $4", [
      to,
      from.month,
      comparable(from.row.run),
      comparable(from.row.tenant),
    ]);
  for (let at = 0; at < put.length; at += AT_ONCE) {
    const some = put.slice(at, at + AT_ONCE);
    await ask(PUT, [...COLUMNS.map(({ of }) => some.map(of)), last + at]);
  }
  if (put.length > 0) {
    await ask(
      `INSERT INTO run_months (run, tenant, month) SELECT * FROM unnest($1::text[], $2::text[], $3::int[])
       ON CONFLICT (run, tenant) DO UPDATE SET month = excluded.month WHERE run_months.month <> excluded.month`,
      [...keysOf(put), put.map(({ month }) => month)],
    );
  }
  await changeFacets(ask, facets);
}

const keysOf = (runs: readonly { readonly row: Pick<RunRow, "run" | "tenant"> }[]): [SqlValue, SqlValue] => [
  runs.map(({ row }) => comparable(row.run)),
  runs.map(({ row }) => comparable(row.tenant)),
];

async function storedRuns(ask: Ask, runs: readonly GatheredRun[]): Promise<Map<string, StoredRun>> {
  if (runs.length === 0) return new Map();
  const found = await ask<{ n: string; row: RunRow; month: number }>(
    `SELECT u.n, r.row, r.month FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u (run, tenant, n)
     JOIN run_months m ON m.run = u.run AND m.tenant = u.tenant
     JOIN runs r ON r.month = m.month AND r.run = m.run AND r.tenant = m.tenant`,
    keysOf(runs.map(({ run, tenant }) => ({ row: { run, tenant } }))),
  );
  return new Map(found.map(({ n, row, month }) => [runs[Number(n) - 1]!.key, { row, month }]));
}

async function removeRuns(ask: Ask, gone: readonly StoredRun[]): Promise<void> {
  const keys = keysOf(gone);
  await ask(
    `DELETE FROM runs r USING unnest($1::text[], $2::text[], $3::int[]) u (run, tenant, month)
     WHERE r.month = u.month AND r.run = u.run AND r.tenant = u.tenant`,
    [...keys, gone.map(({ month }) => month)],
  );
  await ask(
    `DELETE FROM run_months m USING unnest($1::text[], $2::text[]) u (run, tenant) WHERE m.run = u.run AND m.tenant = u.tenant`,
    keys,
  );
}

async function changeFacets(ask: Ask, changes: readonly FacetChange[]): Promise<void> {
  if (changes.length === 0) return;
  const key = [0, 1, 2, 3].map((at) => changes.map((each) => keyText(each.key[at]!)));
  await ask(
    `INSERT INTO facet_counts (tenant, field, value, status, runs)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
     ON CONFLICT (tenant, field, value, status) DO UPDATE SET runs = facet_counts.runs + excluded.runs`,
    [...key, changes.map(({ runs }) => runs)],
  );
  if (!changes.some(({ runs }) => runs < 0)) return;
  await ask(
    `DELETE FROM facet_counts c USING unnest($1::text[], $2::text[], $3::text[], $4::text[]) u (tenant, field, value, status)
     WHERE c.tenant = u.tenant AND c.field = u.field AND c.value = u.value AND c.status = u.status AND c.runs = 0`,
    key,
  );
}

async function changeCursors(ask: Ask, { runs, cursors }: GatheredChange): Promise<void> {
  const notes = runs.filter(({ removed }) => removed).map(({ tenant, run }) => runNotes(tenant, run));
  if (notes.length > 0)
    await ask(
      `DELETE FROM cursors c USING unnest($1::text[], $2::text[]) u (first, behind)
       WHERE c.name >= u.first AND c.name < u.behind`,
      [notes.map(([first]) => first), notes.map(([, behind]) => behind)],
    );
  if (cursors.size > 0)
    await ask(
      `INSERT INTO cursors (name, value) SELECT * FROM unnest($1::text[], $2::text[])
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [[...cursors.keys()], [...cursors.values()]],
    );
}
