import { type EventEmitter, once } from "node:events";
import type { Duplex } from "node:stream";
import type { AttachedWire, Hook, WireLink, WireStream } from "@reenact/capture/hook";
import { clientQueues } from "./client-queues.ts";
import { poolQueues } from "./pool-queues.ts";
import { PgSession } from "./session.ts";

/** What is used of a `Connection` of `pg`, which reads and writes the protocol over its stream. */
interface PgConnection extends EventEmitter {
  stream: Duplex;
  ssl: unknown;
  readonly sslNegotiation?: string;
  readonly _keepAlive?: boolean;
  readonly _keepAliveInitialDelayMillis?: number;
  connect(port: unknown, host?: unknown): void;
  requestSsl(): void;
  attachListeners(stream: Duplex): void;
}

type ConnectionClass = new (config: object) => PgConnection;

/**
 * `pg` reads what a replay serves as it reads what a server sends: its types, pools, cursors and streams work as they do live.
 * The connection proper, with its encryption, is made by a second `Connection` of the library's own.
 */
export const pg: Hook = {
  name: "databases/pg",
  title: "PostgreSQL through pg",
  files: [{ packages: ["pg"], path: /^lib\/connection\.js$/, value: "Connection" }],
  versions: { from: "8.11.0", below: "9.0.0" },
  wire: {
    system: "postgresql",
    methods: ["connect"],
    session: () => new PgSession(),
    attach: (instance, given, stream) => attach(instance as PgConnection, given, stream),
    queues: [...clientQueues, ...poolQueues],
  },
};

function attach(instance: PgConnection, [port, host]: readonly unknown[], stream: WireStream): AttachedWire {
  const { stream: own, ssl, sslNegotiation, _keepAlive: keepAlive } = instance;
  const Connection = instance.constructor as ConnectionClass;
  const open = async (): Promise<WireLink> => {
    const keepAliveInitialDelayMillis = instance._keepAliveInitialDelayMillis;
    return openLink(
      new Connection({ stream: own, ssl, sslNegotiation, keepAlive, keepAliveInitialDelayMillis }),
      port,
      host,
    );
  };
  // the program's own object writes the protocol in the clear to our stream
  instance.stream = stream;
  if (ssl) {
    const isDirect = sslNegotiation === "direct";
    instance.ssl = false;
    if (isDirect) instance.once("connect", () => instance.emit("sslconnect"));
    else instance.requestSsl = () => void instance.emit("sslconnect");
  }
  const target = host === undefined ? { path: String(port) } : { host: host as string, port: Number(port) };
  return { target, open };
}

async function openLink(connection: PgConnection, port: unknown, host: unknown): Promise<WireLink> {
  const { ssl, sslNegotiation } = connection;
  let stream: Duplex = connection.stream;
  let failure: Error | null = null;
  let isClosed = false;
  const closed: ((error: Error | null) => void)[] = [];
  // the second object is used for its connection only: the first one reads what comes
  connection.attachListeners = (secured) => void (stream = secured);
  connection.on("error", (error: Error) => (failure ??= error));
  connection.on("end", () => {
    isClosed = true;
    for (const tell of closed.splice(0)) tell(failure);
  });
  const isReady = once(connection, ssl ? "sslconnect" : "connect");
  const isGone = once(connection, "end").then(() => {
    throw new Error("Connection terminated unexpectedly");
  });
  if (ssl && sslNegotiation !== "direct") connection.once("connect", () => connection.requestSsl());
  connection.connect(port, host);
  await Promise.race([isReady, isGone]);
  // an error of a connection that could be used is told by `onClose`
  isGone.catch(() => {});
  return {
    stream,
    onClose(tell) {
      if (isClosed) tell(failure);
      else closed.push(tell);
    },
  };
}
