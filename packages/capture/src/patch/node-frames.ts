import { namedCalls } from "./named-call.ts";
import { inFormat, type StackFormat, textOf } from "./whole-trace.ts";

/** Prefix of the function names that `standsFor` recognises. */
const MARK = "reenact:";
const MOST_KEYS = 500;

const known = new Map<string, readonly NodeJS.CallSite[]>();

/**
 * Returns a function that calls another one. In stack traces its frame is replaced by the frames that were learnt under `key`:
 * those that Node has at this place without a recorder.
 */
export const inPlaceOf = namedCalls(MARK, MOST_KEYS);

/** The frames of Node that are shown instead of this frame of the recorder; null: it is another frame, or none are known. */
export function standsFor(site: NodeJS.CallSite): readonly NodeJS.CallSite[] | null {
  const name = site.getFunctionName();
  return name?.startsWith(MARK) === true ? (known.get(name.slice(MARK.length)) ?? null) : null;
}

export function isLearnt(key: string): boolean {
  return known.has(key);
}

/**
 * Reads a stack trace and keeps the frames that `select` returns, once per key. They are copied, because a frame of V8 keeps the
 * receiver and the function of its call in memory.
 */
export function learn(
  key: string,
  read: () => unknown,
  select: (trace: readonly NodeJS.CallSite[]) => readonly NodeJS.CallSite[],
): void {
  if (known.has(key) || known.size >= MOST_KEYS) return;
  const trace = inFormat(whole, read);
  if (Array.isArray(trace)) known.set(key, select(trace as NodeJS.CallSite[]).map(copied));
}

const whole: StackFormat = (_, trace) => trace;

/** Methods of a call site that describe its position, and return no object of the program. */
const ASKED = [
  "getTypeName",
  "getFunctionName",
  "getMethodName",
  "getFileName",
  "getLineNumber",
  "getColumnNumber",
  "getEvalOrigin",
  "getScriptNameOrSourceURL",
  "getScriptHash",
  "getEnclosingLineNumber",
  "getEnclosingColumnNumber",
  "getPosition",
  "getPromiseIndex",
  "isToplevel",
  "isEval",
  "isNative",
  "isConstructor",
  "isAsync",
  "isPromiseAll",
] as const;

function copied(site: NodeJS.CallSite): NodeJS.CallSite {
  const text = textOf(site);
  const copy: Record<string, () => unknown> = {
    toString: () => text,
    getThis: () => undefined,
    getFunction: () => undefined,
  };
  const asked = site as unknown as Record<string, (() => unknown) | undefined>;
  for (const name of ASKED) {
    const value = asked[name]?.();
    copy[name] = () => value;
  }
  return copy as unknown as NodeJS.CallSite;
}
