import { type Command, InvalidArgumentError, Option } from "commander";
import { waitingRuns } from "@reenact/node/send";
import { baseCommand, type BaseOptions } from "../base-command.ts";
import { CliError, said } from "../cli-error.ts";
import { environment } from "../environment.ts";
import { openStore } from "../open-store.ts";
import { painter } from "../painter.ts";
import { redactedFilter, redactedValue } from "../redacted-query.ts";
import { momentOf } from "../remote/moment.ts";
import { openRemote } from "../remote/open-remote.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { remoteAddress } from "../remote/remote-reference.ts";
import type { RunsPage, RunsQuery } from "../remote/remote-runs.ts";
import { leftPacks } from "../remote/left-packs.ts";
import { standingServer } from "../remote/standing-server.ts";
import { listRuns, type Manifest, type RunFile } from "../run-files.ts";
import { runLine } from "../run-line.ts";
import { runRow } from "../run-row.ts";
import { shellWords } from "../shell-words.ts";
import { count, oneLine } from "../terminal-text.ts";
import { watchList } from "../watch-list.ts";

/** between two looks, milliseconds; a bucket is listed whole each time */
const WATCH_MS = 1000;
const WATCH_STORE_MS = 15_000;

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  replays?: boolean;
  status?: string;
  user?: string;
  session?: string;
  at?: { from: number; to: number };
  filter?: string;
  after?: string;
  watch?: boolean;
  limit: number;
}

export function lsCommand(): Command {
  const command = baseCommand("ls", "list recorded runs, newest first", [
    "reenact ls",
    "reenact ls --status failed --json",
    "reenact ls --server https://collector.example --user alice@example.com --at 2026-11-20T16:00±1h",
    `reenact ls --server http://127.0.0.1:4318 --filter 'tool:refund cost>0.5 "wrong row"'`,
    "reenact ls --from s3://bucket/runs --limit 5",
    "reenact ls --watch --status failed",
  ]);
  return withRemote(command)
    .option("--json", "machine-readable")
    .option("--replays", "show replays too, and what reenact probe wrote")
    .addOption(
      new Option("--status <status>", "only runs that ended so").choices(["ok", "failed", "aborted", "suspended"]),
    )
    .option("--user <id>", "only of this user; where ids were redacted the key here makes the token to look for")
    .option("--session <id>", "only of this session")
    .option("--at <time>", "only runs that were under way then: 2026-11-20T16:00±1h", momentOf)
    .option("--filter <expression>", "a collector's filter expression: status:failed tool:refund cost>0.5")
    .option("--limit <n>", "at most so many", wholeNumber, 50)
    .option("--watch", "go on, and show what changes: drawn again on a terminal, a line for each change elsewhere")
    .option("--after <cursor>", "the next page of a collector: `next` of the one before")
    .action(ls);
}

