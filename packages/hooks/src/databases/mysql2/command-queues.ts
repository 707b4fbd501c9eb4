import type { Duplex } from "node:stream";
import type { WireQueue } from "@reenact/capture/hook";
import { hookedStreams } from "./hooked-streams.ts";

/** What a command does with the next packet; null: it is done. */
type State = ((packet: unknown, connection: Connection) => State) | null;

/** What is used of a `Command` of `mysql2`. */
interface Command {
  next: State;
  start(packet: unknown, connection: Connection): State;
}

interface Statement {
  readonly id: number;
}

/** What is used of a `Prepare` of `mysql2`. */
interface Prepare extends Command {
  readonly id: number;
  readonly key: unknown;
  readonly onResult?: (error: null, statement: Statement) => void;
}

/** What is used of a `Connection` of `mysql2`. */
interface Connection {
  readonly stream: Duplex;
  readonly _command: Command | null;
  _statements: { get(key: unknown): Statement | undefined };
  handlePacket(): void;
}

/** Commands that no run asks for: how many there are depends on which connections a pool has, which other runs decide too. */
const UNORDERED = new Set(["ClientHandshake", "CloseStatement", "Quit"]);

/** It is there, and nobody finds it. */
const NO_STATEMENTS = { get: () => undefined };

/** A connection sends a command when the one before it has been answered, which may be one of another run. */
export const commandQueues: readonly WireQueue[] = [
  {
    packages: ["mysql2"],
    path: /^lib\/base\/connection\.js$/,
    value: "BaseConnection",
    method: "addCommand",
    around: (real, _bind, bindTurn) =>
      function (this: unknown, command, ...rest) {
        if (!UNORDERED.has((command as Command).constructor.name))
          giveTurn(this as Connection, command as Command, bindTurn);
        return Reflect.apply(real, this, [command, ...rest]);
      },
  },
  {
    packages: ["mysql2"],
    path: /^lib\/commands\/prepare\.js$/,
    value: "Prepare",
    method: "start",
    // which connection a pool gives decides whether a statement was prepared before: it is asked for in any case, and answered
    // by the session where the connection knows it
    around: (real) =>
      function (this: unknown, packet, given) {
        const connection = given as Connection;
        const { _statements: statements, stream } = connection;
        if (!hookedStreams.has(stream)) return Reflect.apply(real, this, [packet, connection]);
        connection._statements = NO_STATEMENTS;
        try {
          return Reflect.apply(real, this, [packet, connection]);
        } finally {
          connection._statements = statements;
        }
      },
  },
  {
    packages: ["mysql2"],
    path: /^lib\/commands\/prepare\.js$/,
    value: "Prepare",
    method: "prepareDone",
    // the statement that the connection knows stays the one that it has
    around: (real) =>
      function (this: unknown, given) {
        const [prepare, { _statements: statements }] = [this as Prepare, given as Connection];
        const known = statements.get(prepare.key);
        if (known?.id !== prepare.id) return Reflect.apply(real, this, [given]);
        prepare.onResult?.(null, known);
        return null;
      },
  },
  {
    packages: ["mysql2"],
    path: /^lib\/commands\/quit\.js$/,
    value: "Quit",
    method: "start",
    // the server closes the connection next; a replay has none
    around: (real) =>
      function (this: unknown, packet, connection) {
        const state: unknown = Reflect.apply(real, this, [packet, connection]);
        const { stream } = connection as Connection;
        if (hookedStreams.has(stream)) stream.end();
        return state;
      },
  },
];

type BindTurn = Parameters<WireQueue["around"]>[2];

function giveTurn(connection: Connection, command: Command, bindTurn: BindTurn): void {
  const { start } = command;
  const run = (packet: unknown, given: Connection): State => Reflect.apply(start, command, [packet, given]) as State;
  let isPutOff = true;
  const turn = bindTurn(
    (packet: unknown, given: Connection) => {
      isPutOff = false;
      return run(packet, given);
    },
    (state) => goOn(connection, command, state as State),
  );
  command.start = (packet, given) => {
    const state = turn(packet, given);
    return isPutOff ? waiting : state;
  };
}

/** The state of a command whose turn has not come: nothing was asked, so nothing comes. */
const waiting: State = () => waiting;

/** As the connection does once a command has been started. */
function goOn(connection: Connection, command: Command, state: State): void {
  if (connection._command !== command) return;
  if (state !== null) command.next = state;
  else {
    // done with nothing asked
    command.next = () => null;
    connection.handlePacket();
  }
}
