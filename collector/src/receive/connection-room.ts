import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** The far end of a connection, as its socket or a wrapper of that says it. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** Limits the number of open connections. Idle connections are closed first, so a client that sends requests is not refused. */
export interface ConnectionRoom {
  /** A connection was made. Where there is no room, that which has been idle longest is closed; if none is, this one. */
  enter(socket: Socket): void;
  /** A request of it begins; the returned function says that it is over. */
  work(peer: Peer): () => void;
}

interface Entry {
  readonly key: string;
  readonly socket: Socket;
  working: number;
}

/** `most`: the most connections at a time. A connection counts as idle until its first request begins, and between requests. */
export function createConnectionRoom(most: number): ConnectionRoom {
  const all = new Map<string, Entry>();
  /** in the order in which they became it */
  const idle = new Set<Entry>();

  function leave(entry: Entry): void {
    idle.delete(entry);
    if (all.get(entry.key) === entry) all.delete(entry.key);
  }

  return {
    enter(socket) {
      if (all.size >= most) {
        const [longest] = idle;
        if (longest === undefined) {
          socket.destroy();
          return;
        }
        leave(longest);
        longest.socket.destroy();
      }
      const entry: Entry = { key: keyOf(socket), socket, working: 0 };
      all.set(entry.key, entry);
      idle.add(entry);
      socket.once("close", () => leave(entry));
    },
    work(peer) {
      const entry = all.get(keyOf(peer));
      if (entry === undefined) return () => {};
      entry.working++;
      idle.delete(entry);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        if (--entry.working === 0 && all.get(entry.key) === entry) idle.add(entry);
      };
    },
  };
}

const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress}|${remotePort}`;

const MOST = 4096;
/** files of the journal, the store and the catalog */
const OTHER_FILES = 256;

/** Connections that one port may have: a third of the files that this process may open. */
export function mostConnections(): number {
  let limits: string;
  try {
    limits = readFileSync("/proc/self/limits", "utf8");
  } catch {
    return MOST;
  }
  const files = Number(/^Max open files +([0-9]+)/m.exec(limits)?.[1] ?? Infinity);
  return Math.max(64, Math.min(MOST, Math.floor((files - OTHER_FILES) / 3)));
}
