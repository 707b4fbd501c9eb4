import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { LoadWatch } from "../module-loading.ts";
import { leaked } from "./leaked.ts";

type DatabaseClass = new (path: unknown, options?: { readOnly?: boolean }) => object;

interface SqliteModule {
  DatabaseSync: DatabaseClass;
}

const watching = new WeakSet<object>();

/** Counts database files that `node:sqlite` opens, from the time when the agent loads that module: it warns then. */
export function watchSqlite(): LoadWatch {
  const undos: (() => void)[] = [];
  return {
    asked(url) {
      if (url === "node:sqlite") watchDatabases(undos);
    },
    undo() {
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
      const file = fileOf(args[0]);
      if (file !== null) leaked(args[1]?.readOnly === true ? "read" : "write", `database ${file}`);
      return Reflect.construct(target, args, newTarget === Watched ? target : newTarget) as object;
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
  const text = given instanceof URL ? fileURLToPath(given) : Buffer.isBuffer(given) ? given.toString() : given;
  return typeof text !== "string" || text === "" || text.startsWith(":memory:") ? null : resolve(text);
}
