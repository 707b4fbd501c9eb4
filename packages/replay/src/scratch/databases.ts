import { loadHooksWork } from "@reenact/capture/recorder";
import { type LoadHookSync, Module, registerHooks, type ResolveHookSync, syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import { type DatabaseClass, redirectBackup, redirectDatabase, redirectSql } from "./database-class.ts";
import { disk } from "./disk.ts";
import type { Overlay } from "./overlay.ts";
import { patch } from "./patch.ts";
import type { AnyFunction } from "./redirect-function.ts";

const BETTER = /[/\\]better-sqlite3[/\\]lib[/\\]index\.js$/;
/** where the line that is appended to a module finds us */
const SEAM = "reenact.scratch/1";
const LINE = `\nmodule.exports = process[Symbol.for("${SEAM}")]?.(module.exports) ?? module.exports;\n`;

/** Lets `node:sqlite` and `better-sqlite3` open scratch copies of files, once the program loads them. Returns the undo. */
export function redirectDatabases(overlay: Overlay, applies: () => boolean): () => void {
  const undo: (() => void)[] = [];
  let patched = false;
  const { getBuiltinModule } = process;

  // not before the program asks for it: Node warns when it loads this module
  const patchBuiltin = (): void => {
    if (patched) return;
    patched = true;
    const driver = { overlay, applies, uri: true, readOnlyOption: "readOnly" };
    const sqlite = getBuiltinModule("node:sqlite") as unknown as { DatabaseSync: DatabaseClass };
    undo.push(...redirectSql(sqlite.DatabaseSync.prototype, driver), redirectDatabase(sqlite, "DatabaseSync", driver));
    undo.push(redirectBackup(sqlite, 1, driver));
    syncBuiltinESMExports();
  };

  const patchBetter = (Database: DatabaseClass): DatabaseClass => {
    const driver = { overlay, applies, uri: false, readOnlyOption: "readonly" };
    const holder = { Database };
    undo.push(
      ...redirectSql(Database.prototype, driver),
      redirectBackup(Database.prototype, 0, driver),
      redirectDatabase(holder, "Database", driver),
    );
    return holder.Database;
  };
  const seam = Symbol.for(SEAM);
  Object.defineProperty(process, seam, { value: patchBetter, configurable: true });

  const load: LoadHookSync = (url, context, next) => {
    const loaded = next(url, context);
    if (url === "node:sqlite") patchBuiltin();
    if (!BETTER.test(url)) return loaded;
    const source = loaded.source ?? disk.readFileSync(fileURLToPath(url));
    const text = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
    return { ...loaded, source: `${text}${LINE}` };
  };
  const resolve: ResolveHookSync = (specifier, context, next) => {
    if (specifier === "node:sqlite") patchBuiltin();
    return next(specifier, context);
  };
  const hooks = registerHooks(loadHooksWork ? { load } : { resolve });
  if (!loadHooksWork)
    undo.push(
      patch(Module.prototype, "_compile", (real): AnyFunction => {
        return function (this: unknown, ...args) {
          const [text, file] = args as [string, string];
          return Reflect.apply(real, this, BETTER.test(file) ? args.with(0, `${text}${LINE}`) : args);
        };
      }),
    );
  undo.push(
    patch(process, "getBuiltinModule", (real): AnyFunction => {
      return function (this: unknown, ...args) {
        if (args[0] === "node:sqlite") patchBuiltin();
        return Reflect.apply(real, this, args);
      };
    }),
  );
  const { moduleLoadList } = process as unknown as { moduleLoadList?: string[] };
  if (moduleLoadList?.includes("NativeModule sqlite") === true) patchBuiltin();

  return () => {
    hooks.deregister();
    Reflect.deleteProperty(process, seam);
    for (const step of undo.reverse()) step();
  };
}
