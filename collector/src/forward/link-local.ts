import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const blocked = new BlockList();
blocked.addSubnet("169.254.0.0", 16, "ipv4");
blocked.addSubnet("fe80::", 10, "ipv6");
/** where clouds serve their credentials on IPv6 */
blocked.addAddress("fd00:ec2::254", "ipv6");

/** Whether an address is one that only this machine's link can mean: credentials of a cloud lie there. */
export function isLinkLocal(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  return family !== 0 && blocked.check(bare, family === 6 ? "ipv6" : "ipv4");
}

/** `dns.lookup` that answers with an error instead of a link-local address, whatever the name was. */
export const lookupGlobal: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, "", 0);
    const allowed = found.filter(({ address }) => !isLinkLocal(address));
    const first = allowed[0];
    if (!first) return callback(refusal(hostname), "", 0);
    if (options.all) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};

function refusal(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is a link-local address, which is never forwarded to`), {
    code: "LINK_LOCAL",
  });
}
