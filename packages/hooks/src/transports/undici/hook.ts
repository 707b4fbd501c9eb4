import {
  type CallbackFunction,
  type Dispatch,
  copyFunctionProperties,
  guarded,
  type Hook,
  orderCallback,
  orderPromise,
  type ParseHeaders,
  replaceMethod,
  watchDispatch,
  watchFetch,
} from "@reenact/capture/hook";

interface Exports {
  fetch?: typeof globalThis.fetch;
  Agent?: { prototype: object };
  getGlobalDispatcher?: () => object;
  util?: { parseHeaders: ParseHeaders };
}

/** what goes to the global dispatcher, or hands it out */
const GLOBAL = ["getGlobalDispatcher", "request", "stream", "pipeline"];

/**
 * Records the npm package undici: its `fetch`, which clients are given for their proxies and agents and which answers
 * with a `Response` of the platform, and what its dispatchers are asked by `request`, `stream` and the like.
 * The global dispatcher may be of Node's own copy, which is there from the first use of `fetch` or `Response` on.
 */
export const undici: Hook = {
  name: "transports/undici",
  title: "requests of npm's undici",
  files: [{ packages: ["undici"], path: /^index\.js$/, value: "module.exports" }],
  patch: watchExports,
};

function watchExports(exports: Exports, undos: (() => void)[]): void {
  const seen = new WeakSet<object>();
  const watchClass = (prototype: object, parse: ParseHeaders): void => {
    if (seen.has(prototype)) return;
    seen.add(prototype);
    // clients, pools and agents have one base, which is not handed out
    const base = Reflect.getPrototypeOf(prototype);
    if (base === null) return;
    undos.push(
      replaceMethod<Dispatch>(base, "dispatch", (real) => watchDispatch(real, parse)),
      // they wait for connections, which a replay does not have
      ...["close", "destroy"].map((name) => replaceMethod<CallbackFunction>(base, name, orderEnd)),
    );
  };
  const { fetch, Agent, util, getGlobalDispatcher } = exports;
  if (typeof fetch === "function") exports.fetch = copyFunctionProperties(watchFetch(fetch), fetch);
  if (Agent === undefined || util === undefined) return;
  watchClass(Agent.prototype, util.parseHeaders);
  if (typeof getGlobalDispatcher !== "function") return;
  const look = (): void => watchClass(Object.getPrototypeOf(getGlobalDispatcher()) as object, util.parseHeaders);
  for (const name of GLOBAL)
    undos.push(
      replaceMethod<CallbackFunction>(exports, name, (real) => (...args) => {
        guarded("undici", undefined, look);
        return real(...args);
      }),
    );
}

function orderEnd(real: CallbackFunction): CallbackFunction {
  const [told, promised] = [orderCallback(real), orderPromise(real as never)];
  return function (this: unknown, ...args) {
    return Reflect.apply(args.some((arg) => typeof arg === "function") ? told : promised, this, args);
  };
}
