import type { AnyFunction } from "./redirect-function.ts";

/**
 * Puts a function in the place of `owner[key]`, with its name, length, own properties and descriptor. Returns the
 * undo, which leaves alone what other code has put over it since. A place without a function stays as it is.
 */
export function patch(owner: object, key: string, make: (real: AnyFunction) => AnyFunction): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  const real: unknown = before?.value;
  if (before === undefined || typeof real !== "function") return () => {};
  const replacement = make(real as AnyFunction);
  for (const name of Reflect.ownKeys(real)) {
    if (name === "prototype") continue;
    Object.defineProperty(replacement, name, { ...Object.getOwnPropertyDescriptor(real, name), configurable: true });
  }
  Object.defineProperty(owner, key, { ...before, value: replacement });
  return () => {
    if (Object.getOwnPropertyDescriptor(owner, key)?.value === replacement) Object.defineProperty(owner, key, before);
  };
}
