import { type Command, InvalidArgumentError, Option } from "commander";
import { count } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { emptyLine, type ListOptions } from "../render/empty-list.ts";
import { listPage } from "../store/list-page.ts";
import { localCount } from "../store/local-rows.ts";
import { openStore } from "../store/open-store.ts";
import { painter } from "../render/painter.ts";
import { redactedFilter, redactedValue } from "../redact/redacted-query.ts";
import { openRemote } from "../remote/open-remote.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { remoteAddress } from "../remote/remote-reference.ts";
import type { RunsPage, RunsQuery } from "../remote/remote-runs.ts";
import { serverOf } from "../remote/server-of.ts";
import { standingServer } from "../remote/standing-server.ts";
import { runLines } from "../render/run-line.ts";
import { unreadRuns } from "../store/unread-runs.ts";
import { watchList } from "../render/watch-list.ts";

async function listUnsealed(options: Options): Promise<void> {
  const answer = await serverOf(options).call("listUnsealed");
  if (options.json) return void process.stdout.write(`${JSON.stringify(answer)}\n`);
  const line = ({ run, at, bytes, key }: (typeof answer.runs)[number]) =>
    `${run}  set aside ${new Date(at).toISOString()}  ${bytes} bytes  ${key}\n`;
  process.stdout.write(answer.runs.length === 0 ? "every run was sealed\n" : answer.runs.map(line).join(""));
}

/** between two looks, milliseconds; a bucket is listed whole each time */
const WATCH_MS = 1000;
const WATCH_STORE_MS = 15_000;

interface Options extends BaseOptions, ListOptions {
  json?: boolean;
  replays?: boolean;
  watch?: boolean;
  unsealed?: boolean;
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
    .option("--replays", "show replays too, what processes did around agent() calls, and what reenact probe wrote")
    .addOption(
      new Option("--status <status>", "only runs with this status").choices(["ok", "failed", "aborted", "suspended"]),
    )
    .option("--user <id>", "only of this user; where ids were redacted the key here makes the token to look for")
    .option("--session <id>", "only of this session")
    .option("--at <time>", "only runs that were under way then: 2026-11-20T16:00±1h", timeRange)
    .option("--filter <expression>", "a collector's filter expression: status:failed tool:refund cost>0.5")
    .option("--unsealed", "of a collector: runs that could not be sealed, and where their spans are")
    .option("--limit <n>", "the greatest number of runs", limitOf, 50)
    .option("--watch", "keep running and show changes: redrawn on a terminal, one line per change elsewhere")
    .option("--after <cursor>", "the next page: `next` of the previous page")
    .action(ls);
}

async function ls(options: Options): Promise<void> {
  if (options.unsealed) return listUnsealed(options);
  const query = await queryOf(options);
  const address = remoteAddress(options);
  const told = new Set<string>();
  const look = async () => {
    if (address !== undefined) return pageAt(address, options, query);
    // a program that reads the list cannot see a note
    openStore(options.store, { whole: options.json === true && !options.watch });
    return listPage(options, query, told);
  };
  if (options.watch) return watch(options, look);
  const page = await look();
  if (options.json) {
    const { rows: runs, next, count: all } = page;
    return void process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs, next, count: all })}\n`);
  }
  const paint = painter(process.stdout);
  for (const line of runLines(page.rows, paint)) process.stdout.write(`${line}\n`);
  if (options.quiet) return;
  for (const line of await notesOn(page, address, options, query)) process.stderr.write(`${line}\n`);
}

async function watch(options: Options, look: () => Promise<RunsPage>): Promise<void> {
  if (options.after !== undefined)
    throw new CliError("REEN-USAGE", "--watch shows the newest runs, --after older ones", "leave one of them away");
  const { json = false, quiet = false } = options;
  const every = options.from === undefined ? WATCH_MS : WATCH_STORE_MS;
  return watchList({ look: async () => (await look()).rows, every, json, quiet });
}

/** Runs that cannot be read, why the list is empty, and how to see more of it. */
async function notesOn(
  page: RunsPage,
  address: string | undefined,
  options: Options,
  { replays }: RunsQuery,
): Promise<string[]> {
  const lines = address === undefined ? unreadRuns(options.store) : [];
  if (page.rows.length === 0) {
    const all = () => countOf(address, options, replays);
    const empty = await emptyLine(options, address, { all, told: lines.length > 0 });
    if (empty !== null) lines.push(empty);
  }
  if (page.next === null) return lines;
  const more = (page.count ?? 0) - page.rows.length;
  const isKnown = more > 0 && address === undefined && standingServer(options.store) === null;
  const next = isKnown
    ? `${count(more, "older run")} not shown; --limit ${page.count} shows all`
    : `more: --after ${page.next}`;
  return [...lines, next];
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

/** Null: it is not known without reading it all. */
async function countOf(address: string | undefined, options: Options, replays: boolean): Promise<number | null> {
  const from = address ?? standingServer(options.store);
  const there = from === null ? 0 : (await pageAt(from, options, { replays, limit: 1 })).count;
  return there === null || address !== undefined ? there : there + localCount(options.store);
}

function limitOf(text: string): number {
  if (/^0*[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a whole number from 1.");
}

const TIME_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DEFAULT_MARGIN_MS = 15 * 60_000;

/** Parses `2026-11-20T16:00±1h`. Also accepts `+-1h`; the margin defaults to 15 minutes, the time zone to the local one. */
function timeRange(text: string): { from: number; to: number } {
  const [, time = "", size, unit = ""] =
    /^(.+?)(?:\s*(?:±|\+-|\+\/-)\s*([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d))?$/.exec(text.trim()) ?? [];
  const at = Date.parse(time);
  if (Number.isNaN(at)) throw new InvalidArgumentError("It is a time: 2026-11-20T16:00±1h.");
  const width = size === undefined ? DEFAULT_MARGIN_MS : Number(size) * (TIME_UNITS[unit] ?? 0);
  return { from: at - width, to: at + width };
}
