import { ATTR } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import { CliError, messageOf } from "../errors/cli-error.ts";
import type { RemoteRun, RemoteRuns } from "./remote-runs.ts";
import { type PhoenixSpan, spanOfPhoenix } from "./phoenix-span.ts";

const ANSWER_MS = 60_000;
const PAGE = 1000;
/** Other runs of a process are looked for so far around. */
const NEAR_MS = 86_400_000;

interface Place {
  /** of the server, without a slash at the end */
  readonly url: string;
  readonly project: string;
  readonly token: string | undefined;
  /** take runs of which it lacks parts, too */
  readonly incomplete: boolean;
}

/**
 * The runs of a Phoenix project that were forwarded to it with the full view. It keeps no bytes of ours, so there is no
 * content digest to check: a run of which a step, a record or a part of the journal is missing or was changed is refused,
 * unless `incomplete`.
 */
export function phoenixRuns(at: Place): RemoteRuns {
  const place = `${at.url} (project ${at.project})`;

  async function spans(query: Record<string, string>): Promise<PhoenixSpan[]> {
    const found: PhoenixSpan[] = [];
    let cursor: string | null = null;
    do {
      const asked = new URLSearchParams({ ...query, limit: String(PAGE), ...(cursor !== null && { cursor }) });
      const page: { data: PhoenixSpan[]; next_cursor: string | null } = await ask(asked);
      found.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  }

  async function ask(query: URLSearchParams): Promise<{ data: PhoenixSpan[]; next_cursor: string | null }> {
    const url = `${at.url}/v1/projects/${encodeURIComponent(at.project)}/spans?${query.toString()}`;
    const headers = at.token === undefined ? {} : { authorization: `Bearer ${at.token}` };
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
      body = response.ok ? await response.json() : null;
    } catch (error) {
      throw new CliError(
        "REEN-SERVER",
        `cannot read ${at.url}: ${whyOf(error)}`,
        "start Phoenix, or correct its address",
        {
          cause: error,
        },
      );
    }
    const { status } = response;
    if (status === 401 || status === 403)
      throw new CliError(
        "REEN-UNAUTHORISED",
        `${at.url} refuses with status ${status}`,
        "set PHOENIX_API_KEY, or --token",
      );
    if (status === 404)
      throw new CliError(
        "REEN-NO-RUN",
        `${at.url} has no project ${at.project}`,
        "check the project's name in Phoenix",
      );
    if (!response.ok || !Array.isArray((body as { data?: unknown } | null)?.data))
      throw new CliError(
        "REEN-SERVER",
        `${at.url} answers with status ${status}, not as Phoenix does`,
        "correct its address",
      );
    return body as { data: PhoenixSpan[]; next_cursor: string | null };
  }

  const found = new Map<string, readonly PhoenixSpan[]>();

  /** Runs of ours in a trace, or with this id. */
  async function runsOf(name: string): Promise<Map<string, PhoenixSpan[]>> {
    const byTrace = await spans({ trace_id: name });
    const all = byTrace.length > 0 ? byTrace : await spans({ attribute: attributeIs(ATTR.runId, name) });
    const ours = Map.groupBy(all, runIdOf);
    ours.delete("");
    if (all.length > 0 && ours.size === 0)
      throw new CliError(
        "REEN-NOT-A-RUN",
        `trace ${name} in ${place} is of no run of ours`,
        "reenact ls --server <url>",
      );
    for (const [run, each] of ours) {
      if (!each.some(({ attributes }) => ATTR.record in attributes || ATTR.root in attributes))
        throw new CliError(
          "REEN-NOT-A-RUN",
          `run ${run} was forwarded to ${place} without its record`,
          "forward with view: full (REENACT_FORWARD_VIEW=full)",
        );
      found.set(run, each);
    }
    return ours;
  }

  return {
    place,
    list: () =>
      Promise.reject(
        new CliError("REEN-USAGE", "runs in Phoenix are not listed here", `look at ${at.url} for the trace`),
      ),
    async find(name) {
      if (!/^[0-9a-f]{32}$/.test(name))
        throw new CliError("REEN-USAGE", `${name} is not a whole id`, "name the trace, or the run, by all 32 digits");
      const ours = await runsOf(name);
      const [first] = ours.keys();
      if (first === undefined)
        throw new CliError("REEN-NO-RUN", `no trace and no run ${name} in ${place}`, "check project and id");
      return remoteOf(ours.has(name) ? name : first, found);
    },
    async related({ run, started, session, instance }) {
      const time = (ms: number) => new Date(ms).toISOString();
      const near = { start_time: time(started - NEAR_MS), end_time: time(started + NEAR_MS) };
      const roots = instance === null ? [] : await spans({ span_kind: "AGENT", ...near });
      if (session !== null)
        roots.push(...(await spans({ attribute: attributeIs("session.id", session), end_time: near.end_time })));
      for (const root of roots) {
        if (!(ATTR.root in root.attributes)) continue;
        const facts = factsOf(root);
        const isEarlier = session !== null && facts.session === session && Date.parse(root.start_time) <= started;
        if (!isEarlier && (instance === null || facts.instance !== instance)) continue;
        if (!found.has(runIdOf(root))) await runsOf(root.context.trace_id);
      }
      // several runs may have one trace: a caller and those that it called
      return [...found.keys()]
        .filter((each) => each !== run)
        .map((each) => remoteOf(each, found))
        .toSorted((a, b) => a.started - b.started);
    },
    envelope: ({ run }) =>
      Promise.resolve().then(() => {
        const { bytes, manifest } = writeEnvelope({ spans: (found.get(run) ?? []).map(spanOfPhoenix), run });
        if (!manifest.complete && !at.incomplete)
          throw new CliError(
            "REEN-DAMAGED",
            `run ${run} from ${place} is not whole: ${manifest.incompleteReasons.join("; ")}`,
            "fetch it from the collector; --incomplete takes it as it is",
          );
        return bytes;
      }),
    close: () => {},
  };
}

/** Quoted: a value of digits would be taken for a number. */
const attributeIs = (name: string, value: string): string => `${name}:${JSON.stringify(value)}`;

/** Empty for a span of another instrumentation. */
function runIdOf({ attributes }: PhoenixSpan): string {
  const id = attributes[ATTR.runId];
  return typeof id === "string" ? id : "";
}

function remoteOf(run: string, found: ReadonlyMap<string, readonly PhoenixSpan[]>): RemoteRun {
  const spans = found.get(run) ?? [];
  const root = spans.find(({ attributes }) => ATTR.root in attributes);
  const starts = (root === undefined ? spans : [root]).map(({ start_time }) => Date.parse(start_time));
  return {
    run,
    started: Math.min(...starts),
    ...(root === undefined ? { session: null, instance: null } : factsOf(root)),
  };
}

function factsOf({ attributes }: PhoenixSpan): { session: string | null; instance: string | null } {
  const session = attributes["session.id"];
  let instance: unknown = null;
  try {
    ({ instance } = JSON.parse(String(attributes[ATTR.root])) as { instance?: unknown });
  } catch {
    // no root of ours, or not whole, which is said when it is read
  }
  return {
    session: typeof session === "string" && session !== "" ? session : null,
    instance: typeof instance === "string" ? instance : null,
  };
}

function whyOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return messageOf(cause ?? error);
}
