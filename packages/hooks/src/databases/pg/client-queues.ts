import type { WireQueue } from "@reenact/capture/hook";
import { AskedTurns, type Turn } from "./asked-turns.ts";

/** What is used of a statement of `pg`, and of what takes its place (a cursor). */
interface Statement {
  submit(connection: unknown): unknown;
  handleError(error: unknown, connection: unknown): void;
}

/** What is used of a `Client` of `pg`. */
interface Client {
  readonly connection: unknown;
  readonly _queryQueue?: readonly Statement[];
  /** it sends statements without waiting for answers */
  readonly pipeline?: boolean;
  readyForQuery: boolean;
  _pulseQueryQueue(): void;
}

const turns = new AskedTurns<Statement>();

/** A client sends a statement when the one before it has been answered, which may be one of another run. */
export const clientQueues: readonly WireQueue[] = [
  {
    packages: ["pg"],
    path: /^lib\/client\.js$/,
    value: "Client",
    method: "query",
    around: (real, bind, bindTurn) =>
      function (this: unknown, statement, ...rest) {
        const client = this as Client;
        let own: Statement | null = null;
        const send: Turn<Statement> = (run, item) => ((own = item), run());
        const turn = client.pipeline === true ? bind(send) : bindTurn(send, (wrong) => refuse(client, own, wrong));
        const ask = (): unknown => Reflect.apply(real, this, [statement, ...rest]);
        if (!isStatement(statement)) return turns.ask(turn, ask, () => client._queryQueue?.at(-1));
        const submit = statement.submit.bind(statement);
        const value = (connection: unknown): unknown => turn(() => submit(connection), statement);
        Object.defineProperty(statement, "submit", { value, configurable: true, writable: true });
        return ask();
      },
  },
  {
    packages: ["pg"],
    path: /^lib\/query\.js$/,
    value: "Query",
    method: "submit",
    around: (real) =>
      function (this: unknown, connection) {
        return turns.take(this as Statement, () => Reflect.apply(real, this, [connection]));
      },
  },
];

const isStatement = (value: unknown): value is Statement =>
  typeof value === "object" && value !== null && typeof (value as Statement).submit === "function";

/** As the client does with a statement that cannot be sent, which it learns from what `submit` returns. */
function refuse(client: Client, statement: Statement | null, wrong: unknown): void {
  if (!(wrong instanceof Error)) return;
  statement?.handleError(wrong, client.connection);
  client.readyForQuery = true;
  client._pulseQueryQueue();
}
