import { copyFunctionProperties } from "./copy-function-properties.ts";
import { roomy } from "./stack-room.ts";

type AnyFunction = (...args: never[]) => unknown;

/** A `call` patch decides what a call does; a `count` patch only counts. A method has at most one of each. */
type Layer = "call" | "count";

const layers = new WeakMap<object, readonly Layer[]>();

/**
 * Puts our function in the place of `owner[key]`, with its name, length, own properties and descriptor, and returns
 * the undo. A place that has this layer already, or that this Node does not have, stays as it is. The undo leaves
 * a function alone that other code has put over ours.
 */
export function replaceMethod<F extends AnyFunction>(
  owner: object,
  key: PropertyKey,
  make: (real: F) => F,
  layer: Layer = "call",
): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  const real: unknown = before?.value;
  if (before === undefined || typeof real !== "function") return () => {};
  const below = layers.get(real) ?? [];
  if (below.includes(layer)) return () => {};
  const replacement = copyFunctionProperties(make(withoutRoom(key, real) ? (real as F) : roomy(real as F)), real);
  layers.set(replacement, [...below, layer]);
  Object.defineProperty(owner, key, { ...before, value: replacement });
  return () => {
    if (Object.getOwnPropertyDescriptor(owner, key)?.value === replacement) Object.defineProperty(owner, key, before);
  };
}

/** Functions that never throw, classes, and what calls the program's listeners. */
const WITHOUT_ROOM = new Set<PropertyKey>([
  "random",
  "now",
  "Date",
  "Worker",
  "MessageChannel",
  "emit",
  "uptime",
  "randomUUID",
]);

function withoutRoom(key: PropertyKey, real: object): boolean {
  return (
    typeof key === "symbol" ||
    WITHOUT_ROOM.has(key) ||
    Object.getOwnPropertyDescriptor(real, "prototype")?.writable === false
  );
}

/** Undoes in the reverse order of the patches. */
export function undoAll(undos: (() => void)[]): () => void {
  return () => {
    for (const undo of undos.splice(0).reverse()) undo();
  };
}
