/** A function in another's place, with its name and length. */
export function named<F extends (...a: never[]) => unknown>(real: F, wrapper: F): F {
  Object.defineProperty(wrapper, "name", { value: real.name, configurable: true });
  Object.defineProperty(wrapper, "length", { value: real.length, configurable: true });
  return wrapper;
}
