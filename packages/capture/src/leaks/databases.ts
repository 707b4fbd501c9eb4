import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";
import { effectFrame } from "../context.ts";
import { guarded } from "../guard.ts";
import { type LoadWatch, watchModules } from "../module-loading.ts";
import { forgetWrites, watchWrites } from "./database-writes.ts";
import { leaked } from "./leaked.ts";
import type { OpenedDatabase } from "./opened-databases.ts";

type DatabaseClass = new (path: unknown, options?: { readOnly?: boolean }) => object;

interface SqliteModule {
  DatabaseSync: DatabaseClass;
}

const BETTER = /[/\\]better-sqlite3[/\\]lib[/\\]index\.js$/;

const watching = new WeakSet<object>();
/** A driver may open through another one, and a replay's scratch copies do: only the outermost call is the agent's. */
let inside = false;

/** Makes a call of the agent's that opens a database, and counts the file; `driver`: the class that can open it again. */
export function openDatabase<T>(
  given: unknown,
  isReadOnly: boolean,
  driver: OpenedDatabase["driver"],
  call: () => T,
): T {
  const frame = effectFrame();
  const file = inside || frame === null ? null : fileOf(given);
  if (file === null || frame === null) return call();
  inside = true;
  try {
    if (driver.name === "DatabaseSync") leaked(isReadOnly ? "read" : "write", `database ${file}`);
    if (!isReadOnly) guarded("databases", undefined, () => frame.run?.databases.opened(file, driver));
    const made = call();
    const isWatched = guarded("databases", false, () => watchWrites(made as object, file));
    // writes of a driver of another shape are not seen: opening for writing counts as one
    if (!isReadOnly && !isWatched) guarded("databases", undefined, () => frame.run?.databases.wrote(file, frame.scope));
    return made;
  } finally {
    inside = false;
  }
}

/** Counts database files that `better-sqlite3` opens. */
export function watchBetterSqlite(): LoadWatch {
  const watched = (Real: DatabaseClass): DatabaseClass =>
    new Proxy(Real, {
      construct: (target, args: unknown[], newTarget) =>
        openDatabase(args[0], isReadOnly(args[1]), target, () => Reflect.construct(target, args, newTarget) as object),
      apply: (target, self, args: unknown[]): unknown =>
        openDatabase(args[0], isReadOnly(args[1]), target, (): unknown =>
          Reflect.apply(target as unknown as (...args: unknown[]) => unknown, self, args),
        ),
    });
  return watchModules<{ exports: DatabaseClass }>(
    "databases",
    (url) => (BETTER.test(url) ? "module" : null),
    (module) => {
      module.exports = watched(module.exports);
    },
    [],
  );
}

function isReadOnly(options: unknown): boolean {
  return typeof options === "object" && options !== null && (options as { readonly?: unknown }).readonly === true;
}

/** Counts database files that `node:sqlite` opens, from the time when the agent loads that module: it warns then. */
export function watchSqlite(): LoadWatch {
  const undos: (() => void)[] = [];
  return {
    asked(url) {
      if (url === "node:sqlite") watchDatabases(undos);
    },
    undo() {
      forgetWrites();
      for (const undo of undos.splice(0)) undo();
      syncBuiltinESMExports();
    },
  };
}

function watchDatabases(undos: (() => void)[]): void {
  const sqlite = process.getBuiltinModule("node:sqlite") as unknown as SqliteModule;
  const Real = sqlite.DatabaseSync;
  if (watching.has(Real)) return;
  const Watched: DatabaseClass = new Proxy(Real, {
    construct(target, args: [unknown, { readOnly?: boolean }?], newTarget) {
      return openDatabase(
        args[0],
        args[1]?.readOnly === true,
        target,
        () => Reflect.construct(target, args, newTarget === Watched ? target : newTarget) as object,
      );
    },
  });
  watching.add(Watched);
  sqlite.DatabaseSync = Watched;
  Object.defineProperty(Real.prototype, "constructor", {
    value: Watched,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  undos.push(() => {
    sqlite.DatabaseSync = Real;
    Object.defineProperty(Real.prototype, "constructor", {
      value: Real,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  });
}

/** null: a database in memory, or a temporary one. */
function fileOf(given: unknown): string | null {
  const text = given instanceof URL ? given.href : Buffer.isBuffer(given) ? given.toString() : given;
  if (typeof text !== "string" || text === "" || text.startsWith(":memory:")) return null;
  if (!text.startsWith("file:")) return resolve(text);
  const [path = "", query = ""] = text
    .slice("file:".length)
    .replace(/^\/\/[^/]*/, "")
    .split("?");
  const isInMemory = path === "" || path === ":memory:" || new URLSearchParams(query).get("mode") === "memory";
  return isInMemory ? null : resolve(decodeURIComponent(path));
}
