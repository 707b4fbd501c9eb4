import { errorCode } from "@reenact/envelope";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { asksWords } from "../catalog/filter.ts";
import { projectHandlers } from "../project/project-handlers.ts";
import { type Mark, newMarkId } from "../retain/mark.ts";
import { settingsHandlers } from "../settings/settings-handlers.ts";
import type { ApiDeps, ApiDestination, Caller, Reads } from "./api-deps.ts";
import { ApiError } from "./api-error.ts";
import { apiRunOf } from "./api-run.ts";
import {
  feedbackBody,
  flagBody,
  keepBody,
  linkBody,
  retentionQuery,
  sessionBody,
  watchQuery,
  watchRunQuery,
} from "./api-schema.ts";
import { type Ask, bodyOf, type Handler, queryOf, refusal } from "./ask.ts";
import { crossOriginHeaders, PREFLIGHT } from "./cross-origin.ts";
import { findRun } from "./find-run.ts";
import { filterOf } from "./list-runs.ts";
import type { EventSource } from "./live/event-stream.ts";
import { listEvents } from "./live/list-events.ts";
import { stepEvents } from "./live/step-events.ts";
import { openApi } from "./openapi.ts";
import { readHandlers } from "./read-handlers.ts";
import { READ_ROUTES, type ReadName } from "./read-routes.ts";
import { API, type Route, ROUTES } from "./routes.ts";
import { sessionCookie, sessionIdOf } from "./session/session-cookie.ts";
import { serveEnvelope } from "./serve-envelope.ts";
import { heldLettersQuery, noBody } from "./system-schema.ts";

const MOST_BODY = 64 * 1024;
/** Of the routes that take more, by path. */
const MOST_BODIES = new Map(
  Object.values<Route>(ROUTES).flatMap(({ path, mostBody }) =>
    mostBody === undefined ? [] : [[API + path, mostBody] as const],
  ),
);

