import { EventEmitter } from "node:events";
import fs, { type FSWatcher } from "node:fs";
import { here, live } from "../run/context.ts";
import { isToolchain } from "../leaks/program-loading.ts";
import { openExternalEvents } from "./external-events.ts";
import { replaceMethod, undoAll } from "../patch/replace-method.ts";
import { prototypeOf } from "../patch/prototype-of.ts";

interface WatchOptions {
  encoding?: string | null;
  persistent?: boolean;
  signal?: AbortSignal;
}

interface QueueOptions extends WatchOptions {
  maxQueue?: number;
}

type Watch = (this: unknown, ...args: unknown[]) => FSWatcher;
type Name = string | Buffer | null;
type Listener = (event: string, name: Name) => void;
type PromisedWatch = (...args: unknown[]) => AsyncIterable<unknown>;

/**
 * What `fs.watch` tells comes in turns of its own, and with its words into the record. In a replay no file is watched:
 * the agent's own writes go to a copy, and nobody else makes those that were recorded.
 */
export function installWatchers(): () => void {
  return undoAll([
    replaceMethod<Watch>(fs, "watch", ordered),
    replaceMethod<PromisedWatch>(fs.promises, "watch", (real) => (...args) => {
      const options = (args[1] ?? {}) as QueueOptions;
      if (here() === null || typeof options !== "object" || options.signal?.aborted === true) return real(...args);
      return changes(args[0], options);
    }),
  ]);
}

function ordered(real: Watch): Watch {
  return function (this: unknown, ...args) {
    const frame = here();
    if (frame === null || isToolchain()) return Reflect.apply(real, this, args);
    const [path, second, third] = args;
    const given = typeof second === "string" ? { encoding: second } : second;
    const { signal, ...options } = (typeof given === "object" && given !== null ? given : {}) as WatchOptions;
    const listener = (typeof second === "function" ? second : third) as Listener | undefined;
    const isServed = frame.run.source.virtualTimers && stands(path);
    const watcher = isServed ? servedWatcher(real) : live(() => Reflect.apply(real, this, [path, options]));
    let referenced = options.persistent !== false;
    const emit = watcher.emit.bind(watcher);
    const close = watcher.close.bind(watcher);
    const events = openExternalEvents(frame, "WATCH", {
      referenced: () => referenced,
      replayed(detail) {
        const [event = "", ...name] = detail.split(" ");
        emit("change", event, named(name, options.encoding));
      },
    });
    own(watcher, "emit", (event: string, ...told: unknown[]) => {
      if (event !== "change") return Reflect.apply(emit, watcher, [event, ...told]);
      const detail = told.filter((each) => each !== null && each !== undefined).map(String);
      events.came(detail.join(" "), () => void emit("change", ...told));
      return true;
    });
    own(watcher, "close", () => {
      events.close();
      close();
    });
    for (const [name, keeps] of [
      ["ref", true],
      ["unref", false],
    ] as const) {
      const before = watcher[name].bind(watcher);
      own(watcher, name, () => {
        referenced = keeps;
        return before();
      });
    }
    if (typeof listener === "function") watcher.addListener("change", listener);
    closeOnAbort(watcher, signal);
    return watcher;
  };
}

/** Of Node's own class, which it does not hand out, and watching nothing. */
function servedWatcher(real: Watch): FSWatcher {
  const like = live(() => real(process.execPath, { persistent: false }));
  like.close();
  const watcher = Object.create(prototypeOf(like)) as FSWatcher;
  Reflect.apply(EventEmitter, watcher, []);
  let closed = false;
  own(watcher, "close", () => {
    if (closed) return;
    closed = true;
    process.nextTick(() => watcher.emit("close"));
  });
  own(watcher, "ref", () => watcher);
  own(watcher, "unref", () => watcher);
  return watcher;
}

/** `fs.promises.watch`, over the other one. */
async function* changes(path: unknown, { maxQueue = 2048, signal, ...options }: QueueOptions): AsyncGenerator<object> {
  const queue: object[] = [];
  let wake: () => void = () => {};
  let failure: { error: unknown } | null = null;
  const fail = (error: unknown): void => {
    failure ??= { error };
    wake();
  };
  const onAbort = (): void => {
    const detail = new Error("The operation was aborted", { cause: signal?.reason });
    fail(Object.assign(detail, { name: "AbortError", code: "ABORT_ERR" }));
  };
  const watcher = fs.watch(path as string, options as object, (eventType, filename) => {
    if (queue.length < maxQueue) queue.push({ __proto__: null, eventType, filename });
    wake();
  });
  watcher.on("error", fail);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      while (queue.length > 0) yield queue.shift() as object;
      if (failure !== null) throw (failure as { error: unknown }).error;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    watcher.close();
  }
}

function closeOnAbort(watcher: FSWatcher, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const close = (): void => watcher.close();
  if (signal.aborted) return process.nextTick(close);
  signal.addEventListener("abort", close, { once: true });
  watcher.once("close", () => signal.removeEventListener("abort", close));
}

/** Whether the path is there for the agent, whose files may be copies. */
function stands(path: unknown): boolean {
  try {
    return fs.existsSync(path as string);
  } catch {
    return false;
  }
}

function named(words: string[], encoding: string | null | undefined): Name {
  if (words.length === 0) return null;
  const name = words.join(" ");
  return encoding === "buffer" ? Buffer.from(name) : name;
}

function own(watcher: FSWatcher, key: string, value: (...args: never[]) => unknown): void {
  Object.defineProperty(watcher, key, { value, writable: true, configurable: true, enumerable: false });
}
