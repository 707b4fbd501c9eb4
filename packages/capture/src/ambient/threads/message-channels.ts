import { AsyncResource } from "node:async_hooks";
import workers from "node:worker_threads";
import { type RunFrame, here, live } from "../../run/context.ts";
import { isLoadingProgram } from "../../leaks/program-loading.ts";
import { comingByTurns } from "./coming-by-turns.ts";
import { orderedCompletion } from "../operations/ordered-completion.ts";
import { replaceMethod, undoAll } from "../../patch/replace-method.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** One end of a channel that a run made. */
interface End {
  readonly frame: RunFrame;
  /** the context in which the channel was made: its listeners run there */
  readonly maker: AsyncResource;
  other: End | null;
  /** what was sent to this end and has not come: each is an ordered operation; null: sent by what is not recorded */
  readonly coming: (((fire: () => void) => void) | null)[];
  /** its other end is in another thread: what comes from there */
  fromThread: ((hand: () => void) => void) | null;
}

/** Node calls it on a port when a message, or its close, has come. */
const DISPATCH = Symbol.for("nodejs.internal.kHybridDispatch");
/** Holds the transferred ports while it does. */
const RECEIVING = "nodejs.internal.kCurrentlyReceivingPorts";

const ends = new WeakMap<object, End>();

/**
 * Messages come when the loop finds time for them: each one's arrival is gated, be it from the other end of a channel in
 * this thread or from a thread to which that end was given.
 */
export function installMessageChannels(): () => void {
  const { prototype } = MessagePort;
  if (!(DISPATCH in prototype)) return () => {};
  const inherited = !Object.hasOwn(prototype, DISPATCH);
  if (inherited) {
    const value: unknown = Reflect.get(prototype, DISPATCH);
    Object.defineProperty(prototype, DISPATCH, { value, writable: true, configurable: true, enumerable: false });
  }
  return undoAll([
    () => void (inherited && Reflect.deleteProperty(prototype, DISPATCH)),
    replaceMethod<AnyFunction>(globalThis, "MessageChannel", watchedClass as never),
    replaceMethod<AnyFunction>(workers, "MessageChannel", () => globalThis.MessageChannel as never),
    replaceMethod<AnyFunction>(prototype, "postMessage", watchSending),
    replaceMethod<AnyFunction>(prototype, DISPATCH, watchArrival),
    replaceMethod<AnyFunction>(workers, "receiveMessageOnPort", (real) => (port, ...rest) => {
      const message = real(port, ...rest);
      if (message !== undefined) ends.get(port as object)?.coming.shift();
      return message;
    }),
  ]);
}

function watchedClass(Real: typeof MessageChannel): typeof MessageChannel {
  return new Proxy(Real, {
    construct(target, args, newTarget: object) {
      const frame = here();
      // made as ours, so that its wake-ups do not count as those of an unknown resource
      const make = (): MessageChannel => Reflect.construct(target, args, newTarget as never) as MessageChannel;
      if (frame === null) return make();
      const channel = live(make);
      const [one, two] = [channel.port1, channel.port2].map((port) => {
        const end: End = {
          frame,
          maker: new AsyncResource("MESSAGECHANNEL"),
          other: null,
          coming: [],
          fromThread: null,
        };
        ends.set(port, end);
        return end;
      }) as [End, End];
      one.other = two;
      two.other = one;
      return channel;
    },
  });
}

function watchSending(real: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    const sent = Reflect.apply(real, this, args);
    const given = Array.isArray(args[1]) ? args[1] : (args[1] as { transfer?: unknown } | undefined)?.transfer;
    if (Array.isArray(given)) for (const port of given as object[]) letGo(port);
    const other = ends.get(this as object)?.other;
    other?.coming.push(here() === null ? null : orderedCompletion(other.frame));
    return sent;
  };
}

/** From now on its other end receives messages from elsewhere. */
function letGo(port: object): void {
  const end = ends.get(port);
  if (end === undefined) return;
  ends.delete(port);
  if (end.other === null) return;
  if (!isLoadingProgram()) end.other.fromThread = comingByTurns(end.other.frame);
  end.other.other = null;
}

function watchArrival(real: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    const end = ends.get(this as object);
    if (end === undefined) return Reflect.apply(real, this, args);
    const arrive = (): void => void end.maker.runInAsyncScope(real, this, ...args);
    const deliver = args[1] === "message" ? (end.coming.shift() ?? end.fromThread) : null;
    if (deliver === null || deliver === undefined) return arrive();
    const port = this as Record<symbol, unknown>;
    const key = Object.getOwnPropertySymbols(port).find(({ description }) => description === RECEIVING);
    const ports = key === undefined ? undefined : port[key];
    deliver(() => {
      if (key === undefined) return arrive();
      const before = port[key];
      port[key] = ports;
      try {
        arrive();
      } finally {
        port[key] = before;
      }
    });
  };
}
