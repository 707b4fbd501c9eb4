import { BlockList, isIP } from "node:net";
import type { IncomingHttpHeaders } from "node:http";
import { CollectorError } from "../collector-error.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Nothing outside this machine reaches it. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  const version = isIP(address);
  if (version === 0) return address.toLowerCase() === "localhost";
  return loopback.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** Anything but loopback without keys is refused at start. Throws `UNSAFE_BIND`. */
export function assertSafeBind(host: string, keysRequired: boolean): void {
  if (keysRequired || isLoopback(host)) return;
  const next = "set `keys` to a key file, or listen.host to 127.0.0.1";
  throw new CollectorError(
    "UNSAFE_BIND",
    `listen.host is ${host} and no keys are set: anybody could read and write`,
    next,
  );
}

export interface AllowListOptions {
  /** what the server is bound to */
  host: string;
  /** more names by which it may be called, without port; `*`: any */
  hosts: readonly string[];
  /** web origins that may call it, as in the `Origin` header */
  origins: readonly string[];
  keysRequired: boolean;
}

/** Why a request is refused; null: it is not. A web page can reach a loopback port: what it sends has an origin. */
export type AllowList = (headers: IncomingHttpHeaders) => string | null;

/**
 * A server with keys is called by whatever name its load balancer has, unless `hosts` says otherwise: a page that got
 * here by a name of its own has no key.
 */
export function createAllowList({ host, hosts, origins, keysRequired }: AllowListOptions): AllowList {
  const names = new Set(["localhost", "127.0.0.1", "[::1]", host, ...hosts].map((name) => name.toLowerCase()));
  const any = names.has("*") || (keysRequired && hosts.length === 0);
  const allowedOrigins = new Set(origins);
  return (headers) => {
    const { origin } = headers;
    if (origin !== undefined && !allowedOrigins.has(origin) && !isOwn(origin, headers.host))
      return `origin ${shown(origin)} is not in listen.origins`;
    if (any) return null;
    const name = (headers.host ?? "").replace(/:\d*$/, "").toLowerCase();
    if (name === "" || names.has(name) || isLoopback(name)) return name === "" ? "no host header" : null;
    return `host ${shown(name)} is not in listen.hosts`;
  };
}

/** The page that this server itself gave out, by the name by which it was asked, which the list of hosts still has to hold. */
function isOwn(origin: string, host: string | undefined): boolean {
  if (host === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { host: named, protocol, origin: whole } = new URL(origin);
  return whole === origin && URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === named;
}

const shown = (text: string) => JSON.stringify(text.slice(0, 100));
