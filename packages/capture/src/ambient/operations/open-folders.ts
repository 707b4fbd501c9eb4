import fs from "node:fs";
import { here } from "../../run/context.ts";
import { replaceMethod } from "../../patch/replace-method.ts";

type Order<F> = (real: F) => F;
type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Folders that are read entry by entry. Node reads them in batches of its own, and its iterator reads past `read`: here
 * each entry is one operation, by whatever way it is asked for.
 */
export function installOpenFolders(
  promised: Order<(...args: unknown[]) => Promise<unknown>>,
  calledBack: Order<AnyFunction>,
): (() => void)[] {
  const folder = fs.Dir.prototype;
  const either = (real: AnyFunction): AnyFunction => {
    const forms = { promised: promised(real as never), calledBack: calledBack(real) };
    return function (this: unknown, ...args) {
      return Reflect.apply(args.length === 0 ? forms.promised : forms.calledBack, this, args);
    };
  };
  const iterated = (real: AnyFunction): AnyFunction =>
    function (this: unknown, ...args) {
      return here() === null ? Reflect.apply(real, this, args) : entriesOf(this as fs.Dir);
    };
  return [
    replaceMethod<AnyFunction>(folder, "read", either),
    replaceMethod<AnyFunction>(folder, "close", either),
    replaceMethod<AnyFunction>(folder, "entries", iterated),
    replaceMethod<AnyFunction>(folder, Symbol.asyncIterator, iterated),
  ];
}

async function* entriesOf(folder: fs.Dir): AsyncGenerator<fs.Dirent> {
  try {
    for (let entry = await folder.read(); entry !== null; entry = await folder.read()) yield entry;
  } finally {
    await folder.close();
  }
}
