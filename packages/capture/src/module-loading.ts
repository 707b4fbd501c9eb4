import fs from "node:fs";
import module, { type LoadFnOutput, type LoadHookSync, type ResolveHookSync } from "node:module";
import { fileURLToPath } from "node:url";
import { live } from "./context.ts";
import { guarded } from "./guard.ts";
import { undoAll } from "./ambient/replace-method.ts";
import { loadHooksWork } from "./load-hooks.ts";

/** What is to be done to modules as they are loaded. */
export interface LoadWatch {
  /** this specifier or URL is about to be loaded */
  asked?(url: string): void;
  /** what is loaded in place of what was read from this URL */
  loaded?(url: string, output: LoadFnOutput): LoadFnOutput;
  undo(): void;
}

const { readFileSync } = fs;

/**
 * Shows `seen` what a module has, once it is loaded: `valueIn` gives the expression for it in the module's own words, null
 * for all other modules. One more line at the module's end does it, which finds us at `process`, by `name`.
 */
export function watchModules<T>(
  name: string,
  valueIn: (url: string) => string | null,
  seen: (value: T) => void,
  undos: (() => void)[],
): LoadWatch {
  const seam = Symbol.for(`reenact.${name}/1`);
  const value = (found: T): void => guarded(name, undefined, () => seen(found));
  Object.defineProperty(process, seam, { value, configurable: true });
  return {
    loaded(url, output) {
      const expression = valueIn(url);
      if (expression === null) return output;
      const source = output.source ?? readFileSync(fileURLToPath(url));
      const text = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
      // another release may call it otherwise: the agent must not hear of that
      const line = `try { process[Symbol.for("${seam.description}")]?.(${expression}); } catch {}`;
      return { ...output, source: `${text}\n${line}\n` };
    },
    undo() {
      undoAll(undos)();
      Reflect.deleteProperty(process, seam);
    },
  };
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
