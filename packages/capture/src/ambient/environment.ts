import workers from "node:worker_threads";
import { here } from "../run/context.ts";
import { fault } from "../fault/faults.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { withRoom } from "../patch/stack-room.ts";

/** Names are noted up to this number, of reads and of writes; an environment has some hundred. */
const MOST = 4096;

const reads = new Map<string, string | undefined>();
/** names that the program itself has set or deleted: their values are no input any more */
const written = new Set<string>();

/** the variables' names in their order, when a run first listed the environment; null: no run has listed it */
let listed: readonly string[] | null = null;

/** Whether names were left out. */
export function environmentIsFull(): boolean {
  return reads.size >= MOST || written.size >= MOST || (listed?.length ?? 0) > MOST;
}

/** The names of all variables in their order, when a run of this process first listed them; null: no run has. */
export function environmentNames(): readonly string[] | null {
  return listed;
}

/** The environment that a replayed program sees. */
export interface ShownEnvironment {
  /** names in their recorded order; null: the recorded program did not list them */
  readonly names: readonly string[] | null;
  /** values that differ from those of this process; null: the variable is not set */
  readonly values: ReadonlyMap<string, string | null>;
}

let shown: (ShownEnvironment & { readonly here: ReadonlySet<string> }) | null = null;

/** From now on runs see these values. A list of the environment holds these names and those that the program has set itself. */
export function showEnvironment(environment: ShownEnvironment): void {
  shown = { ...environment, here: new Set(Object.keys(process.env)) };
  values.clear();
}

/** The value that is shown instead of a variable's own; null: it is shown as not set; undefined: its own value is shown. */
function shownValue(name: string | symbol): string | null | undefined {
  if (shown === null || typeof name === "symbol" || written.has(name) || here() === null) return undefined;
  return shown.values.get(name);
}

function shownNames(real: readonly (string | symbol)[]): (string | symbol)[] {
  if (shown === null) return [...real];
  const { here: before } = shown;
  const isGone = (name: string | symbol): boolean => shownValue(name) === null;
  if (shown.names === null) return real.filter((name) => !isGone(name));
  const { names } = shown;
  const present = new Set(real);
  const isShown = (name: string): boolean => !isGone(name) && (present.has(name) || shownValue(name) !== undefined);
  const known = new Set<string | symbol>(names);
  // set by the program, or loaded by it from a file
  const isOwn = (name: string | symbol): boolean =>
    !known.has(name) && (typeof name === "symbol" || written.has(name) || !before.has(name));
  return [...names.filter(isShown), ...real.filter(isOwn)];
}

function wrote(name: string, value: unknown): void {
  if (written.size < MOST) written.add(name);
  for (const each of listeners) {
    try {
      each(name, String(value));
    } catch (error) {
      fault("environment", error);
    }
  }
}

/**
 * Values of the real object, which is slower to read than a proxy. Nobody else changes the environment of a process's main
 * thread but native code and threads that share it: where there are such, nothing is kept.
 */
const values = new Map<string | symbol, string>();
let keeps = workers.isMainThread;

function keep(name: string | symbol, value: string): void {
  if (values.size < MOST) values.set(name, value);
}

/** From now on native code or another thread may change the environment. */
export function askEachTime(): void {
  keeps = false;
  values.clear();
}

const listeners = new Set<(name: string, value: string) => void>();

