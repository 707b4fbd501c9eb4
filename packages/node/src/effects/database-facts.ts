import { closeSync, openSync, readSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type OpenedDatabase, recorder, type RunContext } from "@reenact/capture/recorder";
import { type ContentFacts, contentFacts, type ContentView } from "./content-facts.ts";

export interface TableFact extends Pick<ContentFacts, "sha256" | "tokens" | "keys" | "marks"> {
  rows: number;
}

/** What became of one database in a file. */
export interface DatabaseFact {
  /** redacted */
  path: string;
  before: { state: string; bytes: number; changes: string };
  /** by name: digest of the redacted rows, with the statement that made the table. Null: it was not read */
  tables: Record<string, TableFact | null>;
  /** what the file says of itself beside its tables, by the name of the pragma */
  settings?: Record<string, string | number>;
  /** why nothing of it is compared */
  unread?: string;
  /** numbers of the tool steps in whose bodies it was written; -1: outside. Absent: it was not written */
  tools?: number[];
}

export interface DatabasesFacts {
  opened: DatabaseFact[];
  /** databases that were left out because there were too many */
  dropped?: number;
}

export interface DatabaseView extends ContentView {
  shownPath(path: string): string;
  ignore(path: string): boolean;
}

/** Stands among the tables for what else the schema holds. */
const OTHERS = "(indexes, views and triggers)";
/** Pragmas of which the file keeps the value. */
const SETTINGS = ["user_version", "application_id", "auto_vacuum", "encoding", "page_size"] as const;
const WRITE_VERSION_AT = 18;
const MOST_TABLES = 200;
const MOST_ROWS = 20_000;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_TEXT = 4 * 1024 * 1024;

interface Statement {
  all(): Record<string, unknown>[];
  iterate(): Iterable<Record<string, unknown>>;
  setReadBigInts?(enabled: boolean): void;
  safeIntegers?(enabled: boolean): void;
}

interface Reader {
  prepare(sql: string): Statement;
  close(): void;
}

/** Reads every table of the databases that the run opened for writing, as they are now. */
export function databasesFacts(run: RunContext, view: DatabaseView): DatabasesFacts {
  const { databases } = run;
  const opened = databases
    .list()
    .filter(({ path }) => !view.ignore(path))
    .map((database) => factOf(database, view));
  return { opened, ...(databases.dropped > 0 && { dropped: databases.dropped }) };
}

function factOf({ path, before, driver, scopes }: OpenedDatabase, view: DatabaseView): DatabaseFact {
  const tools = [...scopes];
  const fact: DatabaseFact = {
    path: view.shownPath(path),
    before: { ...before },
    tables: {},
    ...(tools.length > 0 && { tools }),
  };
  const real = recorder.realPath(path);
  try {
    const size = statSync(real, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) return fact;
    if (size > MOST_BYTES) return { ...fact, unread: `${size} bytes` };
    if (view.scrubber.answersLater === true) return { ...fact, unread: "detectors that answer later" };
    const reader = open(real, driver);
    try {
      fact.tables = tablesOf(reader, view);
      fact.settings = { ...settingsOf(reader), write_version: writeVersion(real) };
    } finally {
      reader.close();
    }
    return fact;
  } catch {
    return { ...fact, unread: "it could not be read" };
  }
}

/** Without a log the file is opened as immutable, so that SQLite creates no file beside it. */
function open(file: string, driver: OpenedDatabase["driver"]): Reader {
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const readsUrls = driver.name === "DatabaseSync";
  const name = hasLog || !readsUrls ? file : `${pathToFileURL(file).href}?mode=ro&immutable=1`;
  return new driver(name, { readOnly: true, readonly: true }) as Reader;
}

function settingsOf(reader: Reader): Record<string, string | number> {
  const settings: Record<string, string | number> = {};
  for (const name of SETTINGS) {
    const [value] = Object.values(reader.prepare(`PRAGMA ${name}`).all()[0] ?? {});
    if (typeof value === "string" || typeof value === "number") settings[name] = value;
  }
  return settings;
}

/** 1: with a rollback journal · 2: with a write-ahead log. The pragma cannot tell: it also depends on how a file is opened. */
function writeVersion(file: string): number {
  const byte = Buffer.alloc(1);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, byte, 0, 1, WRITE_VERSION_AT);
  } finally {
    closeSync(descriptor);
  }
  return byte.readUInt8();
}

function tablesOf(reader: Reader, view: DatabaseView): DatabaseFact["tables"] {
  const schema = reader.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
  const tables: DatabaseFact["tables"] = {};
  const others = reader
    .prepare("SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY type, name")
    .all();
  const rest = contentFacts(Buffer.from(others.map(({ sql }) => String(sql)).join("\n")), view);
  if (others.length > 0) tables[OTHERS] = rest === null ? null : tableFactOf(rest, others.length);
  let count = 0;
  for (const { name, sql } of schema.all()) {
    if (typeof name !== "string" || ++count > MOST_TABLES) continue;
    const shown = view.scrubber.scrub(name).text;
    try {
      tables[shown] = tableFact(reader, name, typeof sql === "string" ? sql : "", view);
    } catch {
      tables[shown] = null;
    }
  }
  return tables;
}

function tableFact(reader: Reader, name: string, sql: string, view: DatabaseView): TableFact | null {
  const statement = reader.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
  statement.setReadBigInts?.(true);
  statement.safeIntegers?.(true);
  const lines = [sql.replaceAll("\n", " ")];
  let length = 0;
  for (const row of statement.iterate()) {
    const line = JSON.stringify(row, plain);
    length += line.length;
    if (lines.length > MOST_ROWS || length > MOST_TEXT || view.isLate()) return null;
    lines.push(line);
  }
  const facts = contentFacts(Buffer.from(lines.join("\n")), view);
  return facts === null ? null : tableFactOf(facts, lines.length - 1);
}

function tableFactOf({ sha256, tokens, keys, marks }: ContentFacts, rows: number): TableFact {
  return {
    sha256,
    rows,
    ...(tokens !== undefined && keys !== undefined && { tokens, keys }),
    ...(marks !== undefined && { marks }),
  };
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value;
}
