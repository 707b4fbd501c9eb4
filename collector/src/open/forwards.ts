import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import { EVERYTHING, type Filter } from "../catalog/filter.ts";
import { CollectorError } from "../collector-error.ts";
import type { Opening } from "../close-stack.ts";
import type { CollectorConfig, Destination } from "../config-schema.ts";
import { systemClock } from "../forward/clock.ts";
import { type DeadLetters, openDeadLetters } from "../forward/dead-letters.ts";
import { type Forwarder, startForwarder } from "../forward/forwarder.ts";
import { createJournalSource, type FollowedJournal } from "../forward/journal-source.ts";
import { createPost } from "../forward/post-otlp.ts";
import { createSealedSource, type ReadRunSpans } from "../forward/sealed-source.ts";
import { startRedactor } from "../forward/redactor.ts";
import type { Source } from "../forward/source.ts";
import { viewOf, viewTraces } from "@reenact/envelope/transfer";
import type { Log } from "../log.ts";
import type { ModelPrices } from "@reenact/envelope/schema";
import { isLoopback } from "../receive/allow-list.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { readRunSpans } from "../query/run-reader.ts";
import { type HeldLease, holdLease } from "./hold-lease.ts";
import { startRelease } from "./release-journal.ts";
import type { Runs } from "./runs.ts";
import type { Storage } from "./storage.ts";

interface ForwardDeps {
  readonly catalog: Catalog;
  /** it has all rows: a filter is asked of none before */
  readonly complete: Promise<void>;
  /** null: it is read by partition, and what is forwarded is what is sealed */
  readonly journal: FollowedJournal | null;
  /** one process at a time forwards to a destination */
  readonly lease: (name: string) => HeldLease | null;
  readonly read: ReadRunSpans;
  readonly log: Log;
  /** null: costs are not known */
  readonly prices: ModelPrices | null;
  /** of the data: dead letters lie below it, and the key of tokens where the environment names none */
  readonly folder: string;
}

/** A forwarder, and whether the journal has to wait for it. */
export interface RunningForward extends Forwarder {
  readonly holdsJournal: boolean;
  readonly letters: DeadLetters;
  /** Sends one request that was given up before; why it was not taken, null: it was. */
  resend(body: Uint8Array): Promise<string | null>;
}

/** Starts one forwarder per destination, and gives up what nobody needs of the journal any more. */
export async function openForwards(
  config: CollectorConfig,
  { journal, store, catalog: { complete } }: Storage,
  { whole, catalog, prices }: Pick<Runs, "whole" | "catalog" | "prices">,
  { log, stack, fail }: Opening,
): Promise<readonly RunningForward[]> {
  if (!config.roles.includes("forward")) return [];
  const read: ReadRunSpans = (row) => readRunSpans(store.store, row);
  const local = journal.driver === "local" ? journal.journal : null;
  const lease = (name: string): HeldLease | null => {
    if (local !== null) return null;
    // the next start goes on where the other one was
    const onLost = () => fail(new Error(`another process has taken ${name}, since this one did not answer in time`));
    return holdLease(catalog, name, { onLost, log });
  };
  const deps = { catalog, complete, journal: local, lease, read, prices, log, folder: config.data };
  const forwards = await Promise.all(config.forward.map((each) => startForward(each, deps)));
  for (const each of forwards) stack.add(`forward ${each.state().name}`, () => each.close());
  if (local === null || whole === null) return forwards;
  const held = () =>
    forwards.filter(({ holdsJournal }) => holdsJournal).map((each) => local.position(each.state().cursor));
  const release = startRelease(local, () => [whole.share.cursor(), ...held()], log);
  stack.add("release", () => release.close());
  return forwards;
}

async function startForward(destination: Destination, deps: ForwardDeps): Promise<RunningForward> {
  const { catalog, journal, log } = deps;
  const { name } = destination;
  const folder = join(deps.folder, "dead-letters", name);
  await mkdir(folder, { recursive: true });
  const letters = await openDeadLetters(folder, destination.maxDeadLetterBytes);
  const filter = filterOf(destination) ?? (journal === null ? EVERYTHING : null);
  const clock = systemClock;
  const { tenants } = destination;
  const source: Source =
    filter !== null || journal === null
      ? createSealedSource({
          catalog,
          complete: deps.complete,
          destination: name,
          filter: filter ?? EVERYTHING,
          tenants,
          read: deps.read,
          clock,
          log,
        })
      : createJournalSource(journal, log, tenants ? { tenants } : {});
  const { hostname } = new URL(destination.url);
  const compression =
    destination.compression === "auto" ? (isLoopback(hostname) ? "none" : "gzip") : destination.compression;
  const post = createPost({ ...destination, compression });
  const view = viewOf({
    view: destination.view,
    bytesAsText: destination.bytes === "text",
    project: destination.project,
  });
  const redactor =
    destination.redaction === undefined
      ? null
      : await startRedactor(destination.redaction, { env: process.env, folder: deps.folder, destination: name });
  if (redactor?.ownKey === true)
    log("warn", "forward.own-key", { destination: name, key: join(deps.folder, "redaction.key") });
  const redact = redactor === null ? null : (body: Uint8Array) => redactor.redact(body);
  const cursorName = `forward:${name}:${filter ? "sealed" : "received"}`;
  const lease = deps.lease(`forward:${name}`);
  const forwarder = startForwarder(destination, {
    source,
    post,
    clock,
    log,
    view,
    redact,
    letters,
    maxBytes: destination.maxBatchBytes,
    prices: deps.prices,
    random: Math.random,
    cursor: {
      async load() {
        await lease?.held;
        return catalog.cursor(cursorName);
      },
      async save(cursor, notes) {
        const fence = await lease?.held;
        await catalog.apply({ cursors: { ...notes, [cursorName]: cursor }, ...(fence && { fence }) });
      },
    },
  });
  return {
    state: forwarder.state,
    holdsJournal: filter === null,
    letters,
    async resend(body) {
      let ready = body;
      try {
        // what could not be made ready lies there as it came
        if (redact !== null) ready = await redact(viewTraces(body, view));
      } catch (error) {
        return `cannot be redacted: ${error instanceof Error ? error.message : String(error)}`;
      }
      const outcome = await post(ready, AbortSignal.timeout(destination.timeout));
      return outcome.is === "accepted" ? null : outcome.why;
    },
    async close() {
      const ended = forwarder.close();
      lease?.cancel();
      // a long text is not waited for
      await redactor?.close();
      await ended;
      await lease?.release();
      post.close();
    },
  };
}

/** null: everything, as it is received. */
function filterOf({ name, filter, classes }: Destination): Filter | null {
  if (filter === undefined && classes === undefined) return null;
  const parts: Filter[] = [];
  if (filter !== undefined) parts.push(parsed(name, filter));
  if (classes !== undefined) parts.push({ is: "one-of", field: "class", values: classes });
  return { is: "all", of: parts };
}

function parsed(name: string, filter: string): Filter {
  try {
    return parseFilter(filter);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const next = "correct it; OPERATIONS.md has the grammar";
    throw new CollectorError("BAD_CONFIG", `configuration: forward ${name}: filter: ${why}`, next, { cause });
  }
}
