import fs from "node:fs";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";
import { prototypeOf } from "../../patch/prototype-of.ts";

type PromiseFunction = (...args: unknown[]) => Promise<unknown>;
type Order = (real: PromiseFunction) => PromiseFunction;

const METHODS = [
  "appendFile",
  "chmod",
  "chown",
  "datasync",
  "read",
  "readFile",
  "readv",
  "stat",
  "sync",
  "truncate",
  "utimes",
  "write",
  "writeFile",
  "writev",
];

/**
 * What is done with an open file, each an operation of its own; its streams and its lines go through them. The class of
 * a handle is nowhere to be had before the first one is opened, and `close` is each handle's own.
 */
export function installFileHandles(order: Order): () => void {
  const undos: (() => void)[] = [];
  let known = false;
  const opening = (real: PromiseFunction): PromiseFunction =>
    async function (this: unknown, ...args) {
      const handle = (await Reflect.apply(real, this, args)) as object;
      const shape = prototypeOf(handle);
      if (!known) undos.push(...METHODS.map((name) => replaceMethod<PromiseFunction>(shape, name, order)));
      known = true;
      replaceMethod<PromiseFunction>(handle, "close", order);
      return handle;
    };
  undos.push(replaceMethod<PromiseFunction>(fs.promises, "open", (real) => order(opening(real))));
  return undoAll(undos);
}
