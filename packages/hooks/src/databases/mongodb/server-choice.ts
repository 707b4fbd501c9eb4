import {
  type DatabaseServer,
  databaseServer,
  guarded,
  live,
  recordedValue,
  replays,
  wireWriter,
} from "@reenact/capture/hook";
import { driverError, type DriverErrors, driverFailure } from "./driver-error.ts";

/** What is used of a `ServerDescription`: what a server said of itself last. */
export interface ServerDescription {
  readonly address: string;
  readonly type: string;
  readonly hosts: readonly string[];
  readonly passives: readonly string[];
  readonly arbiters: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly minWireVersion: number;
  readonly maxWireVersion: number;
  readonly setName: string | null;
  readonly setVersion: number | null;
  readonly logicalSessionTimeoutMinutes: number | null;
  readonly maxMessageSizeBytes?: number | null;
  readonly maxWriteBatchSize?: number | null;
  readonly maxBsonObjectSize?: number | null;
  readonly primary: string | null;
  readonly me: string | null;
}

export interface Server {
  readonly description: ServerDescription;
}

/** What is used of a `Topology`: the servers of a client. */
export interface Topology {
  readonly s: { readonly seedlist: readonly unknown[]; readonly servers: ReadonlyMap<string, Server> };
  readonly description: { readonly servers: ReadonlyMap<string, ServerDescription> };
  /** who waits for a server that suits */
  readonly waitQueue: { readonly length: number };
  serverUpdateHandler(description: ServerDescription): void;
}

/** What a module of the driver gives. */
export interface TopologyParts {
  readonly ServerDescription: new (address: string, hello: object, options: object) => ServerDescription;
  readonly errors: DriverErrors;
}

/** What a run is told of the servers of a client. */
interface Told {
  /** address of the one that was chosen */
  readonly selected: string;
  readonly servers: readonly { readonly address: string; readonly hello: object }[];
}

type Select = (this: Topology, ...given: unknown[]) => Promise<Server>;

/** what a run, or the code outside of every run, was told of the servers of a client; a promise while it is being told */
const told = new WeakMap<object, WeakMap<Topology, Promise<Told>>>();
const OUTSIDE = {};

const databases = new WeakMap<Topology, DatabaseServer>();

export function serverOf(topology: Topology): DatabaseServer {
  let server = databases.get(topology);
  if (server === undefined) databases.set(topology, (server = databaseServer("mongodb", targetOf(topology))));
  return server;
}

/** Whether anything is kept of what this code asks of the client's servers. */
export function isKept(topology: Topology): boolean {
  return guarded("hook", true, () => serverOf(topology).keeps());
}

function targetOf({ s }: Topology): Record<string, string | number> {
  const hosts = s.seedlist.map(String);
  const [only = ""] = hosts;
  const [, host, port] = /^(.*):(\d+)$/.exec(only) ?? [];
  return hosts.length === 1 && host !== undefined ? { host, port: Number(port) } : { hosts: hosts.join(",") };
}

/**
 * A client learns from its monitors, which are none of the program's work, what servers there are. What a call of
 * `selectServer` gives in a run depends on nothing else than what the run was told: a step tells it at first, and again where
 * the client had to wait for a monitor.
 */
export function watchSelection({ ServerDescription, errors }: TopologyParts): (real: Select) => Select {
  return (real) =>
    function (this: Topology, ...given) {
      const { frame, isOwn } = wireWriter();
      if (isOwn || !isKept(this) || (frame === null && !replays())) return Reflect.apply(real, this, given);
      const select = (): Promise<Server> => live(() => Reflect.apply(real, this, given));
      const apply = (known: Told): void =>
        live(() => {
          for (const { address, hello } of known.servers)
            this.serverUpdateHandler(new ServerDescription(address, hello, { roundTripTime: 1 }));
        });
      const special = (name: string, message: string): Error | undefined => {
        if (name !== "MongoServerSelectionError") return undefined;
        const Class = errors[name] as new (message: string, reason: unknown) => Error;
        return new Class(message, this.description);
      };
      return selectInRun(this, frame?.run ?? OUTSIDE, { select, apply }).catch((error: unknown) => {
        throw driverError(error, errors, special);
      });
    };
}

