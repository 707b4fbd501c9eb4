import module, { type LoadHookSync, type ResolveHookSync } from "node:module";
import { pathToFileURL } from "node:url";
import { fault, guarded, warnOnce } from "../fault/faults.ts";
import { noteReceiver, runJob } from "../inbound/inbound-job.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { live } from "../run/context.ts";
import { recorder } from "../run/recorder.ts";
import type { CarriedOut, HandlerJobs, HandlerPlace } from "./handler-jobs.ts";
import type { Hook } from "./hook.ts";
import type { AnyFunction } from "./hooked-file.ts";
import { loadHooksWork } from "./load-hooks.ts";

/** What a line in a program's file, and a module that stands before it, find the recorder by. */
const SEAM = Symbol.for("reenact.handlers/1");
/** Behind the URL of a file: the module that stands before it. */
const BEFORE = "?reenact.handler";

interface Seam {
  /** the watched function among the exports of a module, or what the module has under that name */
  watched(row: string, exported: object, place: HandlerPlace): unknown;
  /** puts it among the exports of a CommonJS module */
  replace(row: string, owner: { exports: unknown }, place: HandlerPlace): void;
}

/**
 * Makes each call of a function that a platform's runtime loads a run. Where the environment names such a function, its file is
 * watched: a module that is imported has another one before it with the same exports, so that stacks and `import.meta` of the program
 * stay as they are; one that is required gets a line at its end.
 */
export function watchHandlers(hooks: readonly Hook[]): () => void {
  const state = { active: true };
  const known = new WeakMap<AnyFunction, AnyFunction>();
  const rows = new Map(hooks.flatMap(({ name, handler }) => (handler === undefined ? [] : [[name, handler] as const])));
  const watched: Seam["watched"] = (row, exported, place) => {
    const own = exportOf(exported, place.name);
    const source = rows.get(row);
    if (typeof own !== "function" || source === undefined) return own;
    const handler = own as AnyFunction;
    let found = known.get(handler);
    if (found === undefined) {
      const called = { ...place };
      found = watchedHandler(source, handler, called, state);
      known.set(handler, found).set(found, found);
      const { by } = source;
      const call = found;
      guarded("hooks", undefined, () =>
        noteReceiver({
          by,
          from: place.from,
          isOnly: true,
          deliver(job, from) {
            // it may have another name here, where no platform gives it one
            called.from = from;
            return Reflect.apply(call, undefined, source.given(job, handler));
          },
        }),
      );
    }
    return found;
  };
  const replace: Seam["replace"] = (row, owner, place) => {
    const { exports } = owner;
    if (typeof exports !== "object" || exports === null) return;
    const found = watched(row, exports, place);
    if (found === undefined || found === Reflect.get(exports, place.name)) return;
    if (Reflect.set(exports, place.name, found) && Reflect.get(exports, place.name) === found) return;
    // a bundler has made them getters
    const value = { value: found, enumerable: true, configurable: true, writable: true };
    const all = { ...Object.getOwnPropertyDescriptors(exports), [place.name]: value };
    owner.exports = Object.create(Object.getPrototypeOf(exports) as object | null, all);
  };
  const seam: Seam = {
    watched: (row, exported, place) =>
      guarded("hooks", exportOf(exported, place.name), () => watched(row, exported, place)),
    replace: (row, owner, place) => guarded("hooks", undefined, () => replace(row, owner, place)),
  };
  Object.defineProperty(process, SEAM, { value: seam, configurable: true });
  const undos = [...rows].map(([row, source]) => {
    const place = guarded("hooks", null, () => live(() => source.place({ ...process.env })));
    return place === null ? () => {} : watchFile(row, place);
  });
  return () => {
    state.active = false;
    for (const undo of undos) undo();
    Reflect.deleteProperty(process, SEAM);
  };
}

/** The watched function among the exports of a module, for what loads it by itself; without the recorder, the function. */
export function watchedExport(row: string, exported: object, place: HandlerPlace): unknown {
  const seam = Reflect.get(process, SEAM) as Seam | undefined;
  return seam === undefined ? exportOf(exported, place.name) : seam.watched(row, exported, place);
}

function exportOf(exported: object, name: string): unknown {
  const own: unknown = Reflect.get(exported, name);
  const fallback: unknown = Reflect.get(exported, "default");
  if (own !== undefined || typeof fallback !== "object" || fallback === null) return own;
  return Reflect.get(fallback, name);
}

