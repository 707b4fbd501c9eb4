import { mkdirSync } from "node:fs";
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2Session,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { createConnectionRoom, mostConnections } from "./connection-room.ts";
import { createGrpcCall } from "./grpc-call.ts";
import { createMessageReader } from "./grpc-message.ts";
import { createLargeTurns } from "./large-turns.ts";
import type { Receiver } from "./receiver.ts";
import { refusalTrailers } from "./grpc-status.ts";
import { refused } from "./status.ts";

export interface GrpcOptions {
  host: string;
  /** 0: a free one */
  port: number;
  /** of one message, as it comes and unpacked; so many bytes of large messages come at a time, too */
  bodyBytes: number;
  /** PEM */
  tls?: { cert: string; key: string } | undefined;
  /** for messages above 8 MiB while they come; made if it is not there. Absent: they are held in memory */
  folder?: string;
  /** connections at a time; default as many as this process has files for */
  connections?: number;
  /** what a sender must keep up, bytes per second; default 16 KiB … */
  minRate?: number;
  /** … in each so many milliseconds; default 5,000 */
  graceMs?: number;
  /** a large message waits so long for its turn, milliseconds; default 10,000 */
  waitMs?: number;
  /** a connection has so long to say that it speaks HTTP/2, milliseconds; default 10,000 */
  greetMs?: number;
}

export interface GrpcListening {
  port: number;
  /** Takes no more calls; resolves when those under way are answered, or after `graceMs` without them. */
  close(graceMs: number): Promise<void>;
}

/** Calls under way at a time, of all connections; of one as many as the setting below. */
const MOST_CALLS = 1024;
const IDLE_MS = 600_000;

/** Bounds on what a peer may keep open or send beside messages. Floods of resets, pings and settings end a connection. */
const BOUNDS = {
  settings: { maxConcurrentStreams: 128, maxHeaderListSize: 16 * 1024, initialWindowSize: 65_535, enablePush: false },
  maxSessionMemory: 16,
  maxHeaderListPairs: 100,
  maxOutstandingPings: 10,
  maxSettings: 32,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  streamResetBurst: 1000,
  streamResetRate: 33,
  unknownProtocolTimeout: 10_000,
};

/**
 * OTLP/gRPC on a port of its own, straight on HTTP/2: a gRPC library hands a message over when it is whole in memory, and
 * only then could key and size be looked at. Rejects with what the socket says.
 */
export async function listenGrpc(options: GrpcOptions, receiver: Receiver): Promise<GrpcListening> {
  const { host, tls, bodyBytes, minRate = 16 * 1024, graceMs = 5000, waitMs = 10_000, greetMs = 10_000 } = options;
  const folder = options.folder ?? null;
  if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const messages = createMessageReader(
    { bodyBytes, minRate, graceMs, waitMs, folder },
    receiver.pending,
    createLargeTurns(bodyBytes),
  );
  const handle = createGrpcCall(receiver, messages);
  const server = tls
    ? createSecureServer({ ...BOUNDS, ...tls, minVersion: "TLSv1.2", handshakeTimeout: greetMs, ALPNProtocols: ["h2"] })
    : createServer(BOUNDS);
  const room = createConnectionRoom(options.connections ?? mostConnections());
  const sessions = new Set<ServerHttp2Session>();
  let calls = 0;

  server.on("connection", (socket: Socket) => room.enter(socket));
  // a peer that breaks off, or speaks something else, is no event for anybody
  server.on("sessionError", () => {});
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    const silent = setTimeout(() => session.destroy(), greetMs).unref();
    session.once("remoteSettings", () => clearTimeout(silent));
    session.setTimeout(IDLE_MS, () => session.close());
    session.on("error", () => {});
    session.once("close", () => {
      clearTimeout(silent);
      sessions.delete(session);
    });
  });
  server.on("stream", (stream, headers) => {
    const idle = room.work(peerOf(stream.session));
    calls++;
    stream.on("error", () => {});
    stream.once("close", () => {
      calls--;
      idle();
    });
    if (calls > MOST_CALLS) {
      const refusal = refused("tooMany", "too many calls are under way");
      receiver.count(refusal);
      stream.respond(
        { ":status": 200, "content-type": "application/grpc", ...refusalTrailers(refusal) },
        { endStream: true },
      );
      stream.close(constants.NGHTTP2_NO_ERROR);
      return;
    }
    handle(stream, headers).catch(() => stream.destroy());
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: async (closeMs) => {
      await close(server, sessions, closeMs);
      messages.close();
    },
  };
}

/** A session whose socket is gone says so by throwing. */
function peerOf(session: Http2Session | undefined): {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
} {
  try {
    const { remoteAddress, remotePort } = session!.socket;
    return { remoteAddress, remotePort };
  } catch {
    return {};
  }
}

async function close(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>, graceMs: number): Promise<void> {
  const timer = setTimeout(() => {
    for (const session of sessions) session.destroy();
  }, graceMs).unref();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    for (const session of sessions) session.close();
  });
  clearTimeout(timer);
}