interface Selecting {
  select(): Promise<Server>;
  /** in a replay: lets the client know what the run was told */
  apply(known: Told): void;
}

async function selectInRun(topology: Topology, run: object, how: Selecting): Promise<Server> {
  const known = toldOf(run).get(topology);
  if (known === undefined) return tell(topology, run, how, how.select);
  const last = await known;
  let selecting: Promise<Server> | null = null;
  const isAtOnce = recordedValue("M", () => {
    const before = topology.waitQueue.length;
    selecting = how.select();
    return topology.waitQueue.length > before ? 0 : 1;
  });
  const select = (): Promise<Server> => (selecting ??= how.select());
  if (isAtOnce === 0) return tell(topology, run, how, select);
  if (replays()) how.apply(last);
  const server = await select();
  if (topology.s.servers.size < 2) return server;
  // among several that suit, chance decides
  const addresses = [...topology.s.servers.keys()].sort();
  const at = recordedValue("M", () => addresses.indexOf(server.description.address));
  return topology.s.servers.get(addresses[at] ?? "") ?? server;
}

/** A step that tells the run of the servers. */
async function tell(
  topology: Topology,
  run: object,
  { apply }: Selecting,
  select: () => Promise<Server>,
): Promise<Server> {
  let server: Server | undefined;
  let failed: unknown;
  const opened = serverOf(topology).connect(async () => {
    try {
      server = await select();
    } catch (error) {
      failed = error;
      throw driverFailure(error);
    }
    return toldBy(topology, server) satisfies Told;
  }) as Promise<Told>;
  const servers = toldOf(run);
  servers.set(topology, opened);
  try {
    const known = await opened;
    if (server !== undefined) return server;
    apply(known);
    const found = topology.s.servers.get(known.selected);
    if (found === undefined) throw new Error(`the recorded server ${known.selected} is none of this client's`);
    return found;
  } catch (error) {
    if (servers.get(topology) === opened) servers.delete(topology);
    throw failed ?? error;
  }
}

function toldOf(run: object): WeakMap<Topology, Promise<Told>> {
  let servers = told.get(run);
  if (servers === undefined) told.set(run, (servers = new WeakMap()));
  return servers;
}

function toldBy({ description }: Topology, server: Server): Told {
  const known = [...description.servers.values()].filter(({ type }) => type !== "Unknown");
  // a primary names the others
  known.sort((a, b) => Number(b.type === "RSPrimary") - Number(a.type === "RSPrimary"));
  return {
    selected: server.description.address,
    servers: known.map((each) => ({ address: each.address, hello: helloOf(each) })),
  };
}

const ROLES: Readonly<Record<string, object>> = {
  Mongos: { msg: "isdbgrid", isWritablePrimary: true },
  RSPrimary: { isWritablePrimary: true },
  RSSecondary: { secondary: true },
  RSArbiter: { arbiterOnly: true },
  RSOther: { hidden: true },
  RSGhost: { isreplicaset: true },
  LoadBalancer: { serviceId: "load balancer" },
  Standalone: { isWritablePrimary: true },
};

/** The answer to `hello` after which a driver describes a server so. */
export function helloOf(description: ServerDescription): object {
  const { type, hosts, passives, arbiters, tags, minWireVersion, maxWireVersion } = description;
  const rest = {
    setName: description.setName,
    setVersion: description.setVersion,
    primary: description.primary,
    me: description.me,
    logicalSessionTimeoutMinutes: description.logicalSessionTimeoutMinutes,
    maxMessageSizeBytes: description.maxMessageSizeBytes,
    maxWriteBatchSize: description.maxWriteBatchSize,
    maxBsonObjectSize: description.maxBsonObjectSize,
  };
  return {
    ok: 1,
    helloOk: true,
    ...ROLES[type],
    minWireVersion,
    maxWireVersion,
    ...(hosts.length > 0 && { hosts }),
    ...(passives.length > 0 && { passives }),
    ...(arbiters.length > 0 && { arbiters }),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)),
  };
}