/** Watches the file as it is loaded. */
function watchFile(row: string, place: HandlerPlace): () => void {
  if (!loadHooksWork) {
    warnOnce(`handler:${row}`, `calls of ${place.name} are not recorded: that takes Node 22.17 or 24.1`);
    return () => {};
  }
  const urls = new Set(place.endings.map((ending) => pathToFileURL(place.file + ending).href));
  const given = `${JSON.stringify(row)}, %, ${JSON.stringify(place)}`;
  const resolve: ResolveHookSync = (specifier, context, next) => {
    const out = next(specifier, context);
    const isImport = context.conditions.includes("import") && context.parentURL?.endsWith(BEFORE) !== true;
    return isImport && urls.has(out.url) ? { ...out, url: out.url + BEFORE, format: "module" } : out;
  };
  const load: LoadHookSync = (url, context, next) => {
    if (url.endsWith(BEFORE) && urls.has(url.slice(0, -BEFORE.length)))
      return { format: "module", source: moduleBefore(url.slice(0, -BEFORE.length), place, given), shortCircuit: true };
    const output = next(url, context);
    if (!urls.has(url) || output.format !== "commonjs" || !output.source) return output;
    const { source } = output;
    const text = typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
    const line = `process[Symbol.for("reenact.handlers/1")]?.replace(${given.replace("%", "module")});`;
    return { ...output, source: `${text}\n${line}\n` };
  };
  const hooks = module.registerHooks({ resolve, load });
  return () => hooks.deregister();
}

function moduleBefore(url: string, { name }: HandlerPlace, given: string): string {
  const own = JSON.stringify(url);
  const seam = `process[Symbol.for("reenact.handlers/1")]?.watched(${given.replace("%", "own")})`;
  return [
    `import * as own from ${own};`,
    `export * from ${own};`,
    ...(name === "default" ? [] : ["export default own.default;"]),
    `const watched = ${seam} ?? own[${JSON.stringify(name)}];`,
    `export { watched as ${JSON.stringify(name)} };`,
  ].join("\n");
}

function watchedHandler(
  source: HandlerJobs,
  handler: AnyFunction,
  place: { readonly from: string },
  state: { readonly active: boolean },
): AnyFunction {
  const { by } = source;
  return copyFunctionProperties(function (this: unknown, ...args: unknown[]): unknown {
    const call = (given: readonly unknown[]): unknown => Reflect.apply(handler, this, given);
    if (!state.active) return call(args);
    let carried: CarriedOut | null = null;
    const settled = runJob(
      () => ({ by, from: place.from, ...source.read(args, handler) }),
      () => {
        carried = carryOut(source, call, args, handler);
        return carried.outcome;
      },
    );
    const { give } = carried as unknown as CarriedOut;
    const whole = recorder.flush === null ? settled : flushed(settled);
    return give === undefined ? whole : give(whole);
  }, handler);
}

/** The function is called once, and what it returns or throws counts, whatever fails in the code around it. */
function carryOut(
  source: HandlerJobs,
  call: (given: readonly unknown[]) => unknown,
  args: readonly unknown[],
  handler: AnyFunction,
): CarriedOut {
  let returned: { readonly value: unknown } | null = null;
  let threw: { readonly error: unknown } | null = null;
  const watched = (given: readonly unknown[]): unknown => {
    try {
      const value = call(given);
      returned = { value };
      return value;
    } catch (error) {
      threw = { error };
      throw error;
    }
  };
  try {
    return source.carryOut(watched, args, handler);
  } catch (error) {
    const thrown = threw as { readonly error: unknown } | null;
    if (thrown !== null) throw thrown.error;
    fault("hook", error);
    const known = returned as { readonly value: unknown } | null;
    return { outcome: known === null ? call(args) : known.value };
  }
}

/** The platform may stop the process, or freeze it, as soon as it has the answer: what was recorded goes out before. */
function flushed(settled: unknown): unknown {
  if (!(settled instanceof Promise)) return settled;
  const wait = (): Promise<void> | null => guarded("flush", null, () => recorder.flush?.() ?? null);
  return settled.then(
    (value: unknown) => wait()?.then(() => value) ?? value,
    async (error: unknown) => {
      await wait();
      throw error;
    },
  );
}
