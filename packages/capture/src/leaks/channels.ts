import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { LeakKind } from "../leak-book.ts";
import { leaked } from "./leaked.ts";

/** Counts datagram sockets and worker threads, which Node announces on channels. */
export function watchChannels(): (() => void)[] {
  return [
    watch("udp.socket", "udp", (message) => (message as { socket?: { type?: string } }).socket?.type ?? "socket"),
    watch("worker_threads", "worker", () => "thread"),
  ];
}

function watch(channel: string, kind: LeakKind, targetOf: (message: unknown) => string): () => void {
  const listener = (message: unknown): void => leaked(kind, targetOf(message));
  subscribe(channel, listener);
  return () => void unsubscribe(channel, listener);
}