/** Calls back for each variable that the program sets from now on. Returns the undo. */
export function watchEnvironment(listener: (name: string, value: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Environment variables that runs of this process have read, with the first value seen; undefined: it was not set. */
export function environmentReads(): ReadonlyMap<string, string | undefined> {
  return reads;
}

const views = new WeakSet<object>();
/** the object below the view; undefined: there is no view */
let below: NodeJS.ProcessEnv | undefined;

/** Sets or deletes a variable for the recorder, not for the program: its value is an input still, and no listener hears of it. */
export function setForProgram(name: string, value: string | undefined): void {
  values.delete(name);
  const env = below ?? process.env;
  if (value === undefined) delete env[name];
  else env[name] = value;
}

/** Puts a view over `process.env` that notes what is read inside a run. */
export function installEnvironment(): () => void {
  const before = Object.getOwnPropertyDescriptor(process, "env");
  const real = process.env;
  if (before === undefined || views.has(real)) return () => {};
  const view = new Proxy(real, watcher);
  views.add(view);
  below = real;
  Object.defineProperty(process, "env", { ...before, value: view });
  const undo = replaceMethod<(...args: unknown[]) => unknown>(process, "loadEnvFile", forgetsValues, "count");
  return () => {
    undo();
    values.clear();
    if (process.env === view) Object.defineProperty(process, "env", before);
    below = undefined;
    reads.clear();
    written.clear();
    listed = null;
    shown = null;
  };
}

function forgetsValues(real: (...args: unknown[]) => unknown) {
  return function loadEnvFile(this: unknown, ...args: unknown[]): unknown {
    try {
      return Reflect.apply(real, this, args);
    } finally {
      values.clear();
    }
  };
}

function note(name: string | symbol, value: unknown): void {
  if (
    typeof name === "symbol" ||
    reads.has(name) ||
    here() === null ||
    environmentIsFull() ||
    written.has(name) ||
    name.startsWith("REENACT_")
  )
    return;
  if (value === undefined || typeof value === "string") reads.set(name, value);
}

function put(env: NodeJS.ProcessEnv, name: string | symbol, value: unknown): void {
  // an assignment, which throws where Node refuses the value
  (env as Record<string | symbol, unknown>)[name] = value;
}

/** The real object does all the work: it turns values into strings, tells Node of a new time zone, and so on. */
const watcher: ProxyHandler<NodeJS.ProcessEnv> = {
  ownKeys(env) {
    const real = Reflect.ownKeys(env);
    if (here() === null) return real;
    listed ??= real.filter((name) => typeof name === "string").slice(0, MOST + 1);
    return shownNames(real);
  },
  get(env, name) {
    const other = shownValue(name);
    if (other !== undefined) {
      note(name, other ?? undefined);
      return other ?? undefined;
    }
    const kept = values.get(name);
    if (kept !== undefined) return kept;
    const value: unknown = Reflect.get(env, name);
    if (typeof name === "symbol") return value;
    if (!reads.has(name)) note(name, value);
    // a name that no run has read yet is asked for again: the first run that reads it takes its value
    if (keeps && typeof value === "string" && reads.has(name)) keep(name, value);
    return value;
  },
  has(env, name) {
    const other = shownValue(name);
    if (other === undefined) {
      note(name, Reflect.get(env, name));
      return Reflect.has(env, name);
    }
    note(name, other ?? undefined);
    return other !== null;
  },
  getOwnPropertyDescriptor(env, name) {
    const other = shownValue(name);
    const descriptor =
      other === null
        ? undefined
        : other === undefined
          ? Reflect.getOwnPropertyDescriptor(env, name)
          : { value: other, writable: true, enumerable: true, configurable: true };
    note(name, descriptor?.value);
    return descriptor;
  },
  set(env, name, value: unknown, receiver: object) {
    values.delete(name);
    // an object that only inherits from the environment gets a property of its own
    if (!views.has(receiver))
      return Reflect.defineProperty(receiver, name, { value, writable: true, enumerable: true, configurable: true });
    // Node refuses what cannot be a text
    if (typeof name === "symbol" || typeof value === "symbol") withRoom(() => put(env, name, value));
    else put(env, name, value);
    if (typeof name === "string") wrote(name, value);
    return true;
  },
  defineProperty(env, name, descriptor) {
    values.delete(name);
    Object.defineProperty(env, name, descriptor);
    if (typeof name === "string") wrote(name, descriptor.value);
    return true;
  },
  deleteProperty(env, name) {
    values.delete(name);
    if (typeof name === "string" && written.size < MOST) written.add(name);
    return Reflect.deleteProperty(env, name);
  },
};
