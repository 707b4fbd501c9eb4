import { createHash } from "node:crypto";
import { isProxy } from "node:util/types";

/** Built-in error classes, the only ones that decoding revives as themselves. */
const BUILT_IN: ReadonlyMap<string, ErrorConstructor> = new Map(
  [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError].map((each) => [each.name, each]),
);

const LOOK_ALIKES = 1000;
const lookAlikes = new Map<string, ErrorClass>();
/** Between the names of a class and of those above it. */
const BELOW = " < ";
const MOST_CLASSES = 8;

export type ErrorClass = new (message?: string) => Error;

/**
 * Gives the class of the program for recorded names: those of the class and of the ones above it, joined by " < ", and of
 * the built-in error class `base` above them. Null: the program has none.
 */
export type FindErrorClass = (names: string, base: string) => ErrorClass | null;

/** Name of the constructor, `Error` where it has none. Never throws. */
export function className(value: object): string {
  try {
    const name: unknown = value.constructor.name;
    return typeof name === "string" && name !== "" ? name : "Error";
  } catch {
    return "Error";
  }
}

/** Name of the nearest built-in error class of an error: itself or one above it. */
export function builtInBase(error: object): string {
  for (let proto: unknown = Object.getPrototypeOf(error); proto; proto = Object.getPrototypeOf(proto)) {
    const name = builtInName(proto);
    if (name !== null) return name;
  }
  return "Error";
}

/** Prototypes of an error below those of the built-in classes, the most derived first; at most eight, none behind a proxy. */
export function prototypesOf(error: object): object[] {
  const out: object[] = [];
  let proto = Object.getPrototypeOf(error) as object | null;
  const isOwn = (value: object): boolean =>
    value !== Object.prototype && builtInName(value) === null && !isProxy(value);
  while (proto !== null && isOwn(proto) && out.length < MOST_CLASSES) {
    out.push(proto);
    proto = Object.getPrototypeOf(proto) as object | null;
  }
  return out;
}

/** Names of the class of an error and of those above it, below the built-in ones, joined by " < ". */
export function classNames(error: object): string {
  const named = prototypesOf(error).filter((proto) => Object.hasOwn(proto, "constructor"));
  return [error, ...named.slice(1)].map(className).join(BELOW);
}

const digests = new WeakMap<object, string>();

/** Digest of the source texts of the class of an error and of those above it: 16 characters, empty for a built-in class. */
export function classesDigest(error: object): string {
  const prototypes = prototypesOf(error);
  return prototypes.length === 0 ? "" : hashed(prototypes.map(sourceDigest));
}

function sourceDigest(prototype: object): string {
  let digest = digests.get(prototype);
  if (digest === undefined) {
    const own: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
    digest = typeof own === "function" ? hashed([Function.prototype.toString.call(own)]) : "";
    digests.set(prototype, digest);
  }
  return digest;
}

const hashed = (texts: readonly string[]): string =>
  createHash("sha256").update(texts.join("\n")).digest("base64url").slice(0, 16);

function builtInName(proto: unknown): string | null {
  if (proto === DOMException.prototype) return "DOMException";
  if (proto === AggregateError.prototype) return "AggregateError";
  for (const [name, each] of BUILT_IN) if (proto === each.prototype) return name;
  return null;
}

/**
 * An error of a recorded class: the built-in itself, the class that `find` gives, or a look-alike class of that name above
 * its built-in base. One look-alike per names and base, so that two errors of one class share it. No constructor of
 * the program runs. No stack is taken from here.
 */
export function errorOfClass(
  names: string,
  base: string,
  message: string | undefined,
  errorName: string,
  find?: FindErrorClass,
): Error {
  const { stackTraceLimit } = Error;
  // frames of ours would be shown as those of the agent
  Error.stackTraceLimit = 0;
  try {
    const Class = names === base ? undefined : (find?.(names, base) ?? lookAlike(names, base));
    return construct(base, message, errorName, Class);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function construct(base: string, message: string | undefined, errorName: string, Class: ErrorClass | undefined): Error {
  if (base === "DOMException")
    return Reflect.construct(DOMException, [message, errorName], Class ?? DOMException) as Error;
  if (base === "AggregateError")
    return Reflect.construct(AggregateError, [[], message], Class ?? AggregateError) as Error;
  const builtIn = BUILT_IN.get(base) ?? Error;
  return Reflect.construct(builtIn, message === undefined ? [] : [message], Class ?? builtIn) as Error;
}

export const isBuiltInError = (name: string): boolean =>
  name === "DOMException" || name === "AggregateError" || BUILT_IN.has(name);

/** Whether a class was made here in place of one of the program. */
export const isLookAlike = (Class: unknown): boolean => LOOK_ALIKE.has(Class as object);
const LOOK_ALIKE = new WeakSet<object>();

function lookAlike(names: string, base: string): ErrorClass {
  const key = `${base}${BELOW}${names}`;
  const known = lookAlikes.get(key);
  if (known) return known;
  const [name = "Error", ...above] = names.split(BELOW).slice(0, MOST_CLASSES);
  const parent = above.length === 0 ? baseClass(base) : lookAlike(above.join(BELOW), base);
  const made = named(name, parent);
  if (lookAlikes.size < LOOK_ALIKES) lookAlikes.set(key, made);
  return made;
}

function baseClass(base: string): ErrorClass {
  if (base === "DOMException") return DOMException;
  return base === "AggregateError" ? (AggregateError as unknown as ErrorClass) : (BUILT_IN.get(base) ?? Error);
}

function named(name: string, parent: ErrorClass): ErrorClass {
  const made = class extends parent {};
  Object.defineProperty(made, "name", { value: name, configurable: true });
  LOOK_ALIKE.add(made);
  return made;
}
