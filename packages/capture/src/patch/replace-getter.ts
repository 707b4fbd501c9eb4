import { copyFunctionProperties } from "./copy-function-properties.ts";

const ours = new WeakSet<object>();

/** As `replaceMethod`, for an accessor: `read` gets the real value and returns what is seen. */
export function replaceGetter<O extends object, T>(owner: O, key: PropertyKey, read: (value: T) => T): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  const real = before?.get as ((this: O) => T) | undefined;
  if (before === undefined || real === undefined || !before.configurable || ours.has(real)) return () => {};
  const getter = copyFunctionProperties(function (this: O): T {
    return read(Reflect.apply(real, this, []));
  }, real);
  ours.add(getter);
  Object.defineProperty(owner, key, { ...before, get: getter });
  return () => {
    if (Object.getOwnPropertyDescriptor(owner, key)?.get === getter) Object.defineProperty(owner, key, before);
  };
}
