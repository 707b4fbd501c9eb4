import { missingFerretdb, startFerretdb } from "./ferretdb.ts";
import { MARIADB_PASSWORD, missingMariadb, startMariadb } from "./mariadb.ts";
import { missingPostgres, startPostgres } from "./postgres.ts";
import { missingRedis, REDIS_PASSWORD, startRedis } from "./redis.ts";

export interface DatabaseServer {
  /** where it is, for the programs */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A row of `packages/hooks` whose programs need a server. */
export interface Database {
  /** folder of the row */
  readonly name: string;
  /** why it cannot be started here; null: it can */
  missing(): string | null;
  start(): Promise<DatabaseServer>;
  /** as in the operations of its steps */
  readonly system: string;
  /** files among the row's fixtures; the first one knows edits */
  readonly programs: readonly [string, ...string[]];
  /** EDIT, what a replay finds, and what the cause names */
  readonly edits: readonly (readonly [string, string, RegExp])[];
  /** a program and values that it prints, none of which a record may hold */
  readonly redacted: { readonly program: string; readonly values: readonly string[] };
}

const DATABASES: readonly Database[] = [
  {
    name: "databases/pg",
    system: "postgresql",
    missing: missingPostgres,
    start: startPostgres,
    programs: ["program.mjs", "queries.cjs", "langgraph.mjs"],
    edits: [
      ["value", "changed", /^arguments of db:postgresql UPDATE account_\w+ \(step 21\) differ at \/0\/values\/0$/],
      ["less", "missing", /called db:postgresql COMMIT here; this run never did$/],
      ["more", "extra", /^db:postgresql SELECT account_\w+ was called before step 28;/],
    ],
    redacted: {
      program: "secrets.mjs",
      values: [
        "grace.hopper@example.com",
        "4111 1111 1111 1111",
        "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f",
      ],
    },
  },
  {
    name: "databases/mysql2",
    system: "mysql",
    missing: missingMariadb,
    start: startMariadb,
    programs: ["program.mjs", "queries.cjs"],
    edits: [
      ["value", "changed", /^arguments of db:mysql UPDATE account_\w+ \(step \d+\) differ at \/0\/values\/0$/],
      [
        "order",
        "reordered",
        /^db:mysql SELECT \(step \d+\) was called before a step that the recorded run called first$/,
      ],
      ["less", "missing", /called db:mysql COMMIT here; this run never did$/],
      ["more", "extra", /^db:mysql SELECT account_\w+ was called before step \d+;/],
    ],
    redacted: {
      program: "secrets.mjs",
      values: [
        "grace.hopper@example.com",
        "4111 1111 1111 1111",
        "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f",
        "a-secret-of-guests-1",
        MARIADB_PASSWORD,
      ],
    },
  },
  {
    name: "databases/mongodb",
    system: "mongodb",
    missing: missingFerretdb,
    start: startFerretdb,
    programs: ["driver.mjs"],
    edits: [
      ["value", "changed", /^arguments of db:mongodb insert users \(step \d+\) differ at \/0\/documents\/0\/year$/],
      ["order", "changed", /^arguments of db:mongodb find users \(step \d+\) differ at /],
      ["less", "missing", /called db:mongodb delete users here; this run never did$/],
      ["more", "extra", /^db:mongodb buildInfo was called before step \d+;/],
    ],
    redacted: {
      program: "secrets.mjs",
      values: [
        "grace.hopper@example.com",
        "4111 1111 1111 1111",
        "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f",
        "hunter2hunter2",
      ],
    },
  },
  ...["databases/ioredis", "databases/redis"].map((name): Database => ({
    name,
    system: "redis",
    missing: missingRedis,
    start: startRedis,
    programs: ["program.mjs"],
    edits: [
      ["value", "changed", /^arguments of db:redis INCRBY count:\* \(step \d+\) differ at \/2$/],
      ["command", "extra", /^db:redis STRLEN name:\* was called before step \d+;/],
      ["less", "missing", /called db:redis ZADD rank:\* here; this run never did$/],
      ["more", "extra", /^db:redis EXISTS name:\* was called before step \d+;/],
    ],
    redacted: {
      program: "secrets.mjs",
      values: [
        "grace.hopper@example.com",
        "4111 1111 1111 1111",
        "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f",
        "hunter2hunter2",
        "a-secret-of-guests-1",
        REDIS_PASSWORD,
      ],
    },
  })),
];

/** By its name; each has a test file of its own, so that they run beside each other. */
export function database(name: string): Database {
  const found = DATABASES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no database is called ${name}`);
  return found;
}
