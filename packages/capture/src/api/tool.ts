import { noteAgent } from "../inbound/agent-signs.ts";
import { stepFrame } from "../run/context.ts";
import { isRecording } from "../install.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { withRoom } from "../patch/stack-room.ts";
import { callTool } from "./tool-call.ts";

type AnyFunction = (...args: never[]) => unknown;
type Executable = { execute?: AnyFunction | undefined; name?: string | undefined };

/**
 * Records each call of a function as a tool step, under the function's own name. A replay returns the recorded result, or
 * throws the recorded error, and does not run the function. Without a recorder the call goes straight to the function.
 *
 * @param fn a plain, asynchronous or generator function
 * @returns a function with the same type, name and length
 */
export function tool<F extends AnyFunction>(fn: F): F;
/**
 * Records each call of a function as a tool step. A replay returns the recorded result, or throws the recorded error, and
 * does not run the function. Without a recorder the call goes straight to the function.
 *
 * @param name the name that the model calls the tool by
 * @param fn a plain, asynchronous or generator function
 * @returns a function with the same type, name and length
 * @example
 * const searchOrders = tool("search_orders", async ({ query }: { query: string }) => db.search(query));
 */
export function tool<F extends AnyFunction>(name: string, fn: F): F;
/**
 * Records each call of the `execute` function of a tool's definition, as agent frameworks use them.
 *
 * @param definition an object with an `execute` function; its `name`, where it has one, names the tool
 * @returns the same object, with `execute` replaced
 */
export function tool<T extends Executable>(definition: T): T;
/**
 * Records each call of the `execute` function of a tool's definition, as agent frameworks use them.
 *
 * @param name the name that the model calls the tool by
 * @param definition an object with an `execute` function
 * @returns the same object, with `execute` replaced
 */
export function tool<T extends Executable>(name: string, definition: T): T;
export function tool(first: unknown, second?: unknown): unknown {
  noteAgent();
  const named = typeof first === "string" ? first : null;
  const subject = named === null ? first : second;
  if (typeof subject === "function") return watch(named ?? (subject.name || "tool"), subject as AnyFunction);
  if (isExecutable(subject)) {
    const { execute } = subject;
    subject.execute = watch(named ?? subject.name ?? (execute.name || "tool"), execute);
    return subject;
  }
  throw new TypeError("tool() takes a function, a name and a function, or an object with an execute function");
}

function isExecutable(value: unknown): value is Executable & { execute: AnyFunction } {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "execute") === "function";
}

function watch(name: string, fn: AnyFunction): AnyFunction {
  const watched = function (this: unknown, ...args: unknown[]): unknown {
    const body = (): unknown => Reflect.apply(fn, this, args);
    const frame = stepFrame();
    if (frame !== null) return callTool(frame, { by: "tool", name, source: fn, args, body });
    return isRecording() ? withRoom(body) : body();
  };
  return copyFunctionProperties(watched, fn);
}
