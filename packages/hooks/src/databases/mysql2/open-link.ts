import type { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { type WireLink, WireFailure } from "@reenact/capture/hook";
import type { MysqlError } from "./answer.ts";
import { type MysqlGreeting, type MysqlOpened, openedBytes } from "./greeting.ts";

/** As `mysql2` reads it. */
interface Handshake {
  readonly serverVersion: string;
  readonly connectionId: number;
  readonly capabilityFlags: number;
  readonly characterSet: number;
  readonly statusFlags: number;
  readonly authPluginName?: string;
  readonly authPluginData1?: Buffer;
  readonly authPluginData2?: Buffer;
  readonly mariadbExtendedCapabilityFlags?: number;
}

/** What is used of a `Connection` of `mysql2` that makes the connection proper. */
export interface RealConnection extends EventEmitter {
  readonly stream: Duplex;
  readonly _command: { readonly handshake?: Handshake | null } | null;
}

/** An error of the server, as `mysql2` makes it. */
interface ServerError extends Error {
  readonly errno?: unknown;
  readonly sqlState?: unknown;
}

/** the link is in the clear and whole */
const TRANSPORT_CAPABILITIES = 0x20 | 0x800;

/** Resolves once the session is open. Rejects with the server's answer, or with what went wrong. */
export function openLink(make: () => RealConnection): Promise<WireLink> {
  return new Promise((resolve, reject) => {
    const connection = make();
    connection.once("connect", (handshake: Handshake) => resolve(linkOf(connection, handshake)));
    connection.once("error", (error: ServerError) => {
      const refused = refusedBy(error);
      if (refused === null) return reject(error);
      const greeting = greetingOf(connection._command?.handshake);
      const failure = { message: error.message, code: String(refused.errno) };
      reject(new WireFailure(failure, { ...greeting, error: refused }));
    });
    // further errors have been told by the first one
    connection.on("error", () => {});
  });
}

function linkOf(connection: RealConnection, handshake: Handshake): WireLink {
  const { stream } = connection;
  let failure: Error | null = null;
  let isClosed = false;
  const closed: ((error: Error | null) => void)[] = [];
  // the second object is used for its connection only: the first one reads what comes
  stream.removeAllListeners("data");
  stream.on("error", (error: Error) => (failure ??= error));
  stream.once("close", () => {
    isClosed = true;
    for (const tell of closed.splice(0)) tell(failure);
  });
  const value = greetingOf(handshake) satisfies MysqlOpened;
  const { authPluginData1 = NOTHING, authPluginData2 = NOTHING } = handshake;
  const challenge = Buffer.concat([authPluginData1, authPluginData2, Buffer.alloc(20)]).subarray(0, 20);
  return {
    stream,
    // the program proves its password again where it changes the user
    opened: { value, bytes: openedBytes(value, challenge) },
    onClose(tell) {
      if (isClosed) tell(failure);
      else closed.push(tell);
    },
  };
}

const NOTHING = Buffer.alloc(0);

function greetingOf(handshake: Handshake | null | undefined): { greeting?: MysqlGreeting } {
  if (handshake === null || handshake === undefined) return {};
  const { authPluginName, mariadbExtendedCapabilityFlags: extended = 0 } = handshake;
  return {
    greeting: {
      version: handshake.serverVersion,
      thread: handshake.connectionId,
      capabilities: (handshake.capabilityFlags & ~TRANSPORT_CAPABILITIES) >>> 0,
      characterSet: handshake.characterSet,
      status: handshake.statusFlags,
      ...(authPluginName !== undefined && { plugin: authPluginName }),
      ...(extended !== 0 && { extended }),
    },
  };
}

/** null: it is none of the server's. */
function refusedBy({ errno, sqlState, message }: ServerError): MysqlError | null {
  if (typeof errno !== "number" || errno < 0 || typeof sqlState !== "string") return null;
  return { errno, ...(sqlState !== "" && { sqlState }), message };
}
