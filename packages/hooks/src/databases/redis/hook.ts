import type { Socket } from "node:net";
import {
  type AnyFunction,
  type AttachedWire,
  type Hook,
  markWriter,
  socketLink,
  type WireStream,
  type WireWriter,
  wireWriter,
} from "@reenact/capture/hook";
import { RespSession } from "../resp/session.ts";

/** As it is given to `net.createConnection` and `tls.connect`. */
interface SocketOptions {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
}

/** who asked for a command, by its list of arguments */
const askers = new WeakMap<object, WireWriter>();
/** of commands that belong together, by the id that the client gives them */
const chains = new WeakMap<symbol, WireWriter>();

/** The library's socket class takes its sockets from `node:net` and `node:tls` as its own module has imported them. */
export const redis: Hook = {
  name: "databases/redis",
  title: "Redis through redis",
  files: [
    {
      packages: ["@redis/client"],
      path: /^dist\/lib\/client\/socket\.js$/,
      value: "{ prototype: node_net_1.default = { ...node_net_1.default } }",
    },
    {
      packages: ["@redis/client"],
      path: /^dist\/lib\/client\/socket\.js$/,
      value: "{ prototype: node_tls_1.default = { ...node_tls_1.default } }",
    },
  ],
  versions: { from: "5.8.0", below: "7.0.0" },
  // commands of one turn of the event loop are written together, whichever runs they are of
  sharedTimers: [{ packages: ["@redis/client"], path: /^dist\/lib\/client\/index\.js$/, value: "setImmediate" }],
  wire: {
    system: "redis",
    methods: ["createConnection", "connect"],
    session: () => new RespSession(),
    attach: (instance, [options], stream, real) =>
      attach(options as SocketOptions, stream, real, !("createConnection" in instance)),
    queues: [
      {
        packages: ["@redis/client"],
        path: /^dist\/lib\/client\/commands-queue\.js$/,
        value: "exports.default",
        method: "addCommand",
        // one timer writes the commands of all callers, in the async context of the first caller
        around: (real) =>
          function (this: unknown, args, options, ...rest) {
            if (Array.isArray(args))
              askers.set(args, writerOf((options as { chainId?: unknown } | undefined)?.chainId));
            return Reflect.apply(real, this, [args, options, ...rest]);
          },
      },
      {
        packages: ["@redis/client"],
        path: /^dist\/lib\/RESP\/encoder\.js$/,
        value: "{ prototype: exports }",
        method: "default",
        around: (real) =>
          function (this: unknown, args, ...rest) {
            const parts = Reflect.apply(real, this, [args, ...rest]) as (string | Uint8Array)[];
            const asker = askers.get(args as object);
            if (asker === undefined) return parts;
            const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
            markWriter(bytes, asker);
            return [bytes];
          },
      },
    ],
  },
};

function writerOf(chain: unknown): WireWriter {
  if (typeof chain !== "symbol") return wireWriter();
  let writer = chains.get(chain);
  if (writer === undefined) chains.set(chain, (writer = wireWriter()));
  return writer;
}

function attach(options: SocketOptions, stream: WireStream, real: AnyFunction, isSecured: boolean): AttachedWire {
  const { host = "localhost", port = 6379, path } = options;
  const connected = isSecured ? "secureConnect" : "connect";
  // the program reads it after this call
  process.nextTick(() => stream.connect());
  stream.connecting = true;
  return {
    target: path === undefined ? { host, port: Number(port) } : { path },
    connects: isSecured ? ["connect", "ready", "secureConnect"] : ["connect", "ready"],
    open: () => Promise.resolve(socketLink(Reflect.apply(real, undefined, [options]) as Socket, connected)),
    result: { value: stream },
  };
}