async function ls(options: Options): Promise<void> {
  const query = await queryOf(options);
  const address = remoteAddress(options);
  const told = new Set<string>();
  const look = () => (address === undefined ? pageHere(options, query, told) : pageAt(address, options, query));
  if (options.watch) {
    if (options.after !== undefined)
      throw new CliError("REEN-USAGE", "--watch shows the newest runs, --after older ones", "leave one of them away");
    const { json = false, quiet = false } = options;
    const every = options.from === undefined ? WATCH_MS : WATCH_STORE_MS;
    return watchList({ look: async () => (await look()).rows, every, json, quiet });
  }
  const page = await look();
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs: page.rows, next: page.next })}\n`);
    return;
  }
  const paint = painter(process.stdout);
  for (const row of page.rows) process.stdout.write(`${runLine(row, paint)}\n`);
  if (options.quiet) return;
  if (address === undefined)
    for (const { url, runs, onlyThere } of waitingRuns(options.store))
      if (onlyThere) process.stderr.write(`${count(runs, "run")} not sent to ${url} yet. Next: reenact ship\n`);
  const packs = address === undefined && standingServer(options.store) === null ? leftPacks(options.store) : null;
  if (packs !== null)
    process.stderr.write(
      `${packs} holds runs of a collector that has stopped. Next: reenact ls --from ${shellWords([packs])}\n`,
    );
  else if (page.rows.length === 0)
    process.stderr.write(`no runs in ${address ?? options.store}. Next: ${nextOf(address)}\n`);
  const more = (page.count ?? 0) - page.rows.length;
  if (page.next !== null) process.stderr.write(`more: --after ${page.next}\n`);
  else if (more > 0 && page.rows.length >= options.limit)
    process.stderr.write(`${count(more, "older run")} not shown; --limit ${page.count} shows all\n`);
}

/** Where this environment sends its runs they are not here. */
function nextOf(address: string | undefined): string {
  const endpoint = address === undefined ? environment()["REENACT_ENDPOINT"] : undefined;
  return endpoint ? `reenact ls --server ${endpoint}` : "reenact run -- node agent.js";
}

async function queryOf(options: Options): Promise<RunsQuery> {
  const { store, status, user, session, filter } = options;
  return {
    statuses: status === undefined ? undefined : [status],
    user: user === undefined ? undefined : redactedValue(user, "user.id", store),
    session: session === undefined ? undefined : redactedValue(session, "session.id", store),
    between: options.at,
    filter: filter === undefined ? undefined : await redactedFilter(filter, store),
    replays: options.replays === true,
    limit: options.limit,
    after: options.after,
  };
}

async function pageAt(
  address: string,
  options: RemoteOptions & { store: string },
  query: RunsQuery,
): Promise<RunsPage> {
  const from = await openRemote(address, options);
  try {
    return await from.list(query);
  } finally {
    from.close();
  }
}

/** The local store, and the collector that `reenact up` runs over it. */
async function pageHere(options: Options, query: RunsQuery, told: Set<string>): Promise<RunsPage> {
  openStore(options.store);
  const up = standingServer(options.store);
  if (up === null) {
    const name = query.filter !== undefined ? "--filter" : query.after !== undefined ? "--after" : null;
    if (name !== null)
      throw new CliError("REEN-USAGE", `${name} needs a collector`, "name it: --server http://127.0.0.1:4318");
    return filesOf(options.store, query, told);
  }
  const there = await pageAt(up, options, query);
  if (query.filter !== undefined || query.after !== undefined) return there;
  const here = filesOf(options.store, { ...query, limit: Number.MAX_SAFE_INTEGER }, told);
  const ids = new Set(here.rows.map(({ run }) => run));
  const all = [...here.rows, ...there.rows.filter(({ run }) => !ids.has(run))];
  const rows = all.toSorted((a, b) => (a.started < b.started ? 1 : -1)).slice(0, query.limit);
  return { rows, next: null, count: there.next === null ? all.length : null };
}

/** `told`: what was said already of damaged ones. */
function filesOf(store: string, query: RunsQuery, told: Set<string>): RunsPage {
  const { runs, damaged } = listRuns(store);
  for (const { path, error } of damaged.filter(({ path }) => !told.has(path))) {
    told.add(path);
    process.stderr.write(`reenact: ${oneLine(`cannot read ${path}: ${said(error)}. Next: reenact doctor`, 400)}\n`);
  }
  const wanted = runs.filter((run) => fits(run, query));
  return { rows: wanted.slice(0, query.limit).map(runRow), next: null, count: wanted.length };
}

function fits({ header, manifest }: RunFile, { statuses, user, session, between, replays }: RunsQuery): boolean {
  return (
    (replays || manifest.replay === undefined) &&
    (statuses?.includes(header.status) ?? true) &&
    (user === undefined || manifest.user === user) &&
    (session === undefined || manifest.session === session) &&
    (between === undefined || isUnderWay(manifest, between))
  );
}

function isUnderWay({ started, ended }: Manifest, { from, to }: { from: number; to: number }): boolean {
  const ms = (nano: string) => Number(BigInt(nano) / 1_000_000n);
  return ms(started) <= to && (ended === null || ms(ended) >= from);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}
