import { EventEmitter } from "node:events";
import fs, { type Stats } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { here, live } from "../run/context.ts";
import { type ExternalEvents, openExternalEvents } from "./external-events.ts";
import { replaceMethod, undoAll } from "../patch/replace-method.ts";
import { prototypeOf } from "../patch/prototype-of.ts";

type Listener = (current: Stats, before: Stats) => void;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

interface Watched {
  readonly events: ExternalEvents;
  /** what Node calls in the listener's place; null in a replay */
  readonly relay: Listener | null;
}

/**
 * `fs.watchFile`: each call of its listener is in a turn of its own. In a replay it comes at its recorded place, and
 * tells what stands in the agent's files then.
 */
export function installStatWatchers(): () => void {
  const known = new Map<string, Map<unknown, Watched>>();
  return undoAll([
    replaceMethod<AnyFunction>(
      fs,
      "watchFile",
      (real) =>
        function (this: unknown, ...args) {
          const frame = here();
          const listener = (typeof args[1] === "function" ? args[1] : args[2]) as Listener | undefined;
          const path = pathOf(args[0]);
          if (frame === null || path === null || typeof listener !== "function") return Reflect.apply(real, this, args);
          const options = (typeof args[1] === "object" ? args[1] : {}) as { bigint?: boolean; persistent?: boolean };
          let referenced = options.persistent !== false;
          const look = (): Stats => statsOf(path, options.bigint === true);
          let before: Stats | undefined;
          const events = openExternalEvents(frame, "WATCHFILE", {
            referenced: () => referenced,
            replayed() {
              const current = look();
              listener(current, before ?? current);
              before = current;
            },
          });
          const listeners = known.get(path) ?? new Map<unknown, Watched>();
          known.set(path, listeners);
          if (frame.run.source.virtualTimers) {
            before = look();
            listeners.set(listener, { events, relay: null });
            const watcher = new EventEmitter();
            const keep = (keeps: boolean) => (): EventEmitter => {
              referenced = keeps;
              return watcher;
            };
            return Object.assign(watcher, { ref: keep(true), unref: keep(false) });
          }
          const relay: Listener = (...stats) => events.came("", () => listener(...stats));
          listeners.set(listener, { events, relay });
          return live(() => Reflect.apply(real, this, [args[0], options, relay]));
        },
    ),
    replaceMethod<AnyFunction>(
      fs,
      "unwatchFile",
      (real) =>
        function (this: unknown, ...args) {
          const [path, listener] = args;
          const listeners = known.get(pathOf(path) ?? "");
          if (listeners === undefined) return Reflect.apply(real, this, args);
          const left = typeof listener === "function" ? [listener] : [...listeners.keys()];
          for (const each of left) {
            const watched = listeners.get(each);
            watched?.events.close();
            listeners.delete(each);
            Reflect.apply(real, this, [path, watched?.relay ?? each]);
          }
        },
    ),
  ]);
}

function pathOf(given: unknown): string | null {
  if (typeof given === "string") return resolve(given);
  return given instanceof URL ? fileURLToPath(given) : Buffer.isBuffer(given) ? resolve(given.toString()) : null;
}

/** As Node tells of a file that is not there: all zero. */
function statsOf(path: string, bigint: boolean): Stats {
  const stats = fs.statSync(path, { bigint, throwIfNoEntry: false }) as Stats | undefined;
  if (stats !== undefined) return stats;
  const like = fs.statSync(".", { bigint }) as Stats;
  const zero = Object.entries(like).map(([key, value]) => [
    key,
    typeof value === "number" ? 0 : typeof value === "bigint" ? 0n : new Date(0),
  ]);
  return Object.assign(Object.create(prototypeOf(like)) as Stats, Object.fromEntries(zero));
}
