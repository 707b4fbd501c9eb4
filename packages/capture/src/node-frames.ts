import { inFormat, type StackFormat, textOf } from "./whole-trace.ts";

/** Begins the name of a frame of ours in whose place frames of Node are shown. */
const MARK = "reenact:";
const MOST_KEYS = 500;

/** Calls `fn` with `self` as `this`. */
export type Call = (fn: (...args: never[]) => unknown, self: unknown, args: readonly unknown[]) => unknown;

const known = new Map<string, readonly NodeJS.CallSite[]>();
const calls = new Map<string, Call>();

/**
 * A function that calls another and whose frame stands for those that Node has there without a recorder: what a stack shows does
 * not depend on how the recorder came to call. `key`: whose frames, as they were `learnt`.
 */
export function inPlaceOf(key: string): Call {
  let call = calls.get(key);
  if (call === undefined) {
    const name = MARK + key;
    call = {
      [name]: (fn: (...args: never[]) => unknown, self: unknown, args: readonly unknown[]): unknown =>
        Reflect.apply(fn, self, args as never[]),
    }[name] as Call;
    if (calls.size < MOST_KEYS) calls.set(key, call);
  }
  return call;
}

/** The frames that are shown in place of this frame of ours; null: none are known. */
export function standsFor(site: NodeJS.CallSite): readonly NodeJS.CallSite[] | null {
  const name = site.getFunctionName();
  return name?.startsWith(MARK) === true ? (known.get(name.slice(MARK.length)) ?? null) : null;
}

export function isLearnt(key: string): boolean {
  return known.has(key);
}

/** Keeps copies of what `select` takes of a whole trace, once per key. The frames themselves hold objects of the program. */
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

/** Methods of a frame that say something of its place alone, and not of what was called there. */
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
