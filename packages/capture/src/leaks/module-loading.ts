import module, { type LoadHookSync, type ResolveHookSync, syncBuiltinESMExports } from "node:module";
import { live } from "../context.ts";
import { guarded } from "../guard.ts";
import { loadHooksWork } from "../load-hooks.ts";
import { watchDatabases } from "./databases.ts";

/** Loading code is our own work as far as a run is concerned; and the moment to patch a module that is loaded late. */
export function watchModuleLoading(): (() => void)[] {
  const undos: (() => void)[] = [];
  const asked = (url: string): void => {
    if (url === "node:sqlite") guarded("leaks", undefined, () => watchDatabases(undos));
  };
  const load: LoadHookSync = (url, context, next) => {
    asked(url);
    return live(() => next(url, context));
  };
  const resolve: ResolveHookSync = (specifier, context, next) => {
    asked(specifier);
    return next(specifier, context);
  };
  const hooks = module.registerHooks(loadHooksWork ? { load } : { resolve });
  return [
    () => hooks.deregister(),
    () => {
      for (const undo of undos.splice(0)) undo();
      syncBuiltinESMExports();
    },
  ];
}
