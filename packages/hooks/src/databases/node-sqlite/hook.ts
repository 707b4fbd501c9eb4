import { syncBuiltinESMExports } from "node:module";
import { forgetWrites, type Hook, openDatabase } from "@reenact/capture/hook";

type DatabaseClass = new (path: unknown, options?: { readOnly?: boolean }) => object;

interface SqliteModule {
  DatabaseSync: DatabaseClass;
}

const patched = new WeakSet<object>();

/** Counts database files that `node:sqlite` opens, from the time when the agent loads that module: it warns then. */
export const nodeSqlite: Hook = {
  name: "databases/node-sqlite",
  title: "database files of node:sqlite",
  builtin: "node:sqlite",
  patch(sqlite: SqliteModule, undos) {
    const Real = sqlite.DatabaseSync;
    if (patched.has(Real)) return;
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
    patched.add(Watched);
    put(sqlite, Real, Watched);
    undos.push(() => {
      forgetWrites();
      put(sqlite, Real, Real);
      syncBuiltinESMExports();
    });
  },
};

function put(sqlite: SqliteModule, Real: DatabaseClass, value: DatabaseClass): void {
  sqlite.DatabaseSync = value;
  const constructor = { value, writable: true, configurable: true, enumerable: false };
  Object.defineProperty(Real.prototype, "constructor", constructor);
}
