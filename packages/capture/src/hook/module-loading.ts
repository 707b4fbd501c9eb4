import module, { type LoadFnOutput, type LoadHookSync, type ResolveHookSync } from "node:module";
import { live } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import { loadHooksWork } from "./load-hooks.ts";

/** What is to be done to modules as they are loaded. */
export interface LoadWatch {
  /** this specifier or URL is about to be loaded */
  asked?(url: string): void;
  /** what is loaded in place of what was read from this URL */
  loaded?(url: string, output: LoadFnOutput): LoadFnOutput;
  undo(): void;
}

/**
 * The only module hook: each one costs at every module of the agent. Loading code is our own work as far as a run is
 * concerned; and with a synchronous hook `import()` needs no macrotask of its own, so that it takes the same turns on
 * every machine.
 */
export function watchModuleLoading(watches: readonly LoadWatch[]): () => void {
  const asked = (url: string): void => {
    for (const watch of watches) guarded("modules", undefined, () => watch.asked?.(url));
  };
  const load: LoadHookSync = (url, context, next) => {
    asked(url);
    let output = live(() => next(url, context));
    for (const watch of watches) output = guarded("modules", output, () => watch.loaded?.(url, output) ?? output);
    return output;
  };
  const resolve: ResolveHookSync = (specifier, context, next) => {
    asked(specifier);
    return next(specifier, context);
  };
  const hooks = module.registerHooks(loadHooksWork ? { load } : { resolve });
  return () => {
    hooks.deregister();
    for (const watch of watches) watch.undo();
  };
}
