import { scanTraces } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import type { RunRow } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { PROBE } from "./probe-run.ts";
import type { Operations } from "./api-operations.ts";
import type { RemoteRuns, RunsQuery } from "./remote-runs.ts";
import type { ServerClient } from "./server-client.ts";

/** A run as the API shows it. */
export type ServedRun = Operations["getRun"]["answer"]["run"];

const PAGE = 500;

/** The runs of a collector, sealed and open. */
export function serverRuns(client: ServerClient): RemoteRuns {
  // runs of a local folder are read there, as those of the store in which the command works
  const list = (query: Operations["listRuns"]["query"]) =>
    client.call("listRuns", { query: { ...query, local: "false" } });

  async function all(filter: string): Promise<ServedRun[]> {
    const found: ServedRun[] = [];
    let after: string | undefined;
    do {
      const page = await list({ filter, limit: PAGE, after });
      found.push(...page.runs);
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  }

  return {
    place: client.url,
    async list(query) {
      const { runs, next, count } = await list({
        filter: expressionOf(query),
        ...(query.between && { at: momentOf(query.between) }),
        limit: Math.min(Math.max(query.limit, 1), 1000),
        after: query.after,
      });
      return { rows: runs.map(rowOf), next, count: count.exact ? count.value : null };
    },
    find: async (prefix) => (await client.call("getRun", { path: { run: prefix }, query: { local: "false" } })).run,
    async related({ run, started, session, instance }) {
      const filters = [
        ...(session === null ? [] : [`session:${quoted(session)} started<=${started}`]),
        ...(instance === null ? [] : [`instance:${quoted(instance)}`]),
      ];
      const found = new Map<string, ServedRun>();
      for (const filter of filters)
        for (const each of await all(`-replay-of:* ${filter}`)) if (each.run !== run) found.set(each.run, each);
      return [...found.values()].toSorted((a, b) => a.started - b.started);
    },
    async envelope({ run }) {
      try {
        return await client.bytes("getEnvelope", run);
      } catch (error) {
        if (!(error instanceof CliError) || error.code !== "REEN-NOT-SEALED") throw error;
        // not in a pack yet: as far as it has come
        return writeEnvelope({ spans: scanTraces(await client.bytes("getSpans", run)), run }).bytes;
      }
    },
    close: () => {},
  };
}

function rowOf(served: ServedRun): RunRow {
  const { run, name, status, complete, steps, llm, durationMs, tokens, cost, replayOf, replay, state } = served;
  return {
    run,
    name,
    status,
    complete,
    class: served.class,
    steps,
    llm,
    tools: served.toolCalls,
    started: new Date(served.started).toISOString(),
    durationMs: durationMs === null ? null : Math.floor(durationMs),
    tokens,
    cost,
    error: served.error?.message ?? null,
    replayOf,
    replay,
    state: state === "open" ? "open" : "sealed",
  };
}

function expressionOf({ statuses, user, session, filter, replays }: RunsQuery): string {
  const terms = [
    ...(replays ? [] : ["-replay-of:*", "-trigger:surrounding", `-service:${PROBE}`]),
    ...(statuses === undefined ? [] : [`status:${statuses.join(",")}`]),
    ...(user === undefined ? [] : [`user:${quoted(user)}`]),
    ...(session === undefined ? [] : [`session:${quoted(session)}`]),
    ...(filter === undefined || filter.trim() === "" ? [] : [`(${filter})`]),
  ];
  return terms.join(" ");
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** With its zone: a collector may be in another one. */
const momentOf = ({ from, to }: { from: number; to: number }): string =>
  `${new Date((from + to) / 2).toISOString()}±${Math.ceil((to - from) / 2)}ms`;
