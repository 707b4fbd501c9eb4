/** Built-in error classes, the only ones that are revived as themselves. Nothing else is looked up by a recorded name. */
const BUILT_IN: ReadonlyMap<string, ErrorConstructor> = new Map(
  [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError].map((each) => [each.name, each]),
);

const LOOK_ALIKES = 1000;
const lookAlikes = new Map<string, new (message?: string) => Error>();

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
    if (proto === DOMException.prototype) return "DOMException";
    if (proto === AggregateError.prototype) return "AggregateError";
    for (const [name, each] of BUILT_IN) if (proto === each.prototype) return name;
  }
  return "Error";
}

/**
 * An error of a recorded class: the built-in itself, or a look-alike class of that name above its built-in base.
 * One look-alike per name and base, so that two errors of one class share it. No stack is taken from here.
 */
export function errorOfClass(name: string, base: string, message: string | undefined, errorName: string): Error {
  const { stackTraceLimit } = Error;
  // frames of ours would be shown as those of the agent
  Error.stackTraceLimit = 0;
  try {
    if (base === "DOMException" && name === base) return new DOMException(message, errorName);
    if (name === base && name === "AggregateError") return new AggregateError([], message);
    const builtIn = name === base ? BUILT_IN.get(name) : undefined;
    return new (builtIn ?? lookAlike(name, base))(message);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const isBuiltInError = (name: string): boolean =>
  name === "DOMException" || name === "AggregateError" || BUILT_IN.has(name);

function lookAlike(name: string, base: string): new (message?: string) => Error {
  const key = `${base} ${name}`;
  const known = lookAlikes.get(key);
  if (known) return known;
  const made = named(name, base);
  if (lookAlikes.size < LOOK_ALIKES) lookAlikes.set(key, made);
  return made;
}

function named(name: string, base: string): new (message?: string) => Error {
  const parent = BUILT_IN.get(base) ?? Error;
  const made = class extends parent {};
  if (base === "AggregateError") Object.setPrototypeOf(made.prototype, AggregateError.prototype);
  if (base === "DOMException") Object.setPrototypeOf(made.prototype, DOMException.prototype);
  Object.defineProperty(made, "name", { value: name, configurable: true });
  return made;
}
