import type { DatabaseFact, DatabasesFacts } from "@reenact/node";
import { byRecordedPath } from "./align-paths.ts";
import type { Ledger } from "../verdict/ledger.ts";
import { isSameContent } from "./same-content.ts";

/** Compares the databases in files that a run opened for writing, table by table, as they are at the end. */
export function compareDatabases(
  ledger: Ledger,
  recorded: DatabasesFacts,
  facts: DatabasesFacts,
  isServed: (scope: number) => boolean,
): void {
  const here = byRecordedPath(ledger, recorded.opened, facts.opened);
  for (const then of recorded.opened) {
    const { path, tools = [] } = then;
    const now = here.get(path);
    const notByServed = tools.filter((scope) => scope === -1 || !isServed(scope));
    if (notByServed.length < tools.length) {
      // what a served tool wrote is not written again
      if (notByServed.length > 0 || now?.tools !== undefined)
        ledger.note(`not compared: database ${path}, which a tool that was served here wrote too`);
      continue;
    }
    compareOne(ledger, then, now ?? { path, before: then.before, tables: {} });
  }
  for (const [recordedPath, fact] of here)
    if (!recorded.opened.some(({ path }) => path === recordedPath))
      compareOne(ledger, { path: fact.path, before: fact.before, tables: {} }, fact);
}

function compareOne(ledger: Ledger, recorded: DatabaseFact, now: DatabaseFact): void {
  const { path } = recorded;
  const unread = recorded.unread ?? now.unread;
  if (unread !== undefined) return ledger.note(`not compared: database ${path} (${unread})`);
  const { before: a } = recorded;
  const { before: b } = now;
  const isSame = a.state === b.state && a.bytes === b.bytes && a.changes === b.changes;
  const isCompared = compareTables(ledger, recorded, now, isSame);
  if (isCompared) compareSettings(ledger, recorded, now, isSame);
}

/** False: the database is not compared. */
function compareTables(ledger: Ledger, recorded: DatabaseFact, now: DatabaseFact, isSame: boolean): boolean {
  const { path } = recorded;
  for (const name of Object.keys({ ...recorded.tables, ...now.tables })) {
    const then = recorded.tables[name];
    const here = now.tables[name];
    if (then === null || here === null) {
      ledger.note(`not compared: table ${name} of database ${path}, which is too large or could not be read`);
      continue;
    }
    if (isSameContent(ledger, then, here)) continue;
    if (!isSame) {
      ledger.note(hasChanged(path));
      return false;
    }
    ledger.findings.add("database-changed");
    ledger.diverged(
      null,
      null,
      "database-changed",
      { pointer: "", recorded: then ?? null, now: here ?? null },
      `database ${path}: table ${name} ${differenceOf(then, here)}`,
    );
  }
  return true;
}

function compareSettings(ledger: Ledger, recorded: DatabaseFact, now: DatabaseFact, isSame: boolean): void {
  const { path, settings: then = {} } = recorded;
  const { settings: here = {} } = now;
  for (const name of Object.keys({ ...then, ...here })) {
    const was = then[name] ?? null;
    const is = here[name] ?? null;
    if (was === is) continue;
    if (!isSame) return ledger.note(hasChanged(path));
    ledger.findings.add("database-changed");
    ledger.diverged(
      null,
      null,
      "database-changed",
      { pointer: "", recorded: was, now: is },
      `database ${path}: ${saidOf(name, is)}, recorded ${saidOf(name, was)}`,
    );
  }
}

const JOURNALS: Record<number, string> = { 1: "a rollback journal", 2: "a write-ahead log" };

function saidOf(name: string, value: string | number | null): string {
  if (value === null) return `no ${name}`;
  return name === "write_version" ? (JOURNALS[Number(value)] ?? `${name} ${value}`) : `${name} ${value}`;
}

const hasChanged = (path: string): string =>
  `not compared: database ${path}, which has changed since the recorded run opened it`;

type Table = NonNullable<DatabaseFact["tables"][string]>;

function differenceOf(then: Table | undefined, now: Table | undefined): string {
  if (then === undefined) return "is there now, and was not when recorded";
  if (now === undefined) return "was there when recorded, and is not now";
  return then.rows === now.rows
    ? `has ${rows(now)} as recorded, with other content`
    : `has ${rows(now)}, recorded ${then.rows}`;
}

const rows = ({ rows: count }: Table): string => `${count} row${count === 1 ? "" : "s"}`;
