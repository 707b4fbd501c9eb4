import { subscribe, unsubscribe } from "node:diagnostics_channel";
import net from "node:net";

const servers = new Set<WeakRef<net.Server>>();
const known = new WeakSet<net.Server>();
/** on which one of them has listened at some time */
const former = new Set<number>();
let listened = false;
/** connections of this process to its own servers; those that are closed are taken out once it has doubled */
const clients = new Set<WeakRef<net.Socket>>();
const LEAST_CLIENTS = 64;
let mostClients = LEAST_CLIENTS;

const LOOPBACK = /^(localhost|::1|0\.0\.0\.0|::|127\..*)$/;

/** Ports on which this process itself listens: calls to them stay inside the program and are no steps. */
export function isOwnPort(url: URL): boolean {
  return isOwnAddress(Number(url.port || (url.protocol === "https:" ? 443 : 80)), url.hostname.replace(/^\[|\]$/g, ""));
}

export function isOwnAddress(port: number, host = "localhost"): boolean {
  if (servers.size === 0 || !LOOPBACK.test(host)) return false;
  for (const ref of servers) {
    const server = ref.deref();
    if (server === undefined) {
      servers.delete(ref);
      continue;
    }
    const address = server.listening ? server.address() : null;
    if (typeof address === "object" && address !== null && address.port === port) return true;
  }
  return false;
}

/** Whether a server of this process listens on this path. */
export function isOwnPath(path: string): boolean {
  return listeningServers().some((server) => server.address() === path);
}

/** A connection of this process to one of its own servers. */
export function noteOwnClient(socket: net.Socket): void {
  clients.add(new WeakRef(socket));
  if (clients.size < mostClients) return;
  openClients();
  mostClients = Math.max(LEAST_CLIENTS, 2 * clients.size);
}

/** Forgets those that are closed. */
function openClients(): net.Socket[] {
  return [...clients].flatMap((ref) => {
    const client = ref.deref();
    if (client?.destroyed === false) return [client];
    clients.delete(ref);
    return [];
  });
}

/** Whether the other end of a server's connection is in this process. */
export function isOwnClient({ remotePort }: net.Socket): boolean {
  return remotePort !== undefined && openClients().some(({ localPort }) => localPort === remotePort);
}

/** Whether a server of this process listens now. */
export function isListening(): boolean {
  return [...servers].some((ref) => ref.deref()?.listening === true);
}

/** Servers of this process that listen now, in the order in which they were told to. */
export function listeningServers(): net.Server[] {
  return [...servers].flatMap((ref) => {
    const server = ref.deref();
    return server?.listening === true ? [server] : [];
  });
}

/** A port of a server of this process that may be gone: its clients try it once more when it drops them. */
export function wasOwnAddress(port: number, host = "localhost"): boolean {
  return former.has(port) && LOOPBACK.test(host);
}

/**
 * Watches for servers of this process. No listener is put on them: a program may count those. `onFirst` is called
 * when the first one listens.
 */
export function watchListening(onFirst: () => void): () => void {
  const add = (server: net.Server): void => {
    if (known.has(server)) return;
    known.add(server);
    servers.add(new WeakRef(server));
  };
  const first = (server: net.Server): void => {
    const address = server.address();
    if (typeof address === "object" && address !== null) former.add(address.port);
    if (listened) return;
    listened = true;
    onFirst();
  };
  return Number(process.versions.node.split(".")[0]) >= 24 ? watchChannel(add, first) : watchListen(add, first);
}

function watchChannel(add: (server: net.Server) => void, listening: (server: net.Server) => void): () => void {
  const serverOf = (message: unknown): net.Server => (message as { server: net.Server }).server;
  const started = (message: unknown): void => add(serverOf(message));
  subscribe("tracing:net.server.listen:asyncStart", started);
  const ready = (message: unknown): void => listening(serverOf(message));
  subscribe("tracing:net.server.listen:asyncEnd", ready);
  return () => {
    unsubscribe("tracing:net.server.listen:asyncStart", started);
    unsubscribe("tracing:net.server.listen:asyncEnd", ready);
  };
}

/** A Node that does not announce its servers. */
function watchListen(add: (server: net.Server) => void, listening: (server: net.Server) => void): () => void {
  const { listen } = net.Server.prototype;
  const watched = function (this: net.Server, ...args: unknown[]): net.Server {
    add(this);
    this.once("listening", () => listening(this));
    return Reflect.apply(listen, this, args as never) as net.Server;
  } as typeof listen;
  Object.defineProperty(watched, "name", { value: listen.name, configurable: true });
  Object.defineProperty(watched, "length", { value: listen.length, configurable: true });
  net.Server.prototype.listen = watched;
  return () => {
    if (net.Server.prototype.listen === watched) net.Server.prototype.listen = listen;
  };
}
