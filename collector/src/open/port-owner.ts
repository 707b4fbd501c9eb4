import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** The process that listens on a local port, for messages: `node server.js (pid 4711)`. Null: the system does not tell. */
export function portOwner(port: number): string | null {
  try {
    const sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listeningOn(table, port));
    return sockets.length === 0 ? null : holderOf(new Set(sockets.map((inode) => `socket:[${inode}]`)));
  } catch {
    return null;
  }
}

const LISTENING = "0A";

function listeningOn(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readFileSync(table, "utf8").split("\n").slice(1);
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode] = row.trim().split(/\s+/);
    return local.endsWith(suffix) && state === LISTENING && inode !== undefined ? [inode] : [];
  });
}

function holderOf(sockets: ReadonlySet<string>): string | null {
  for (const pid of readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name))) {
    if (!holds(pid, sockets)) continue;
    const [program = "", script = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, 2);
    const names = [program, script]
      .filter((word) => word !== "" && !word.startsWith("-"))
      .map((word) => basename(word));
    return `${names.join(" ")} (pid ${pid})`;
  }
  return null;
}

/** Processes of others, and those that end meanwhile, cannot be looked into. */
function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => sockets.has(readlinkSync(`${folder}/${fd}`)));
  } catch {
    return false;
  }
}
