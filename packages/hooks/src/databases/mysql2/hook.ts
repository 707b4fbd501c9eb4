import type { Duplex } from "node:stream";
import type { AttachedWire, Hook, WireStream } from "@reenact/capture/hook";
import { commandQueues } from "./command-queues.ts";
import { hookedStreams } from "./hooked-streams.ts";
import { openLink, type RealConnection } from "./open-link.ts";
import { poolQueues } from "./pool-queues.ts";
import { MysqlSession } from "./session.ts";

/** What is used of a `ConnectionConfig` of `mysql2`. */
export interface ConnectionConfig {
  readonly isServer?: boolean;
  readonly host?: string;
  readonly port?: number | string;
  readonly socketPath?: string;
  readonly user?: string;
  readonly database?: string;
  stream?: Duplex | ((options: object) => Duplex);
  ssl?: unknown;
  compress?: unknown;
}

interface Options {
  readonly config: ConnectionConfig;
}

/**
 * A connection opens its socket in its constructor. Here its options are first given to a function that can be hooked; classes
 * of the library that extend it are defined later.
 */
const CONNECTION = `{ prototype: ((real, seam) => {
  module.exports = new Proxy(real, {
    construct: (target, [options, ...rest], made) => Reflect.construct(target, [seam.options(options, real), ...rest], made),
  });
  return seam;
})(BaseConnection, { options: (options) => options }) }`.replaceAll(/\n\s*/g, " ");

/**
 * `mysql2` reads what a replay serves as it reads what a server sends: its types, pools, streams and prepared statements work
 * as they do live. The connection proper, with its encryption and authentication, is made by a second connection of the
 * library's own.
 */
export const mysql2: Hook = {
  name: "databases/mysql2",
  title: "MySQL through mysql2",
  files: [{ packages: ["mysql2"], path: /^lib\/base\/connection\.js$/, value: CONNECTION }],
  versions: { from: "3.12.0", below: "4.0.0" },
  wire: {
    system: "mysql",
    methods: ["options"],
    session: () => new MysqlSession(),
    attach: (_, [options, Connection], stream) =>
      attach(options as Options, Connection as new (options: Options) => RealConnection, stream),
    queues: [...commandQueues, ...poolQueues],
  },
};

function attach(
  options: Options,
  Connection: new (options: Options) => RealConnection,
  stream: WireStream,
): AttachedWire {
  const { config } = options;
  const { host = "localhost", port = 3306, socketPath, user = "", database = "" } = config;
  const target = socketPath ? { path: socketPath, user, database } : { host, port: Number(port), user, database };
  // without a result, the connection goes on with the options that it was given
  if (config.isServer === true) return { target, open: () => Promise.reject(new Error("a server asks nothing")) };
  // the program listens after this call
  process.nextTick(() => stream.connect());
  stream.connecting = true;
  hookedStreams.add(stream);
  return {
    target,
    connects: ["connect"],
    open: () => openLink(() => new Connection({ ...options, config: changed(config, { compress: false }) })),
    // the program's own object reads and writes the protocol in the clear
    result: { value: { ...options, config: changed(config, { stream, ssl: undefined, compress: false }) } },
  };
}

/** Pools share one configuration among their connections. */
function changed(config: ConnectionConfig, changes: Partial<ConnectionConfig>): ConnectionConfig {
  const own = Object.create(
    Object.getPrototypeOf(config) as object,
    Object.getOwnPropertyDescriptors(config),
  ) as ConnectionConfig;
  return Object.assign(own, changes);
}
