import { type Hook, openDatabase } from "@reenact/capture/hook";

type DatabaseClass = new (path: unknown, options?: { readonly?: boolean }) => object;

/** Counts database files that `better-sqlite3` opens, and notes which tools write to them. */
export const betterSqlite3: Hook = {
  name: "databases/better-sqlite3",
  title: "database files of better-sqlite3",
  files: [{ packages: ["better-sqlite3"], path: /^lib\/index\.js$/, value: "module" }],
  patch(module: { exports: DatabaseClass }) {
    module.exports = watched(module.exports);
  },
};

function watched(Real: DatabaseClass): DatabaseClass {
  return new Proxy(Real, {
    construct: (target, args: unknown[], newTarget) =>
      openDatabase(args[0], isReadOnly(args[1]), target, () => Reflect.construct(target, args, newTarget) as object),
    apply: (target, self, args: unknown[]): unknown =>
      openDatabase(args[0], isReadOnly(args[1]), target, (): unknown =>
        Reflect.apply(target as unknown as (...args: unknown[]) => unknown, self, args),
      ),
  });
}

function isReadOnly(options: unknown): boolean {
  return typeof options === "object" && options !== null && (options as { readonly?: unknown }).readonly === true;
}
