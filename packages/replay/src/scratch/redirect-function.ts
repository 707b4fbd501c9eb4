import { originals } from "@reenact/capture/recorder";
import type { Overlay } from "./overlay.ts";
import { type Form, isSystemError, pathText, type Plan, type Prepare } from "./plan.ts";
import { shownError } from "./shown-error.ts";

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

export interface RedirectOptions {
  overlay: Overlay;
  /** name in errors that are ours, as Node names the call there */
  name: string;
  form: Form;
  prepare: Prepare;
  applies(): boolean;
}

/** The function that makes its calls in the scratch copy. A call whose copy cannot be made fails; it never goes to the original. */
export function redirectFunction(
  real: AnyFunction,
  { overlay, name, form, prepare, applies }: RedirectOptions,
): AnyFunction {
  return function (this: unknown, ...args) {
    if (!applies()) return Reflect.apply(real, this, args);
    let plan: Plan | null;
    try {
      plan = prepare(overlay, args, form);
    } catch (error) {
      return fail(form, name, args, named(overlay, error, name, args));
    }
    if (plan === null) return Reflect.apply(real, this, args);
    return FORMS[form](this, real, plan, (error) => shownError(overlay, error, plan.pairs));
  };
}

type Call = (self: unknown, real: AnyFunction, plan: Plan, shown: (error: unknown) => unknown) => unknown;

const FORMS: Record<Form, Call> = {
  sync(self, real, plan, shown) {
    let value: unknown;
    try {
      value = Reflect.apply(real, self, plan.args);
    } catch (error) {
      plan.failed?.();
      throw shown(error);
    }
    return plan.after === undefined ? value : plan.after(value);
  },

  callback(self, real, plan, shown) {
    const at = plan.args.findLastIndex((arg) => typeof arg === "function");
    const callback = plan.args[at] as AnyFunction | undefined;
    const args = [...plan.args];
    if (callback !== undefined) {
      args[at] = function (this: unknown, error: unknown, ...results: unknown[]) {
        // fs.exists calls back with a boolean alone
        if (error instanceof Error) {
          plan.failed?.();
          return Reflect.apply(callback, this, [shown(error), ...results]);
        }
        if (plan.after === undefined) return Reflect.apply(callback, this, [error, ...results]);
        let value: unknown;
        try {
          value = plan.after(results[0]);
        } catch (late) {
          return Reflect.apply(callback, this, [late]);
        }
        if (!(value instanceof Promise)) return Reflect.apply(callback, this, [error, value]);
        return void answerLater(value, (...answer) => Reflect.apply(callback, this, answer));
      };
    }
    try {
      return Reflect.apply(real, self, args);
    } catch (error) {
      plan.failed?.();
      throw shown(error);
    }
  },

  promise(self, real, plan, shown) {
    const done = Reflect.apply(real, self, plan.args) as Promise<unknown>;
    return done.then(
      (value) => (plan.after === undefined ? value : plan.after(value)),
      (error: unknown) => {
        plan.failed?.();
        throw shown(error);
      },
    );
  },
};

/** Outside of the promise, as a callback that throws is not the promise's failure. */
async function answerLater(value: Promise<unknown>, callback: (...answer: unknown[]) => void): Promise<void> {
  let answer: unknown[];
  try {
    answer = [null, await value];
  } catch (error) {
    answer = [error];
  }
  process.nextTick(() => callback(...answer));
}

function fail(form: Form, name: string, args: unknown[], error: unknown): unknown {
  if (form === "promise") return Promise.reject(error);
  const callback = args.findLast((arg) => typeof arg === "function") as AnyFunction | undefined;
  if (form === "sync" || callback === undefined) {
    if (name === "exists") return false;
    throw error;
  }
  originals.setImmediate(callback, name === "exists" ? false : error);
}

const WITH_DESTINATION = new Set(["copyfile", "link", "rename"]);

/** The error of making a copy, in the words that Node uses for an error of the call itself. */
function named(overlay: Overlay, error: unknown, name: string, args: unknown[]): unknown {
  if (!isSystemError(error) || error.syscall === undefined) return error;
  const [path, dest] = args.map((arg) =>
    typeof arg === "string" || arg instanceof URL || Buffer.isBuffer(arg) ? pathText(arg) : null,
  );
  const [reason = error.message] = error.message.split(`, ${error.syscall} `);
  const to = WITH_DESTINATION.has(name) && typeof dest === "string" ? { dest } : {};
  const message = `${reason}, ${name} '${path ?? error.path}'${"dest" in to ? ` -> '${to.dest}'` : ""}`;
  const stack = error.stack?.replace(error.message, () => message);
  const fields = {
    message,
    syscall: name,
    path: path ?? error.path,
    ...to,
    ...(stack === undefined ? {} : { stack }),
  };
  return shownError(overlay, Object.assign(error, fields), []);
}
