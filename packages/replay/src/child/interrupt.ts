import { EventEmitter } from "node:events";
import { live } from "@reenact/capture/recorder";

export const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `end` for a signal from the person who runs the replay. The agent can count listeners, so none is left behind:
 * Node keeps handling a signal until it is told that the last listener was removed.
 */
export function onInterrupt(end: (signal: NodeJS.Signals) => void): void {
  const before = Object.getOwnPropertyDescriptor(process, "emit");
  const { emit } = EventEmitter.prototype;
  const heard = (event: string, ...args: unknown[]): unknown => {
    if (event === "removeListener") return true;
    const signal = INTERRUPTS.find((each) => each === event);
    return signal === undefined ? Reflect.apply(emit, process, [event, ...args]) : end(signal);
  };
  Object.defineProperty(process, "emit", { value: heard, writable: true, configurable: true });
  live(() => {
    for (const signal of INTERRUPTS) {
      const nobody = (): void => {};
      process.on(signal, nobody);
      process.off(signal, nobody);
    }
  });
  if (before === undefined) Reflect.deleteProperty(process, "emit");
  else Object.defineProperty(process, "emit", before);
}
