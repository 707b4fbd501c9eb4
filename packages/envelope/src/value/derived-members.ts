import { prototypesOf } from "./error-class.ts";

/** Runs code of the program on behalf of the recorder. */
export type CallProgram = <T>(fn: () => T) => T;

const LONGEST_TEXT = 16 * 1024;
const LONGEST_JSON = 64 * 1024;
const MOST_JSON_MEMBERS = 5000;
const MOST_NAMES = 200;
/** Kept otherwise, or the same in all errors. */
const LEFT_OUT: ReadonlySet<string> = new Set(["constructor", "name", "message", "stack", "toString", "toJSON"]);

/**
 * What the classes of an error make of it: its text where that is not "name: message" (`toString`), what its `toJSON` gives, as plain
 * JSON, and the scalar members that stand on their prototypes or come from accessors there. Bounded: texts of 16 KiB, JSON of
 * 64 KiB. Members that are added to the error while its methods run are taken away again. Never throws.
 */
export function derivedMembers(error: Error, call: CallProgram): Readonly<Record<string, unknown>> {
  const before = new Set(Reflect.ownKeys(error));
  const out: Record<string, unknown> = {};
  try {
    call(() => {
      for (const name of namesOf(error)) {
        const value = attempt(() => (error as unknown as Record<string, unknown>)[name]);
        if (isShortScalar(value)) out[name] = value;
      }
      const text = attempt(() => ownText(error));
      if (text !== undefined) out["toString"] = text;
      const json = attempt(() => ownJson(error));
      if (json !== undefined) out["toJSON"] = json;
    });
    for (const key of Reflect.ownKeys(error)) if (!before.has(key)) Reflect.deleteProperty(error, key);
  } catch {
    // a proxy among the prototypes, or a trap
  }
  return out;
}

/** Names of what a prototype of the error holds and no method is. */
function namesOf(error: Error): string[] {
  const names = new Set<string>();
  for (const proto of prototypesOf(error))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
      if (typeof value !== "function" && !LEFT_OUT.has(name) && !Object.hasOwn(error, name)) names.add(name);
  return [...names].slice(0, MOST_NAMES);
}

function ownText(error: Error): string | undefined {
  const text = String(error);
  const isOwn = text !== Error.prototype.toString.call(error) || Object.hasOwn(error, "toString");
  return isOwn && text.length <= LONGEST_TEXT ? text : undefined;
}

function ownJson(error: Error): unknown {
  const { toJSON } = error as { toJSON?: unknown };
  if (typeof toJSON !== "function") return undefined;
  let left = MOST_JSON_MEMBERS;
  const text = JSON.stringify(error, (_, value: unknown) => {
    if (left-- < 0) throw new RangeError("too many members");
    return value;
  });
  return text === undefined || text.length > LONGEST_JSON ? undefined : (JSON.parse(text) as unknown);
}

function attempt<T>(fn: () => T): T | undefined {
  try {
    return fn();
  } catch {
    return undefined;
  }
}

function isShortScalar(value: unknown): boolean {
  return (
    (typeof value === "string" && value.length <= LONGEST_TEXT) ||
    typeof value === "number" ||
    typeof value === "boolean" ||
    value === null
  );
}
