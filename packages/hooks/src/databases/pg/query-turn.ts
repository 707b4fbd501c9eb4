import type { BindFrame, BindTurn } from "@reenact/capture/hook";

/** What is used of a statement of `pg`, and of what takes its place (a cursor). */
export interface PgStatement {
  submit(connection: unknown): unknown;
  handleError(error: unknown, connection: unknown): void;
}

/** What is used of a `Client` of `pg`. */
export interface PgClient {
  readonly connection: unknown;
  readonly _queryQueue?: readonly PgStatement[];
  /** it sends statements without waiting for answers */
  readonly pipeline?: boolean;
  readyForQuery: boolean;
  _pulseQueryQueue(): void;
}

type Submit = (statement: PgStatement, real: () => unknown) => unknown;

const turns = new WeakMap<PgStatement, Submit>();
/** of the statement that is being asked for, which the library makes itself */
let asked: Submit | null = null;

/**
 * Asks a client for a statement. It is sent when the one before it has been answered, which may be one of another run: by code
 * of that run, and at a moment that a replay of this run would not have.
 */
export function askInTurn(
  client: PgClient,
  statement: unknown,
  bind: BindFrame,
  bindTurn: BindTurn,
  ask: () => unknown,
): unknown {
  let own: PgStatement | null = null;
  const send = (each: PgStatement, real: () => unknown): unknown => ((own = each), real());
  const submit: Submit = client.pipeline === true ? bind(send) : bindTurn(send, (wrong) => refuse(client, own, wrong));
  if (isStatement(statement)) {
    const real = statement.submit.bind(statement);
    const value = (connection: unknown): unknown => submit(statement, () => real(connection));
    Object.defineProperty(statement, "submit", { value, configurable: true, writable: true });
    return ask();
  }
  const outer = asked;
  asked = submit;
  try {
    return ask();
  } finally {
    const waiting = client._queryQueue?.at(-1);
    if (asked !== null && waiting !== undefined) turns.set(waiting, submit);
    asked = outer;
  }
}

/** Sends a statement that the library has made, when its turn has come. */
export function submitInTurn(statement: PgStatement, real: () => unknown): unknown {
  const submit = turns.get(statement) ?? asked;
  turns.delete(statement);
  if (submit === null) return real();
  if (submit === asked) asked = null;
  return submit(statement, real);
}

const isStatement = (value: unknown): value is PgStatement =>
  typeof value === "object" && value !== null && typeof (value as PgStatement).submit === "function";

/** As the client does with a statement that cannot be sent, which it learns from what `submit` returns. */
function refuse(client: PgClient, statement: PgStatement | null, wrong: unknown): void {
  if (!(wrong instanceof Error)) return;
  statement?.handleError(wrong, client.connection);
  client.readyForQuery = true;
  client._pulseQueryQueue();
}
