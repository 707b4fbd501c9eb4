import { randomBytes } from "node:crypto";
import {
  type AnyFunction,
  type Hook,
  type HookedFile,
  live,
  orderPromise,
  type PromiseFunction,
  recordedValue,
  replaceMethod,
  wireWriter,
} from "@reenact/capture/hook";
import { type CommandParts, watchCommands } from "./commands.ts";
import { ownWork, ownWorkOnce, type PoolParts, watchPool } from "./connections.ts";
import { type TopologyParts, watchSelection } from "./server-choice.ts";

interface Class {
  readonly prototype: object;
}

/** What the modules of the driver and of `bson` give, each by its lines below. */
interface Parts {
  readonly topology?: TopologyParts & { readonly Topology: Class };
  readonly pool?: PoolParts;
  readonly connection?: CommandParts & { readonly Connection: Class };
  readonly monitor?: Class;
  readonly poller?: Class;
  readonly sessions?: Class;
  readonly client?: Class;
  readonly id?: ObjectIdClass;
}

interface ObjectIdClass {
  generate(time?: number): Uint8Array;
  getInc(): number;
}

const file = (path: RegExp, value: string): HookedFile => ({ packages: ["mongodb"], path, value });

/**
 * MongoDB's driver. Its commands each stand alone, so the hook sits where one is about to be written to a connection: sessions,
 * transactions, cursors, retries and errors of the driver work in a replay as they do live, over connections without a socket.
 * Monitors, the making of connections, and the ids of sessions are the driver's own work, of which a run is not told.
 */
export const mongodb: Hook = {
  name: "databases/mongodb",
  title: "MongoDB through mongodb",
  files: [
    file(
      /^lib\/sdam\/topology\.js$/,
      "{ topology: { Topology, ServerDescription: server_description_1.ServerDescription, errors: error_1 } }",
    ),
    file(
      /^lib\/cmap\/connection_pool\.js$/,
      "{ pool: { ConnectionPool, makeConnection: connect_1.makeConnection, errors: error_1, poolErrors: errors_1 } }",
    ),
    file(
      /^lib\/cmap\/connection\.js$/,
      "{ connection: { Connection, MongoDBResponse: responses_1.MongoDBResponse, errors: error_1, bson: bson_1 } }",
    ),
    file(/^lib\/sdam\/monitor\.js$/, "{ monitor: Monitor }"),
    file(/^lib\/sdam\/srv_polling\.js$/, "{ poller: SrvPoller }"),
    file(/^lib\/sessions\.js$/, "{ sessions: ServerSessionPool }"),
    file(/^lib\/mongo_client\.js$/, "{ client: MongoClient }"),
    {
      packages: ["bson"],
      path: /^lib\/bson(?:\.node)?\.[cm]js$/,
      value: "{ id: ObjectId }",
      versions: { from: "6.10.0", below: "8.0.0" },
    },
  ],
  versions: { from: "6.20.0", below: "8.0.0" },
  patch(parts: Parts, undos) {
    const { topology, pool, connection, monitor, poller, sessions, client, id } = parts;
    const replace = (owner: object, methods: readonly string[], make: (real: AnyFunction) => AnyFunction): void =>
      void undos.push(...methods.map((method) => replaceMethod<AnyFunction>(owner, method, make)));
    if (topology !== undefined)
      replace(topology.Topology.prototype, ["selectServer"], watchSelection(topology) as never);
    if (pool !== undefined) watchPool(pool, undos);
    if (connection !== undefined)
      replace(connection.Connection.prototype, ["sendWire"], watchCommands(connection) as never);
    if (monitor !== undefined) {
      replace(monitor.prototype, ["connect", "reset", "requestCheck"], ownWorkOnce);
      replace(monitor.prototype, ["close"], ownWork);
    }
    if (poller !== undefined) replace(poller.prototype, ["start"], ownWorkOnce);
    if (sessions !== undefined) replace(sessions.prototype, ["acquire", "release"], ownWork);
    if (client !== undefined) replace(client.prototype, ["close"], closeClient as never);
    if (id !== undefined) watchIds(id, undos);
  },
};

/** What a client that closes still asks its servers is its own work; it tells when that is done. */
function closeClient(real: PromiseFunction): PromiseFunction {
  const close = orderPromise(real);
  return function (this: unknown, ...args) {
    if (wireWriter().isOwn) return Reflect.apply(real, this, args);
    return Reflect.apply(close, this, args);
  };
}

/** Two parts of an id are of the process and of the ids before it, in whichever run those were made. */
function watchIds(Id: ObjectIdClass, undos: (() => void)[]): void {
  const hex = (real: () => Uint8Array): Uint8Array =>
    Buffer.from(
      recordedValue("U", () => live(() => Buffer.from(real()).toString("hex"))),
      "hex",
    );
  undos.push(
    replaceMethod<ObjectIdClass["generate"]>(Id, "generate", (real) => (time) => hex(() => real.call(Id, time))),
    replaceMethod<ObjectIdClass["getInc"]>(
      Id,
      "getInc",
      (real) => () => recordedValue("N", () => live(() => real.call(Id))),
    ),
  );
  // the constructor of some versions reads it itself
  const before = Object.getOwnPropertyDescriptor(Id, "PROCESS_UNIQUE");
  if (before === undefined || before.configurable !== true) return;
  let unique = before.value as Uint8Array | null;
  Object.defineProperty(Id, "PROCESS_UNIQUE", {
    configurable: true,
    enumerable: before.enumerable ?? true,
    get: () => (wireWriter().isOwn ? unique : hex(() => (unique ??= randomBytes(5)))),
    set(value: Uint8Array | null) {
      unique = value;
    },
  });
  undos.push(() => void Object.defineProperty(Id, "PROCESS_UNIQUE", { ...before, value: unique }));
}
