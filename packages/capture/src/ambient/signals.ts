import { constants } from "node:os";
import { here } from "../run/context.ts";
import { copyFunctionProperties } from "../patch/copy-function-properties.ts";
import { type ExternalEvents, openExternalEvents } from "./external-events.ts";

type Emit = (this: NodeJS.Process, ...args: unknown[]) => unknown;

/** They tell of the terminal, of children and of Node's own tools: another machine has others. */
const NOT_OURS = new Set(["SIGWINCH", "SIGCONT", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGCHLD", "SIGPROF", "SIGPIPE"]);

const isSignal = (type: unknown): type is NodeJS.Signals =>
  typeof type === "string" && Object.hasOwn(constants.signals, type) && !NOT_OURS.has(type);

/**
 * Signals that the agent listens to. Node binds `process.emit` when the first listener is added: what it finds there
 * at that moment is ours, so that a signal from outside is told from one that the agent emits.
 */
export function installSignals(): () => void {
  const heard = new Map<string, ExternalEvents>();
  const real = process.emit as unknown as Emit;
  const emit: Emit = function (...args) {
    const [event, type] = args;
    if (event === "newListener" && isSignal(type)) return hear(type, () => Reflect.apply(real, this, args));
    const done = Reflect.apply(real, this, args);
    if (event === "removeListener" && isSignal(type) && process.listenerCount(type) === 0) {
      heard.get(type)?.close();
      heard.delete(type);
    }
    return done;
  };

  function hear(type: NodeJS.Signals, listen: () => unknown): unknown {
    const frame = heard.has(type) ? null : here();
    if (frame === null) return listen();
    const before = Object.getOwnPropertyDescriptor(process, "emit") as PropertyDescriptor;
    const outer = process.emit as unknown as Emit;
    const events = openExternalEvents(frame, type, {
      referenced: () => false,
      replayed: () => void Reflect.apply(outer, process, [type, type, constants.signals[type]]),
    });
    heard.set(type, events);
    const arrived: Emit = function (...args) {
      if (args[0] !== type) return Reflect.apply(outer, this, args);
      return events.came("", () => void Reflect.apply(outer, process, args));
    };
    Object.defineProperty(process, "emit", { ...before, value: arrived });
    try {
      return listen();
    } finally {
      Object.defineProperty(process, "emit", before);
    }
  }

  const ours = copyFunctionProperties(emit, real);
  Object.defineProperty(process, "emit", { value: ours, writable: true, configurable: true, enumerable: false });
  return () => {
    if (Object.getOwnPropertyDescriptor(process, "emit")?.value === ours) Reflect.deleteProperty(process, "emit");
  };
}
