import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { LeakKind } from "../leak-book.ts";
import { leaked } from "./leaked.ts";

/** Counts datagram sockets, which Node announces on a channel. */
export function watchChannels(): (() => void)[] {
  return [
    watch("udp.socket", "udp", (message) => (message as { socket?: { type?: string } }).socket?.type ?? "socket"),
  ];
}

function watch(channel: string, kind: LeakKind, targetOf: (message: unknown) => string): () => void {
  const listener = (message: unknown): void => leaked(kind, targetOf(message));
  subscribe(channel, listener);
  return () => void unsubscribe(channel, listener);
}
