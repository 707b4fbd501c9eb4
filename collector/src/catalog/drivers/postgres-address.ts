/** A catalog in a PostgreSQL database; it can be sent to another thread. */
export interface PostgresAddress {
  readonly driver: "postgres";
  /** postgres://user@host:port/database; it may hold a password, so it is never shown: `postgresPlace` is */
  readonly url: string;
  /** of the tables; nothing else lies in it */
  readonly schema: string;
  /** verify: TLS with a certificate that is checked against the name of the host */
  readonly tls: "verify" | "off";
  /** PEM file of the authority that signed the server's certificate; null: those of Node */
  readonly ca: string | null;
  /** the most at a time, of each thread that reads */
  readonly connections: number;
  /** after so long a question is given up, milliseconds */
  readonly queryMs: number;
}

/** For people: where it is, without a password. */
export function postgresPlace({ url, schema }: Pick<PostgresAddress, "url" | "schema">): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}, schema ${schema}`;
}