/** The read API, and the few writes of people: everything under `/api/v1`. */
export function createApi(deps: ApiDeps): Hono<{ Variables: Caller }> {
  const { keeper, log, now = Date.now } = deps;
  const document = openApi(deps.version);
  const rowOf = (ask: Ask) => findRun(deps, ask.get("tenant"), ask.req.param("run") ?? "");
  // a run that is shown from a local folder takes no marks
  const receivedRow = (ask: Ask) => findRun(deps, ask.get("tenant"), ask.req.param("run") ?? "", false);
  const { reads } = deps;
  const reading = reads ? elsewhere(reads) : readHandlers(deps);

  const handlers: Record<keyof typeof ROUTES, Handler> = {
    ...reading,
    ...projectHandlers(deps),
    ...settingsHandlers(deps),
    // what waits for its pack is in memory here
    getEnvelope: async (ask) => {
      const row = await rowOf(ask);
      const bodies = row.parts.length === 0 ? deps.changes.frames(row.tenant, row.run) : null;
      if (bodies === null) return reading.getEnvelope(ask);
      log("info", "api.payload-read", {
        what: "envelope",
        run: row.run,
        tenant: row.tenant,
        caller: ask.get("caller"),
      });
      return serveEnvelope(ask, { bodies, etag: null });
    },
    whoAmI: (ask) =>
      ask.json(
        whoIs({
          tenant: ask.get("tenant"),
          caller: ask.get("caller"),
          key: ask.get("key"),
          scopes: ask.get("scopes"),
        }),
      ),
    signIn: async (ask) => {
      const { key } = await bodyOf(ask, sessionBody);
      const headers = new Headers(ask.req.raw.headers);
      headers.set("authorization", `Bearer ${key.trim()}`);
      const admission = await deps.admit(headers, "read");
      if (!admission.admitted) throw new ApiError(admission.code, admission.message);
      log("info", "api.signed-in", { caller: admission.caller, tenant: admission.tenant });
      ask.header("set-cookie", sessionCookie(ask.req.raw, deps.sessions.open(key.trim())));
      return ask.json(whoIs(admission));
    },
    signInByLink: async (ask) => {
      const { code } = await bodyOf(ask, linkBody);
      const opened = deps.sessions.redeem(code);
      if (opened === null) throw new ApiError("NO_LINK", "this link was used already, or is too old");
      const { tenant, key, scopes } = opened.identity;
      log("info", "api.signed-in", { caller: key, tenant });
      ask.header("set-cookie", sessionCookie(ask.req.raw, opened.id));
      return ask.json(whoIs({ tenant, caller: key ?? "anybody", key, scopes: [...scopes] }));
    },
    signOut: async (ask) => {
      await bodyOf(ask, noBody);
      const session = sessionIdOf(ask.req.raw.headers);
      if (session !== null) deps.sessions.close(session);
      ask.header("set-cookie", sessionCookie(ask.req.raw, null));
      return ask.json({ schemaVersion: 1, signedOut: true });
    },
    watchRuns: (ask) => {
      const { filter, last: asked } = queryOf(ask, watchQuery);
      const parsed = filterOf({ filter }, now());
      if (asksWords(parsed)) throw new ApiError("BAD_FILTER", "free text cannot be watched for, only fields can");
      return watch(ask, asked, (last) => listEvents(deps.feed, { tenant: ask.get("tenant"), filter: parsed, last }));
    },
    watchRun: async (ask) => {
      const { last: asked } = queryOf(ask, watchRunQuery);
      const { tenant, run } = await rowOf(ask);
      return watch(ask, asked, (last) => stepEvents(deps, { tenant, run, last }));
    },
    getSystem: (ask) => ask.json({ schemaVersion: 1, ...deps.system(), watching: deps.streams.count() }),
    listDestinations: (ask) => ask.json({ schemaVersion: 1, destinations: deps.destinations.map(destinationOf) }),
    listLetters: async (ask) => {
      const { limit } = queryOf(ask, heldLettersQuery);
      const { letters } = destinationNamed(ask);
      return ask.json({ schemaVersion: 1, letters: await letters.list(limit), all: letters.held().letters });
    },
    resendLetters: async (ask) => {
      await bodyOf(ask, noBody);
      return emptied(ask, (destination, body) => destination.resend(body));
    },
    dropLetters: async (ask) => {
      await bodyOf(ask, noBody);
      return emptied(ask, () => Promise.resolve(null));
    },
    listMarks: async (ask) => {
      const row = await rowOf(ask);
      const { marks, removed } = await keeper.marksOf(row);
      const removals = new Map(removed.map(({ mark, at, by = null }) => [mark, { at, by }]));
      const shown = marks.map((mark) => {
        const { id, kind, name, value = null, at, by = null, pinned = false } = mark;
        return { id, kind, name, value, at, by, pinned, removed: removals.get(id) ?? null };
      });
      return ask.json({ schemaVersion: 1, run: row.run, marks: shown });
    },
    removeMark,
    getStore: (ask) => ask.json({ schemaVersion: 1, store: deps.storeFacts() }),
    listUnsealed: async (ask) => ask.json({ schemaVersion: 1, runs: await deps.unsealed(ask.get("tenant")) }),
    getRetention: async (ask) =>
      ask.json({ schemaVersion: 1, ...(await deps.plan(ask.get("tenant"), queryOf(ask, retentionQuery))) }),
    keepRun: async (ask) => {
      const { reason } = await bodyOf(ask, keepBody);
      return mark(ask, { kind: "flag", name: reason, pinned: true });
    },
    flagRun: async (ask) => mark(ask, { kind: "flag", name: (await bodyOf(ask, flagBody)).reason }),
    giveFeedback: async (ask) => mark(ask, await bodyOf(ask, feedbackBody)),
    getOpenApi: (ask) => ask.json(document),
  };

  const whoIs = ({ tenant, caller, scopes }: Caller) => ({
    schemaVersion: 1,
    key: caller,
    project: tenant,
    scopes,
    version: deps.version,
    capabilities: Object.keys(ROUTES),
  });

  function destinationNamed(ask: Ask): ApiDestination {
    const name = ask.req.param("destination") ?? "";
    const found = deps.destinations.find((each) => each.state().name === name);
    if (!found) throw new ApiError("NO_DESTINATION", `there is no destination ${JSON.stringify(name.slice(0, 64))}`);
    return found;
  }

  async function emptied(ask: Ask, send: (to: ApiDestination, body: Uint8Array) => Promise<string | null>) {
    const to = destinationNamed(ask);
    const { gone, why } = await to.letters.empty((body) => send(to, body));
    return ask.json({ schemaVersion: 1, gone, left: to.letters.held().letters, why });
  }

  async function mark(ask: Ask, given: Omit<Mark, "id" | "at" | "by">): Promise<Response> {
    const id = newMarkId();
    const { row, applied } = await keeper.mark(await receivedRow(ask), { id, ...given, ...signed(ask) });
    return ask.json({ schemaVersion: 1, applied, mark: id, run: apiRunOf(row) });
  }

  async function removeMark(ask: Ask): Promise<Response> {
    const found = await receivedRow(ask);
    const mark = ask.req.param("mark") ?? "";
    const { marks, removed } = await keeper.marksOf(found);
    if (!marks.some((each) => each.id === mark))
      throw new ApiError("NO_MARK", `run ${found.run} has no mark with the id ${mark.slice(0, 40)}`);
    // once more, where the answer was lost
    const before = removed.find((each) => each.mark === mark);
    const { row, applied } = await keeper.mark(found, before ?? { mark, ...signed(ask) });
    const { run, tenant } = row;
    log("info", "api.mark-removed", { mark, run, tenant, class: row.class, applied, caller: ask.get("caller") });
    return ask.json({ schemaVersion: 1, applied, mark, run: apiRunOf(row) });
  }

  /** When and by whom; without keys nobody has a name. */
  function signed(ask: Ask): { at: number; by?: string } {
    const key = ask.get("key");
    return { at: now(), ...(key !== null && { by: key }) };
  }

  /** `asked`: the id of the last event in the address. */
  function watch(ask: Ask, asked: string | undefined, source: (last: string | undefined) => EventSource): Response {
    // a browser that opens its stream again sends a newer one than the address has
    const opened = source(ask.req.header("last-event-id") ?? asked);
    const response = deps.streams.open(opened);
    if (response !== null) return response;
    opened.end();
    throw new ApiError("TOO_MANY_STREAMS", "so many pages watch already");
  }

  const api = new Hono<{ Variables: Caller }>().basePath(API);
  api.use((ask, next) => {
    const maxSize = MOST_BODIES.get(ask.req.path) ?? MOST_BODY;
    const onError = () => {
      // the rest of the body stays unread on this connection, so the client must not send another request over it
      ask.header("connection", "close");
      throw new ApiError("BAD_REQUEST", `the body is larger than ${maxSize} bytes`);
    };
    return bodyLimit({ maxSize, onError })(ask, next);
  });
  api.use(async (ask, next) => {
    const origin = ask.req.header("origin");
    // the first word: no route is asked for anything before
    const admission = await deps.admit(ask.req.raw.headers, null);
    const preflight = ask.req.method === "OPTIONS" && ask.req.header("access-control-request-method") !== undefined;
    if (!admission.admitted) ask.res = refusal(ask, new ApiError(admission.code, admission.message));
    else if (preflight) ask.res = ask.body(null, 204, PREFLIGHT);
    else await next();
    // an image or a script of another page must not have what is answered here
    ask.header("cross-origin-resource-policy", "same-origin");
    if (!ask.res.headers.has("x-content-type-options")) ask.header("x-content-type-options", "nosniff");
    if (origin === undefined || !admission.admitted) return;
    for (const [name, value] of Object.entries(crossOriginHeaders(origin))) ask.header(name, value);
  });
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const handler = handlers[name as keyof typeof ROUTES];
    api[route.method](route.path, async (ask) => {
      const admission = await deps.admit(ask.req.raw.headers, route.scope);
      if (!admission.admitted) throw new ApiError(admission.code, admission.message);
      ask.set("tenant", admission.tenant);
      ask.set("caller", admission.caller);
      ask.set("scopes", admission.scopes);
      ask.set("key", admission.key);
      ask.header("cache-control", "no-store");
      return handler(ask);
    });
  }
  api.notFound((ask) => refusal(ask, new ApiError("NO_ROUTE", `there is no ${ask.req.method} ${ask.req.path}`)));
  api.onError((error, ask) => {
    const refused = ApiError.from(error);
    // a catalog that is being made again says so itself
    const isTold = errorCode(error) === "INCOMPLETE";
    if (refused.status >= 500 && !isTold) log("error", "api.failed", { path: ask.req.path, code: refused.code, error });
    return refusal(ask, refused);
  });
  return api;
}

function elsewhere(reads: Reads): Record<ReadName, Handler> {
  const names = Object.keys(READ_ROUTES) as ReadName[];
  const handler =
    (name: ReadName): Handler =>
    (ask) => {
      const who = {
        tenant: ask.get("tenant"),
        caller: ask.get("caller"),
        key: ask.get("key"),
        scopes: ask.get("scopes"),
      };
      return reads.answer(name, ask.req.raw, who);
    };
  return Object.fromEntries(names.map((name) => [name, handler(name)])) as Record<ReadName, Handler>;
}

function destinationOf({ state, letters }: ApiDestination) {
  const {
    name,
    state: word,
    lagMs,
    behindBytes,
    lastFailure,
    sent,
    rejected,
    deadLettered,
    dropped,
    retries,
  } = state();
  const counts = { sent, rejected, deadLettered, dropped, retries };
  return { name, state: word, lagMs, behindBytes, lastFailure, ...counts, deadLetters: letters.held() };
}
