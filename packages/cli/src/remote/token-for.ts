import { environment } from "../process/environment.ts";
import type { RemoteOptions } from "./remote-options.ts";
import { upAddress } from "./up-address.ts";

const DESTINATIONS = ["REENACT_SERVER", "REENACT_ENDPOINT", "PHOENIX_COLLECTOR_ENDPOINT", "PHOENIX_BASE_URL"];

/**
 * The key for an address: `--token`, else the variable of this name. A variable's goes only to addresses that this
 * environment or an option names, and to this machine: a link from elsewhere must not get it.
 */
export function tokenFor(
  address: string,
  options: RemoteOptions & { store: string },
  variable = "REENACT_API_KEY",
): string | undefined {
  if (options.token !== undefined) return options.token;
  // its default is not an option's: help would show it
  const env = environment();
  const key = env[variable] || undefined;
  if (key === undefined) return undefined;
  const host = hostOf(address);
  const named = [options.server, options.from, upAddress(options.store), ...DESTINATIONS.map((name) => env[name])];
  return isLoopback(host) || named.some((each) => host !== "" && each && hostOf(each) === host) ? key : undefined;
}

/** With the port; empty where it is no URL. As `fetch` reads it, so that no other host can look like this one. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host.toLowerCase() : "");

/** With a port, or without one. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);
