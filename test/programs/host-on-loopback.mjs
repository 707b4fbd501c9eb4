// Preload: the host name in LOOPBACK_HOST resolves to this machine.
import dns from "node:dns";

const { lookup } = dns;
dns.lookup = function (hostname, options, callback) {
  if (hostname !== process.env.LOOPBACK_HOST) return lookup.call(this, hostname, options, callback);
  const done = typeof options === "function" ? options : callback;
  const all = typeof options === "object" && options.all === true;
  process.nextTick(() => (all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4)));
};
