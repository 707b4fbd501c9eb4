export type AnyGenerator = Generator | AsyncGenerator;

const SyncPrototype: unknown = Object.getPrototypeOf(Object.getPrototypeOf((function* () {})()));
const AsyncPrototype: unknown = Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})()));

/** Whether a value is the generator of a generator function; false for an iterator of the user's own making. */
export function isSyncGenerator(value: unknown): value is Generator {
  return typeof value === "object" && Object.prototype.isPrototypeOf.call(SyncPrototype, value ?? 0);
}

export function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === "object" && Object.prototype.isPrototypeOf.call(AsyncPrototype, value ?? 0);
}

export function isGenerator(value: unknown): value is AnyGenerator {
  return isSyncGenerator(value) || isAsyncGenerator(value);
}
