import { createServer as createHttp1, type RequestListener } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What a client of HTTP/2 without TLS begins with. */
const PREFACE = "PRI";

export interface Listening {
  readonly port: number;
  /** Closes the port and every connection. */
  stop(): Promise<void>;
}

/** Serves HTTP/1, and HTTP/2 without TLS, on one port of loopback. Port 0 takes a free one. */
export async function listen(serve: RequestListener, port = 0): Promise<Listening> {
  const http1 = createHttp1(serve);
  // of HTTP/2 a request and a response have what is used of them here
  const http2 = createHttp2(serve as never);
  http2.on("sessionError", () => {});
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => {});
    socket.once("readable", () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      const isHttp2 = first.toString("latin1", 0, PREFACE.length) === PREFACE;
      (isHttp2 ? http2 : http1).emit("connection", socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
