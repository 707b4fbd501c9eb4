import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { effectFrame } from "../run/context.ts";
import type { LeakKind } from "./unrecorded-effects.ts";
import { isOwnAddress } from "../transport/own-ports.ts";
import { leaked } from "./leaked.ts";

/**
 * Counts what Node announces on a channel: datagram sockets, and requests of its own HTTP client that no transport of
 * ours makes (an EventSource), which may go over a connection that is open already.
 */
export function watchChannels(): (() => void)[] {
  return [
    watch("undici:request:create", "socket", (message) => serverOf((message as { request?: Requested }).request)),
    watch("udp.socket", "udp", (message) => (message as { socket?: { type?: string } }).socket?.type ?? "socket"),
  ];
}

interface Requested {
  origin?: string | URL;
}

/** As a connection is called: with its port. null: the program itself is the server. */
function serverOf(request: Requested | undefined): string | null {
  try {
    const { hostname, port, protocol } = new URL(request?.origin ?? "");
    const number = Number(port) || (protocol === "https:" || protocol === "wss:" ? 443 : 80);
    return isOwnAddress(number, hostname) ? null : `${hostname}:${number}`;
  } catch {
    return "a server";
  }
}

function watch(channel: string, kind: LeakKind, targetOf: (message: unknown) => string | null): () => void {
  const listener = (message: unknown): void => {
    const target = effectFrame() === null ? null : targetOf(message);
    if (target !== null) leaked(kind, target);
  };
  subscribe(channel, listener);
  return () => void unsubscribe(channel, listener);
}
