import type { Opening } from "../close-stack.ts";
import type { CollectorConfig } from "../config-schema.ts";
import { type AllowList, assertSafeBind, createAllowList, isLoopback } from "../receive/allow-list.ts";
import { type Keys, openDoor } from "../receive/keys.ts";
import { watchKeys } from "../receive/watch-keys.ts";

/** Who may call. */
export interface Access {
  readonly keys: Keys;
  readonly allowList: AllowList;
  /** Reads the file with the keys again, now. */
  reload(): void;
}

/** Throws `CollectorError`: `UNSAFE_BIND`, or `BAD_CONFIG` for a file of keys that is not as it must be. */
export function openAccess({ keys: file, tenant, listen }: CollectorConfig, { log, stack }: Opening): Access {
  const watched = file === undefined ? null : watchKeys(file, log);
  if (watched) stack.add("keys", () => watched.close());
  const keys = watched ?? openDoor(tenant);
  const { host, port, hosts, origins, tls } = listen;
  assertSafeBind(host, keys.required);
  if (keys.required && !tls && !isLoopback(host)) log("warn", "listen.keys-in-clear", { host, port });
  return {
    keys,
    allowList: createAllowList({ host, hosts, origins, keysRequired: keys.required }),
    reload: () => watched?.reload(),
  };
}
