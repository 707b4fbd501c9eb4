import { AsyncResource } from "node:async_hooks";
import zlib from "node:zlib";
import { type RunFrame, here, live } from "../../run/context.ts";
import { guarded } from "../../fault/faults.ts";
import { isToolchain } from "../../leaks/program-loading.ts";
import { orderedCompletion } from "./ordered-completion.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";

type Any = (...args: unknown[]) => unknown;

/** What Node's streams hold below: each `write` ends in one call of the function that `init` was given. */
interface Handle {
  init: Any;
  write: Any;
}

interface Owner {
  readonly frame: RunFrame;
  readonly resource: AsyncResource;
}

/**
 * Streams made by `zlib.create…()` compress for real in both modes; the end of each piece of work is gated, as that of
 * any other real operation. A stream made with `new` is a native resource like others.
 */
export function installZlibStreams(): () => void {
  const undos: (() => void)[] = [];
  const seen = new Set<object>();
  let creating: Owner | null = null;
  const owners = new WeakMap<object, Owner>();
  const ends = new WeakMap<object, (fire: () => void) => void>();

  const init = (real: Any): Any =>
    function (this: object, ...args) {
      const at = args.findLastIndex((a) => typeof a === "function");
      if (creating === null || at === -1) return Reflect.apply(real, this, args);
      const owner = creating;
      owners.set(this, owner);
      const done = args[at] as Any;
      const gated = function (this: object, ...results: unknown[]): void {
        const end = ends.get(this);
        const run = (): void => void owner.resource.runInAsyncScope(done, this, ...results);
        if (end === undefined) run();
        else end(run);
      };
      return Reflect.apply(real, this, args.with(at, gated));
    };

  const write = (real: Any): Any =>
    function (this: object, ...args) {
      const owner = owners.get(this);
      if (owner !== undefined) ends.set(this, orderedCompletion(owner.frame));
      return Reflect.apply(real, this, args);
    };

  /** Node does not export the classes below: the first stream of a kind has its own. */
  const watch = (make: Any): void => {
    if (seen.has(make)) return;
    seen.add(make);
    const first = live(() => make()) as { _handle: Handle; close(): void };
    const shape = Object.getPrototypeOf(first._handle) as Handle;
    first.close();
    undos.push(replaceMethod(shape, "init", init), replaceMethod(shape, "write", write));
  };

  const create = (real: Any): Any =>
    function (this: unknown, ...args) {
      const frame = here();
      if (frame === null) return Reflect.apply(real, this, args);
      if (isToolchain()) return live(() => Reflect.apply(real, this, args));
      guarded("zlib", undefined, () => watch(real));
      const outer = creating;
      creating = { frame, resource: new AsyncResource("OrderedOperation") };
      try {
        return live(() => Reflect.apply(real, this, args));
      } finally {
        creating = outer;
      }
    };

  const names = Object.getOwnPropertyNames(zlib).filter((name) => name.startsWith("create"));
  undos.push(...names.map((name) => replaceMethod<Any>(zlib, name, create)));
  return () => undoAll(undos)();
}
