import net from "node:net";
import { responderHere } from "./intercepted.ts";

/** Lets no connection to another machine be opened in a test that the test does not allow: HTTP/2, a database, a client of its own. */
export function guardSockets(): void {
  const real: unknown = Reflect.get(net.Socket.prototype, "connect");
  if (typeof real !== "function") return;
  Reflect.set(net.Socket.prototype, "connect", function connect(this: net.Socket, ...args: unknown[]): unknown {
    const responder = responderHere();
    const target = responder === undefined ? null : targetOf(args);
    const error = target === null ? null : (responder?.refusal(target) ?? null);
    if (error === null) return Reflect.apply(real, this, args);
    process.nextTick(() => this.destroy(error));
    return this;
  });
}

export interface Target {
  readonly host: string;
  readonly port: string;
}

/** Where `connect(options)`, `connect(port, host)` or a call of `net.connect` goes to; null: to a path of this machine. */
function targetOf([given, second]: readonly unknown[]): Target | null {
  // `net.connect` and `tls.connect` hand on a list: options, listener
  const first: unknown = Array.isArray(given) ? given[0] : given;
  if (typeof first === "object" && first !== null) {
    if (typeof Reflect.get(first, "path") === "string" && Reflect.get(first, "port") === undefined) return null;
    return { host: String(Reflect.get(first, "host") ?? "localhost"), port: String(Reflect.get(first, "port")) };
  }
  if (!/^\d+$/.test(String(first))) return null;
  return { host: typeof second === "string" ? second : "localhost", port: String(first) };
}
