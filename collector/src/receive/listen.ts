import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTls } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createConnectionRoom, mostConnections } from "./connection-room.ts";

export interface ListenOptions {
  host: string;
  /** 0: a free one */
  port: number;
  /** PEM */
  tls?: { cert: string; key: string } | undefined;
  /** at a time; default as many as this process has files for */
  connections?: number;
}

export interface Listening {
  port: number;
  /** of the root, without a slash at its end */
  url: string;
  /** Takes no more connections; resolves when the answers that are due are sent, or after `graceMs` without them. */
  close(graceMs: number): Promise<void>;
}

/** Bounds on everything that a peer may keep open or send before a body. */
const BOUNDS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** a 64 MiB body at the slowest rate that is taken comes within an hour and a bit; rate is watched elsewhere */
  requestTimeout: 4_500_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
};
const MAX_HEADERS = 100;

/** Rejects with the error of the socket: `EADDRINUSE`, `EACCES`. */
export async function listen(options: ListenOptions, given: RequestListener): Promise<Listening> {
  // Node uses the first of several Host headers; a proxy in front of this server may use another one
  const handle: RequestListener = (request, response) => {
    if (hostsOf(request.rawHeaders) <= 1) return given(request, response);
    response.writeHead(400, { Connection: "close" }).end();
  };
  const { host, port, tls } = options;
  const server = tls
    ? createTls({ ...BOUNDS, ...tls, minVersion: "TLSv1.2", handshakeTimeout: BOUNDS.headersTimeout }, handle)
    : createPlain(BOUNDS, handle);
  const room = createConnectionRoom(options.connections ?? mostConnections());
  server.on("connection", (socket: Socket) => room.enter(socket));
  server.maxHeadersCount = MAX_HEADERS;
  const due = new Set<ServerResponse>();
  const unused = new Set<Socket>();
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  let closing = false;
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    unused.delete(request.socket);
    response.once("close", room.work(request.socket));
    if (closing) response.setHeader("Connection", "close");
    due.add(response);
    response.once("close", () => {
      due.delete(response);
      // one whose headers were sent before said that the connection stays
      if (closing) request.socket.destroySoon();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  const name = host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host;
  return {
    port: bound,
    url: `${tls ? "https" : "http"}://${name}:${bound}`,
    close: (graceMs) => {
      closing = true;
      // a connection that is kept would hold up the end
      for (const response of due) if (!response.headersSent) response.setHeader("Connection", "close");
      const closed = close(server, graceMs);
      // Node counts one that sent nothing as busy. Below TLS the bytes of the handshake tell nothing: no request has begun.
      for (const socket of unused) if (tls || socket.bytesRead === 0) socket.destroy();
      return closed;
    },
  };
}

/** Names and values take turns. */
function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts;
}

async function close(server: Server, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs).unref();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
