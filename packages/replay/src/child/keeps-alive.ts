import { Server, Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { live, nodeChildren } from "@reenact/capture/recorder";
import { runningThreads } from "../guard/guard-threads.ts";
import { listed } from "../verdict/listed.ts";

const MOST_TOLD = 6;

/** Node has no public way to the handles themselves. */
type WithHandles = NodeJS.Process & { _getActiveHandles?(): unknown[] };

/** What keeps the program from ending, for people. `outside`: labels (`WATCH#1`) of what it waits for from outside. */
export function keepsAlive(outside: readonly string[] = []): string {
  const handles = live(() => (process as WithHandles)._getActiveHandles?.() ?? []);
  const threads = runningThreads().map((file) => `thread ${file}`);
  const found = [...new Set([...threads, ...outside.map(ofLabel), ...handles.flatMap((each) => ofHandle(each) ?? [])])];
  if (found.length === 0) return "a handle keeps it alive";
  return `${listed(found, MOST_TOLD)} ${found.length === 1 ? "keeps" : "keep"} it alive`;
}

function ofLabel(label: string): string {
  const [type = ""] = label.split("#", 1);
  if (type === "WATCH" || type === "WATCHFILE") return "a watcher of files";
  return type.startsWith("SIG") ? `a listener of ${type}` : `an event from outside (${type})`;
}

function ofHandle(handle: unknown): string | null {
  if (handle instanceof Server) return handle.listening ? `a server that listens on ${where(handle.address())}` : null;
  if (handle instanceof nodeChildren().ChildProcess) return `child process ${handle.pid ?? ""} (${handle.spawnfile})`;
  if (handle instanceof Worker) return `thread ${handle.threadId}`;
  if (handle instanceof Socket) return ofSocket(handle);
  const name = (handle as { constructor?: { name?: string } } | null)?.constructor?.name ?? "";
  if (name === "MessagePort") return "a message port (of a thread or a channel)";
  if (name === "FSWatcher" || name === "FSEvent" || name === "StatWatcher") return "a watcher of files";
  return null;
}

function ofSocket(socket: Socket): string | null {
  if ([process.stdin, process.stdout, process.stderr].some((each) => (each as unknown) === socket)) return null;
  if (socket.remotePort === undefined) return null;
  return `a connection with ${socket.remoteAddress ?? "localhost"}:${socket.remotePort}`;
}

function where(address: ReturnType<Server["address"]>): string {
  return typeof address === "object" && address !== null ? `port ${address.port}` : String(address);
}
