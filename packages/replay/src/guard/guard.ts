import dgram from "node:dgram";
import net from "node:net";
import { constants } from "node:os";
import { syncBuiltinESMExports } from "node:module";
import {
  isChildRunning,
  isLive,
  isLoadingProgram,
  isOwnAddress,
  isOwnPath,
  orderSend,
  raise,
  wasOwnAddress,
} from "@reenact/capture/recorder";
import { guardChildren } from "./guard-children.ts";
import { guardNames } from "./guard-names.ts";
import type { GuardOptions } from "./guard-options.ts";
import { guardThreads } from "./guard-threads.ts";
import { named } from "./named.ts";

/**
 * Refuses sockets, look-ups, child processes, signals to others and threads that cannot be put under guard,
 * and says so. Returns the undo.
 */
export function installGuard(options: GuardOptions): () => void {
  const undo = [
    guardSockets(options),
    guardNames(options),
    guardDatagrams(options),
    guardChildren(options),
    guardThreads(options),
    guardSignals(options),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const step of undo) step();
    syncBuiltinESMExports();
  };
}

function guardSockets({ refuse, applies, allows }: GuardOptions): () => void {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const target = destination(args);
    const { port, host, path } = target;
    const to = path ?? `${host ?? "localhost"}:${String(port)}`;
    if (!applies() || isOwn(target) || allows?.(to) === true) return Reflect.apply(connect, this, args);
    if (path === undefined && wasOwnAddress(Number(port), host ?? "localhost")) {
      return failed(this, connectionRefused(host ?? "localhost", Number(port)));
    }
    return failed(this, refuse("socket", to));
  } as typeof connect;
  return () => {
    net.Socket.prototype.connect = connect;
  };
}

/** To a port or path on which the program itself listens, or which a loader of programs needs. */
function isOwn({ port, host = "localhost", path }: ReturnType<typeof destination>): boolean {
  return path === undefined ? isOwnAddress(Number(port), host) : isLoadingProgram() || isOwnPath(path);
}

/** A connection that fails: as any other does, behind the call that asked for it, since a TLS socket is set up further until then. */
function failed(socket: net.Socket, error: Error): net.Socket {
  Reflect.set(socket, "connecting", true);
  process.nextTick(() => socket.destroy(error));
  return socket;
}

/** The error of a port without a listener. */
function connectionRefused(address: string, port: number): Error {
  const code = "ECONNREFUSED";
  const errno = -constants.errno[code];
  return Object.assign(new Error(`connect ${code} ${address}:${port}`), {
    errno,
    code,
    syscall: "connect",
    address,
    port,
  });
}

/** `net` normalises its arguments into one array before this is reached; users may call it in any form. */
function destination(args: unknown[]): { port?: unknown; host?: string; path?: string } {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === "object" && first !== null) {
    const { port, host, path }: { port?: unknown; host?: string; path?: string | null } = first;
    // clients of `node:http` ask for a path that is null
    return { port, ...(host && { host }), ...(path && { path }) };
  }
  if (typeof first === "string" && Number.isNaN(Number(first))) return { path: first };
  return typeof args[1] === "string" ? { port: first, host: args[1] } : { port: first };
}

/** Size of a datagram in bytes; `message` is its content, a list of parts, or the size itself. */
function bytesOf(message: unknown): number {
  if (Array.isArray(message)) return message.reduce((sum: number, part) => sum + bytesOf(part), 0);
  return typeof message === "number" ? message : Buffer.byteLength(message as string);
}

/** Drops datagrams: their sender gets no answer, so that the program continues as if they were sent. */
function guardDatagrams({ refuse, applies, onDatagram }: GuardOptions): () => void {
  const { send, connect } = dgram.Socket.prototype as unknown as Record<string, (...a: unknown[]) => unknown>;
  const proto = dgram.Socket.prototype as unknown as Record<string, unknown>;
  proto["send"] = function (this: unknown, ...args: unknown[]) {
    if (!applies()) return send?.apply(this, args);
    const [message, port, address] = typeof args[2] === "number" ? [args[2], args[3], args[4]] : args;
    onDatagram(typeof address === "string" ? `${address}:${String(port)}` : String(port));
    const gone = orderSend((...given: unknown[]) => {
      const done = given.at(-1) as (error: null, bytes: number) => void;
      setImmediate(() => done(null, bytesOf(message)));
    });
    if (typeof args.at(-1) === "function") gone(...args);
    return undefined;
  };
  proto["connect"] = function (this: unknown, ...args: unknown[]) {
    if (!applies()) return connect?.apply(this, args);
    return raise(refuse("udp", String(args[0])));
  };
  return () => {
    proto["send"] = send;
    proto["connect"] = connect;
  };
}

/** The real process id; `process.pid` is the recorded one in a replay. */
const { pid: own } = process;

/** Refuses signals to other processes: a recorded process id may belong to any process now. Signals to itself are recorded. */
function guardSignals({ refuse, applies, onOwnDeath }: GuardOptions): () => void {
  const { kill } = process;
  process.kill = named(kill, (pid: number, signal: string | number = "SIGTERM") => {
    const send = (to: number): true => Reflect.apply(kill, process, [to, signal]);
    if (!applies() || isLive()) return send(pid);
    const isRunning = isChildRunning(Math.abs(pid));
    // the record tells how it ends
    if (isRunning !== null) return isRunning ? true : raise(noSuchProcess());
    if (signal === 0) return send(pid === process.pid ? own : pid);
    const name = typeof signal === "string" ? signal : nameOf(signal);
    const isOwn = pid === own || pid === process.pid;
    if (!isOwn) return raise(refuse("signal", `${name} to process ${pid}`));
    if (!Object.hasOwn(constants.signals, name)) return send(own);
    if (process.listenerCount(name) === 0 && !HARMLESS.has(name)) onOwnDeath(name);
    return true;
  });
  return () => {
    process.kill = kill;
  };
}

/** The error of a signal to a process that has ended. */
function noSuchProcess(): Error {
  const code = "ESRCH";
  const errno = -constants.errno[code];
  return Object.assign(new Error(`kill ${code}`), { errno, code, syscall: "kill" });
}

/** Their default action does not end a process. */
const HARMLESS = new Set(["SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH"]);

function nameOf(signal: number): string {
  return Object.entries(constants.signals).find(([, n]) => n === signal)?.[0] ?? String(signal);
}
