import { randomUUID } from "node:crypto";
import net from "node:net";

type Listen = (this: net.Server, ...args: unknown[]) => net.Server;
type Emit = (this: net.Server, ...args: unknown[]) => boolean;

const LOOPBACK = "127.0.0.1";
const IS_LOOPBACK = /^(?:localhost|::1|127\.[\d.]+)$/;
/** The port is another program's, perhaps that of the recorded server itself, or not for this user. */
const NOT_HERE = new Set(["EADDRINUSE", "EADDRNOTAVAIL", "EACCES"]);

/**
 * Lets servers of a replayed program listen on loopback alone, since nobody but the replay is to reach them, and on another port
 * where theirs is not to be had here. `moved` is told of such a port.
 */
export function listenOnLoopback(moved: (port: unknown) => void): void {
  const { prototype } = net.Server;
  const listen = prototype.listen as Listen;
  const emit = prototype.emit as Emit;
  const again = new WeakSet<net.Server>();
  const own = {
    listen(this: net.Server, ...args: unknown[]): net.Server {
      return Reflect.apply(listen, this, onLoopback(args));
    },
    emit(this: net.Server, ...args: unknown[]): boolean {
      const [event, error] = args as [unknown, NodeJS.ErrnoException & { port?: unknown }];
      if (event !== "error" || !NOT_HERE.has(error?.code ?? "") || error.syscall !== "listen" || again.has(this))
        return Reflect.apply(emit, this, args);
      again.add(this);
      moved(error.port);
      Reflect.apply(listen, this, [{ port: 0, host: LOOPBACK }]);
      return true;
    },
  };
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(prototype, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A place that has no file, so that nothing is left behind and no server of this machine is in the way. */
function ownPath(): { path: string } | { port: number; host: string } {
  return process.platform === "linux" ? { path: `\0reenact-${randomUUID()}` } : { port: 0, host: LOOPBACK };
}

/** Arguments of `listen` in each of its forms, with loopback as the host; another place for a path; as they are for a handle. */
function onLoopback(args: readonly unknown[]): unknown[] {
  const [first, second, ...rest] = args;
  if (typeof first === "object" && first !== null) {
    const { port, host, path } = first as { port?: unknown; host?: unknown; path?: unknown };
    if (port !== undefined) return [{ ...first, host: loopback(host) }, ...args.slice(1)];
    return typeof path === "string" ? [{ ...first, path: undefined, ...ownPath() }, ...args.slice(1)] : [...args];
  }
  if (typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first)))
    return typeof second === "string" ? [first, loopback(second), ...rest] : [first, LOOPBACK, ...args.slice(1)];
  if (typeof first === "string") return [ownPath(), ...args.slice(1)];
  return first === undefined || typeof first === "function" ? [{ port: 0, host: LOOPBACK }, ...args] : [...args];
}

function loopback(host: unknown): string {
  return typeof host === "string" && IS_LOOPBACK.test(host) ? host : LOOPBACK;
}
