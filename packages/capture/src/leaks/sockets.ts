import net from "node:net";
import { effectFrame } from "../run/context.ts";
import { isOwnAddress, noteOwnClient } from "../transport/own-ports.ts";
import { replaceMethod } from "../patch/replace-method.ts";
import { leaked } from "./leaked.ts";

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

let connecting = false;

/** A look-up for a connection is part of it, and no leak of its own. */
export function isConnecting(): boolean {
  return connecting;
}

/** Counts connections that no transport of ours makes. */
export function watchSockets(): () => void {
  return replaceMethod<Connect>(
    net.Socket.prototype,
    "connect",
    (real) =>
      function connect(this: net.Socket, ...args) {
        if (effectFrame() === null) return Reflect.apply(real, this, args);
        const target = targetOf(args);
        if (target !== null) leaked("socket", target);
        else noteOwnClient(this);
        const before = connecting;
        connecting = true;
        try {
          return Reflect.apply(real, this, args);
        } finally {
          connecting = before;
        }
      },
    "count",
  );
}

/** `host:port` or a path, of any form of `connect(…)`; null for a port of this process. */
function targetOf(args: unknown[]): string | null {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "string" && !/^\d+$/.test(first)) return first;
  const options =
    typeof first === "object" && first !== null ? (first as Record<string, unknown>) : { port: first, host: second };
  if (typeof options["path"] === "string") return options["path"];
  const host = typeof options["host"] === "string" && options["host"] !== "" ? options["host"] : "localhost";
  return isOwnAddress(Number(options["port"]), host) ? null : `${host}:${String(options["port"])}`;
}
