import { replaceGetter } from "../patch/replace-getter.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { leaked } from "./leaked.ts";

/** What it is called among leaks. */
export const STANDARD_INPUT = "standard input";

type Reader = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Counts reads of standard input. Node creates the stream on access, and access is not a read; pipes,
 * listeners, loops and `readline` all come down to `resume` or `read`.
 */
export function watchStandardInput(): (() => void)[] {
  const undo: (() => void)[] = [];
  let watched: object | null = null;
  const watch = (stream: object): void => {
    watched = stream;
    for (const name of ["resume", "read"]) {
      // of its prototype, which all other streams share
      const value = (stream as Record<string, unknown>)[name];
      if (!Object.hasOwn(stream, name))
        Object.defineProperty(stream, name, { value, configurable: true, writable: true });
      undo.push(replaceMethod<Reader>(stream, name, counted, "count"));
    }
  };
  const unpatch = replaceGetter(process, "stdin", (stream: NodeJS.ReadStream) => {
    if (stream !== watched) watch(stream);
    return stream;
  });
  return [() => undo.forEach((step) => step()), unpatch];
}

const counted = (real: Reader): Reader =>
  function (this: unknown, ...args) {
    leaked("stdin", STANDARD_INPUT);
    return Reflect.apply(real, this, args);
  };
