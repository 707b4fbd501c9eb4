import { live } from "../run/context.ts";
import type { LoadWatch } from "../hook/module-loading.ts";
import { type CallbackFunction, orderCallback } from "./operations/ordered-operations.ts";
import { replaceMethod, undoAll } from "../patch/replace-method.ts";

/**
 * Datagrams (metrics for statsd and the like) have no answer: a run records only when one was sent, if the agent passes a
 * callback. Watched from the time when the agent loads the module.
 */
export function watchDatagrams(): LoadWatch {
  const undos: (() => void)[] = [];
  return {
    asked(url) {
      if (!/^(?:node:)?dgram$/.test(url) || undos.length > 0) return;
      const { Socket } = process.getBuiltinModule("node:dgram");
      undos.push(replaceMethod<CallbackFunction>(Socket.prototype, "send", orderSend));
    },
    undo: undoAll(undos),
  };
}

export function orderSend(real: CallbackFunction): CallbackFunction {
  const ordered = orderCallback(real);
  return function (this: unknown, ...args) {
    return typeof args.at(-1) === "function"
      ? Reflect.apply(ordered, this, args)
      : live(() => Reflect.apply(real, this, args));
  };
}
