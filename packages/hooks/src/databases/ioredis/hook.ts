import type { Socket } from "node:net";
import { type AnyFunction, type AttachedWire, type Hook, socketLink, type WireStream } from "@reenact/capture/hook";
import { RespSession } from "../resp/session.ts";

/** What is used of a `StandaloneConnector` of `ioredis`, which makes the socket of a client. */
interface Connector {
  readonly options: {
    readonly host?: string;
    readonly port?: number;
    readonly path?: string;
    readonly tls?: unknown;
    readonly db?: number;
  };
  connecting: boolean;
  stream?: WireStream;
  firstError?: Error;
}

type ConnectorClass = new (options: object) => Connector;

/** The real sockets are made by a second connector of the library's own, which knows its options. */
export const ioredis: Hook = {
  name: "databases/ioredis",
  title: "Redis through ioredis",
  files: [
    { packages: ["ioredis"], path: /^built\/connectors\/StandaloneConnector\.js$/, value: "StandaloneConnector" },
  ],
  versions: { from: "5.4.0", below: "7.0.0" },
  wire: {
    system: "redis",
    methods: ["connect"],
    session: () => new RespSession(),
    attach: (instance, given, stream, real) => attach(instance as Connector, given, stream, real),
    queues: [
      {
        packages: ["ioredis"],
        path: /^built\/Redis\.js$/,
        value: "Redis",
        method: "sendCommand",
        // a command that waits for its connection is sent by the code that has connected
        around: (real, bind) => {
          const senders = new WeakMap<object, AnyFunction>();
          return function (this: unknown, command, ...rest) {
            if (typeof command !== "object" || command === null) return Reflect.apply(real, this, [command, ...rest]);
            let send = senders.get(command);
            if (send === undefined)
              senders.set(command, (send = bind((self, ...args) => Reflect.apply(real, self, args)) as AnyFunction));
            return send.call(undefined, this, command, ...rest);
          };
        },
      },
    ],
  },
};

function attach(instance: Connector, given: readonly unknown[], stream: WireStream, real: AnyFunction): AttachedWire {
  const { host = "localhost", port = 6379, path, tls, db = 0 } = instance.options;
  const connected = tls ? "secureConnect" : "connect";
  const Class = instance.constructor as ConnectorClass;
  return {
    target: path ? { path, db } : { host, port: Number(port), db },
    connects: tls ? ["connect", "ready", "secureConnect"] : ["connect", "ready"],
    async open() {
      const socket = (await Reflect.apply(real, new Class(instance.options), given)) as Socket;
      return socketLink(socket, connected);
    },
    result: { value: connect(instance, stream) },
  };
}

/** As the connector does it, with our stream. */
function connect(instance: Connector, stream: WireStream): Promise<WireStream> {
  instance.connecting = true;
  return new Promise((resolve, reject) => {
    process.nextTick(() => {
      if (!instance.connecting) return reject(new Error("Connection is closed."));
      instance.stream = stream.connect();
      stream.once("error", (error: Error) => (instance.firstError = error));
      resolve(stream);
    });
  });
}
