import { registerHooks, syncBuiltinESMExports } from "node:module";
import { live } from "../context.ts";
import { guarded } from "../guard.ts";
import { watchDatabases } from "./databases.ts";

/** Loading code is our own work as far as a run is concerned; and the moment to patch a module that is loaded late. */
export function watchModuleLoading(): (() => void)[] {
  const undos: (() => void)[] = [];
  const hooks = registerHooks({
    load(url, context, next) {
      if (url === "node:sqlite") guarded("leaks", undefined, () => watchDatabases(undos));
      return live(() => next(url, context));
    },
  });
  return [
    () => hooks.deregister(),
    () => {
      for (const undo of undos.splice(0)) undo();
      syncBuiltinESMExports();
    },
  ];
}
