import { unwatchFile, watchFile } from "node:fs";
import type { Log } from "../log.ts";
import { type Keys, loadKeys } from "./keys.ts";

export interface WatchedKeys extends Keys {
  /** Reads the file again, now. A file that is not as it must be changes nothing, and is told. */
  reload(): void;
  close(): void;
}

/** Looked at by its name, not held: a file that is put in its place, by a link too, is seen. */
const LOOK_MS = 1000;

/** The keys of a file, as it is: read again when it changes. Throws `BAD_CONFIG` if it cannot be read at first. */
export function watchKeys(path: string, log: Log): WatchedKeys {
  let keys = loadKeys(path);

  function reload(): void {
    try {
      keys = loadKeys(path);
      log("info", "keys.reloaded", { file: path });
    } catch (error) {
      log("error", "keys.not-reloaded", { file: path, error });
    }
  }

  watchFile(path, { interval: LOOK_MS, persistent: false }, reload);
  return {
    required: true,
    admit: (authorization, scope) => keys.admit(authorization, scope),
    list: (tenant) => keys.list(tenant),
    tenants: () => keys.tenants(),
    reload,
    close: () => unwatchFile(path, reload),
  };
}
