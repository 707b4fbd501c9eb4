import { guarded, steppedAside } from "../../fault/faults.ts";
import { isLive } from "../../run/context.ts";
import { type Dispatch, type DispatchOptions, watchDispatch } from "../undici/undici-dispatch.ts";
import type { DispatchHandler, ParsedHeaders, RawHeaders } from "../undici/undici-handler.ts";

type WebSocketClass = new (...args: unknown[]) => object;

/** Node's own client is asked by its own copy of undici, which keeps its dispatcher here. */
const DISPATCHERS = ["undici.globalDispatcher.2", "undici.globalDispatcher.1"].map((name) => Symbol.for(name));

/** Records the global `WebSocket`, which is loaded when the program asks for it. */
export function installWebSocket(): () => void {
  const before = Object.getOwnPropertyDescriptor(globalThis, "WebSocket");
  if (before === undefined || !before.configurable) return () => {};
  const made = new WeakMap<object, WebSocketClass>();
  const given = new WeakSet<object>();
  const watched = (value: unknown): unknown => {
    if (typeof value !== "function" || given.has(value)) return value;
    let own = made.get(value);
    if (own === undefined) {
      made.set(value, (own = watchClass(value as WebSocketClass)));
      given.add(own);
    }
    return own;
  };
  let value: unknown;
  let isSet = false;
  Object.defineProperty(globalThis, "WebSocket", {
    configurable: true,
    enumerable: before.enumerable ?? false,
    get: () => {
      if (isSet) return value;
      return watched(before.get === undefined ? before.value : Reflect.apply(before.get, globalThis, []));
    },
    set(other: unknown) {
      isSet = true;
      value = other;
    },
  });
  return () => {
    if (!isSet) Object.defineProperty(globalThis, "WebSocket", before);
  };
}

function watchClass(real: WebSocketClass): WebSocketClass {
  const own: WebSocketClass = new Proxy(real, {
    construct(target, args: unknown[], called): object {
      const isWatched = !isLive() && !steppedAside("websocket");
      const ours = isWatched ? guarded("websocket", null, () => withDispatcher(args)) : null;
      return Reflect.construct(target, ours ?? args, called === own ? target : called) as object;
    },
  });
  // `constructor` of an instance is the class that the program knows
  const { prototype } = real as unknown as { prototype: object };
  Object.defineProperty(prototype, "constructor", { value: own, writable: true, configurable: true });
  return own;
}

/** Null: nothing to watch. Its third argument is none of the program's. */
function withDispatcher(args: unknown[]): unknown[] | null {
  // the class throws an error of its own
  if (args.length === 0) return null;
  const [url, init, ...rest] = args;
  const isOptions = typeof init === "object" && init !== null && !(Symbol.iterator in init);
  const options = isOptions ? init : init === undefined ? {} : { protocols: init };
  const chosen: unknown = Reflect.get(options, "dispatcher");
  const target = (): object | null => {
    if (typeof chosen === "object" && chosen !== null) return chosen;
    for (const key of DISPATCHERS) {
      const found: unknown = Reflect.get(globalThis, key);
      if (typeof found === "object" && found !== null) return found;
    }
    return null;
  };
  if (target() === null) return null;
  const dispatch = watchDispatch(function (this: object, given, handler) {
    const to = target() as { dispatch: Dispatch };
    return Reflect.apply(to.dispatch, to, [given, handler]);
  }, parseHeaders);
  const dispatcher = {
    dispatch: (given: DispatchOptions, handler: DispatchHandler) =>
      Reflect.apply(dispatch, target() as object, [given, handler]),
  };
  return [url, { ...options, dispatcher }, ...rest];
}

function parseHeaders(raw: RawHeaders): ParsedHeaders {
  const parsed: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) parsed[String(raw[i]).toLowerCase()] = String(raw[i + 1]);
  return parsed;
}
