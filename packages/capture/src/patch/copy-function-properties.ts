/** Gives a wrapper the name, length and own properties of what it wraps. */
export function copyFunctionProperties<F extends object>(wrapper: F, original: object): F {
  for (const key of Reflect.ownKeys(original)) {
    if (key === "prototype" || key === "arguments" || key === "caller") continue;
    const descriptor = Object.getOwnPropertyDescriptor(original, key);
    if (descriptor !== undefined) Object.defineProperty(wrapper, key, { ...descriptor, configurable: true });
  }
  return wrapper;
}
