import { Duplex } from "node:stream";
import {
  type AnyFunction,
  live,
  orderPromise,
  recordedValue,
  replays,
  replaceMethod,
  wireWriter,
} from "@reenact/capture/hook";
import { driverError, type DriverErrors, driverFailure } from "./driver-error.ts";
import { helloOf, isKept, type Server, serverOf, type Topology } from "./server-choice.ts";

/** What is used of a `Connection`. */
export interface Connection {
  hello: object | null;
  helloOk: boolean;
  established: boolean;
}

/** What is used of a `ConnectionPool`: the connections to one server. */
interface ConnectionPool {
  readonly options: object;
  readonly generation: number;
  readonly address: string;
  readonly server: Server & { readonly topology: Topology };
}

/** What a module of the driver gives. */
export interface PoolParts {
  readonly ConnectionPool: { readonly prototype: object };
  readonly makeConnection: (options: object, socket: Duplex) => Connection;
  readonly errors: DriverErrors;
  readonly poolErrors: DriverErrors;
}

type CheckOut = (this: ConnectionPool, ...given: unknown[]) => Promise<Connection>;

const topologies = new WeakMap<object, Topology>();

/** The client whose connection this is, of those that a program has got. */
export function topologyOf(connection: object): Topology | undefined {
  return topologies.get(connection);
}

/** Connections carry nothing of a program's own: which one it gets, and how that was made, is no part of a run. */
export function watchPool(parts: PoolParts, undos: (() => void)[]): void {
  const { prototype } = parts.ConnectionPool;
  undos.push(replaceMethod<CheckOut>(prototype, "checkOut", (real) => checkOut(real, parts)));
  for (const method of ["checkIn", "clear", "close", "closeCheckedOutConnections", "ready"])
    undos.push(replaceMethod<AnyFunction>(prototype, method, ownWork));
  // a log-in anew holds a token
  for (const method of ["ensureMinPoolSize", "reauthenticate"])
    undos.push(replaceMethod<AnyFunction>(prototype, method, ownWorkOnce));
}

/** What the driver does for itself. */
export function ownWork(real: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    return live(() => Reflect.apply(real, this, args));
  };
}

/** The same, for what asks the server: a replay does none of it. */
export function ownWorkOnce(real: AnyFunction): AnyFunction {
  return function (this: unknown, ...args) {
    return replays() ? undefined : live(() => Reflect.apply(real, this, args));
  };
}

function checkOut(real: CheckOut, parts: PoolParts): CheckOut {
  return async function (this: ConnectionPool, ...given) {
    const { frame, isOwn } = wireWriter();
    const ask = (): Promise<Connection> => live(() => Reflect.apply(real, this, given));
    let connection: Connection;
    if (frame !== null && isKept(this.server.topology)) connection = await checkOutInRun(this, parts, ask);
    else if (replays()) connection = replayedConnection(this, parts);
    else if (isOwn) return ask();
    else connection = await ask();
    topologies.set(connection, this.server.topology);
    return connection;
  };
}

/** The moment at which a connection is free is an event of the run. That none could be had is a step. */
async function checkOutInRun(
  pool: ConnectionPool,
  parts: PoolParts,
  ask: () => Promise<Connection>,
): Promise<Connection> {
  let connection: Connection | null = null;
  let failed: unknown;
  await orderPromise(async () => {
    if (replays()) return;
    try {
      connection = await ask();
    } catch (error) {
      failed = error;
    }
  })();
  const isMade = recordedValue("M", () => (connection === null && !replays() ? 0 : 1)) === 1;
  if (isMade) return connection ?? replayedConnection(pool, parts);
  const call = { name: "check out connection", args: [] };
  try {
    await serverOf(pool.server.topology).call(call, () => Promise.reject(driverFailure(failed) as Error));
  } catch (error) {
    throw failed ?? driverError(error, parts.errors, (name, message) => poolError(name, message, pool, parts));
  }
  throw new Error("a connection that could not be had has no error");
}

/** Of the classes of the pool's own errors. */
function poolError(name: string, message: string, pool: ConnectionPool, { poolErrors }: PoolParts): Error | undefined {
  const made = (of: string, ...args: unknown[]): Error =>
    new (poolErrors[of] as new (...args: unknown[]) => Error)(...args);
  switch (name) {
    case "MongoPoolClosedError":
      return made("PoolClosedError", pool);
    case "MongoPoolClearedError":
      return made("PoolClearedError", pool, message);
    case "PoolClearedOnNetworkError":
      return made("PoolClearedOnNetworkError", pool);
    case "MongoWaitQueueTimeoutError":
      return made("WaitQueueTimeoutError", message, pool.address);
    default:
      return undefined;
  }
}

/** A connection of the driver over no socket: what it asks is served before it would be written. */
function replayedConnection(pool: ConnectionPool, { makeConnection }: PoolParts): Connection {
  return live(() => {
    const nothing = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const connection = makeConnection({ ...pool.options, id: 0, generation: pool.generation }, nothing);
    connection.hello = helloOf(pool.server.description);
    connection.helloOk = true;
    connection.established = true;
    return connection;
  });
}
