import {
  classNames,
  type ErrorClass,
  type FindErrorClass,
  isLookAlike,
  isOwnErrorClass,
  builtInBase,
} from "@reenact/envelope";
import { guarded } from "../fault/faults.ts";
import { live } from "../run/context.ts";

/** By names and base. A class that was found stays known. */
const known = new Map<string, ErrorClass>();
/** How often a class was looked for in vain: a module may be loaded later. */
const lacking = new Map<string, number>();
const MOST_SEARCHES = 3;

/**
 * The error class that the program has under recorded names. A search goes through the whole heap and takes some tenths of a
 * second in a large program, so only a replay does it, once for a class. Where several classes have the same names, such as
 * two copies of a package, one of them.
 */
export const programErrorClass: FindErrorClass = (names, base) => {
  const key = `${base} ${names}`;
  const searches = lacking.get(key) ?? 0;
  if (!known.has(key) && searches < MOST_SEARCHES) {
    lacking.set(key, searches + 1);
    const found = guarded("error classes", null, () => live(() => errorPrototypes())) ?? [];
    for (const prototype of found) guarded("error classes", undefined, () => keep(prototype));
  }
  return known.get(key) ?? null;
};

function keep(prototype: object): void {
  const own: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof own !== "function" || own.prototype !== prototype || isLookAlike(own)) return;
  const key = `${builtInBase(prototype)} ${classNames(Object.create(prototype) as object)}`;
  const before = known.get(key);
  if (before === undefined || isOwnErrorClass(before)) known.set(key, own as ErrorClass);
}

interface RemoteObject {
  readonly objectId: string;
}

const HAND_OVER = Symbol.for("reenact.errorPrototypes");
const GROUP = "reenact";

/** All objects below `Error.prototype`: errors, and the prototypes of error classes. The heap is known to the inspector alone. */
function errorPrototypes(): readonly object[] {
  const inspector = process.getBuiltinModule("node:inspector") as typeof import("node:inspector") | undefined;
  if (inspector === undefined) return [];
  const session = new inspector.Session();
  session.connect();
  let found: readonly object[] = [];
  const takers = globalThis as unknown as Record<symbol, unknown>;
  takers[HAND_OVER] = (list: readonly object[]) => (found = [...list]);
  try {
    // the callback is called before `post` returns
    const ask = (method: string, parameters: object): Record<string, RemoteObject> => {
      let answer: Record<string, RemoteObject> = {};
      session.post(method, parameters, (error, result) => {
        if (error === null) answer = result as Record<string, RemoteObject>;
      });
      return answer;
    };
    const { result } = ask("Runtime.evaluate", { expression: "Error.prototype", objectGroup: GROUP });
    const { objects } = ask("Runtime.queryObjects", { prototypeObjectId: result?.objectId, objectGroup: GROUP });
    ask("Runtime.callFunctionOn", {
      objectId: objects?.objectId,
      functionDeclaration: `function () { globalThis[Symbol.for("${String(Symbol.keyFor(HAND_OVER))}")](this); }`,
    });
    ask("Runtime.releaseObjectGroup", { objectGroup: GROUP });
  } finally {
    Reflect.deleteProperty(takers, HAND_OVER);
    session.disconnect();
  }
  return found;
}
