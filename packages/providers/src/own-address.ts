import { provider } from "./registry.ts";

/**
 * Whether nobody but this provider answers at an address, so that its key may go there: one of its hosts, encrypted and at the
 * usual port, or what its SDK uses on this machine. Vendors that speak the format of another one are not meant: their host is no
 * place for its key.
 *
 * @param row the name of a row of `PROVIDERS`; of another name no address is its own
 */
export function isOwnAddress(row: string, { protocol, port, hostname, origin }: URL): boolean {
  const found = rowOf(row);
  if (found === null) return false;
  if (found.localOrigins?.includes(origin) === true) return true;
  if (protocol !== "https:" || port !== "") return false;
  return found.hosts.some(({ host, api }) => (api === undefined ? hostname === host : api.test(hostname)));
}

function rowOf(name: string): ReturnType<typeof provider> | null {
  try {
    return provider(name);
  } catch {
    return null;
  }
}
