import fs from "node:fs";

/** Taken before any patch, so that our own calls are not counted. */
const { closeSync, openSync, readSync, statSync } = fs;

/** State of a database file when the run first opened it. */
export interface DatabaseBefore {
  readonly state: "absent" | "file";
  readonly bytes: number;
  /** SQLite's counter of changes and the size of its write-ahead log: the same as long as nothing is written */
  readonly changes: string;
}

export interface OpenedDatabase {
  /** absolute */
  readonly path: string;
  readonly before: DatabaseBefore;
  /** class of the driver that opened it */
  readonly driver: new (path: string, options: object) => object;
  /** tool steps in whose bodies it was written; -1: outside */
  readonly scopes: Set<number>;
}

const MOST = 50;
const MOST_SCOPES = 1000;
const COUNTER_AT = 24;
const COUNTER_BYTES = 4;

/** Databases in files that a run opened for writing. Bounded. */
export class OpenedDatabases {
  readonly #realPath: (path: string) => string;
  readonly #opened = new Map<string, OpenedDatabase>();
  /** databases left out because there were too many */
  dropped = 0;

  /** `realPath`: where the bytes of a file are */
  constructor(realPath: (path: string) => string) {
    this.#realPath = realPath;
  }

  opened(path: string, driver: OpenedDatabase["driver"]): void {
    if (this.#opened.has(path)) return;
    if (this.#opened.size >= MOST) this.dropped++;
    else this.#opened.set(path, { path, before: stateOf(this.#realPath(path)), driver, scopes: new Set() });
  }

  wrote(path: string, scope: number): void {
    const scopes = this.#opened.get(path)?.scopes;
    if (scopes !== undefined && scopes.size < MOST_SCOPES) scopes.add(scope);
  }

  list(): OpenedDatabase[] {
    return [...this.#opened.values()];
  }
}

function stateOf(file: string): DatabaseBefore {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  // opening an empty file and opening none comes to the same
  if (bytes === undefined || bytes === 0) return { state: "absent", bytes: 0, changes: "" };
  const counter = Buffer.alloc(COUNTER_BYTES);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, counter, 0, COUNTER_BYTES, COUNTER_AT);
  } finally {
    closeSync(descriptor);
  }
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return { state: "file", bytes, changes: `${counter.readUInt32BE()} ${log}` };
}
