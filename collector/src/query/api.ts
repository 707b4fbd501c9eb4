import { otlpJson, joinTraces } from "@reenact/envelope";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { stream } from "hono/streaming";
import type { z } from "zod";
import type { RunRow } from "../catalog/run-row.ts";
import { type Mark, markId, newMarkId } from "../retain/mark.ts";
import { rangeOf } from "../store/object-body.ts";
import type { ApiDeps, ApiDestination } from "./api-deps.ts";
import { ApiError } from "./api-error.ts";
import { apiRunOf } from "./api-run.ts";
import { facetsQuery, feedbackBody, flagBody, keepBody, runsQuery, watchQuery } from "./api-schema.ts";
import { byteRange } from "./byte-range.ts";
import { crossOriginHeaders, PREFLIGHT } from "./cross-origin.ts";
import { expired, findRun } from "./find-run.ts";
import { filterOf, listRuns } from "./list-runs.ts";
import type { EventSource } from "./live/event-stream.ts";
import { asksWords, listEvents } from "./live/list-events.ts";
import { stepEvents } from "./live/step-events.ts";
import { openApi } from "./openapi.ts";
import { API, ENVELOPE_TYPE, type Route, ROUTES } from "./routes.ts";
import { mergedEnvelope, partBytes, readRunSpans } from "./run-reader.ts";
import { stepDetail, stepLines, stepPart } from "./run-steps.ts";
import { servePart } from "./serve-part.ts";
import { treeQuery } from "./step-schema.ts";
import { diffQuery } from "./diff-schema.ts";
import { diffRuns } from "./run-diff.ts";
import { noBody } from "./system-schema.ts";
import { errorGroups, facetsOf, memberOf, seriesOver, sumsOf } from "./sums.ts";
import { memberQuery, seriesQuery, sumsQuery } from "./sums-schema.ts";

interface Variables {
  tenant: string;
  caller: string;
  key: string | null;
  scopes: readonly string[];
}
type Ask = Context<{ Variables: Variables }>;
type Handler = (ask: Ask) => Promise<Response> | Response;

const MOST_BODY = 64 * 1024;

/** The read API, and the few writes of people: everything under `/api/v1`. */
export function createApi(deps: ApiDeps): Hono<{ Variables: Variables }> {
  const { catalog, store, open, keeper, log, now = Date.now } = deps;
  const document = openApi(deps.version);
  const rowOf = (ask: Ask) => findRun(deps, ask.get("tenant"), ask.req.param("run") ?? "");
  const one = (ask: Ask, row: RunRow) => ask.json({ schemaVersion: 1, run: apiRunOf(row) });

  const handlers: Record<keyof typeof ROUTES, Handler> = {
    listRuns: async (ask) => ask.json(await listRuns(deps, ask.get("tenant"), queryOf(ask, runsQuery))),
    getRun: async (ask) => one(ask, await rowOf(ask)),
    whoAmI: (ask) =>
      ask.json({
        schemaVersion: 1,
        key: ask.get("caller"),
        project: ask.get("tenant"),
        scopes: ask.get("scopes"),
        version: deps.version,
        capabilities: Object.keys(ROUTES),
      }),
    getEnvelope: async (ask) => payload(ask, envelope),
    watchRuns: (ask) => {
      const { filter } = queryOf(ask, watchQuery);
      const parsed = filterOf({ filter }, now());
      if (asksWords(parsed)) throw new ApiError("BAD_FILTER", "free text cannot be watched for, only fields can");
      return watch(ask, (last) => listEvents(deps.feed, { tenant: ask.get("tenant"), filter: parsed, last }));
    },
    watchRun: async (ask) => {
      const { tenant, run } = await rowOf(ask);
      return watch(ask, (last) => stepEvents(deps, { tenant, run, last }));
    },
    getTree: async (ask) => payload(ask, tree),
    getStep: async (ask) => payload(ask, step),
    getPart: async (ask) => payload(ask, part),
    getSpans: async (ask) => payload(ask, spans),
    getFacets: async (ask) => ask.json(await facetsOf(deps, ask.get("tenant"), queryOf(ask, facetsQuery))),
    getSeries: async (ask) => ask.json(await seriesOver(deps, ask.get("tenant"), queryOf(ask, seriesQuery))),
    listErrors: async (ask) => ask.json(await errorGroups(deps, ask.get("tenant"), queryOf(ask, sumsQuery))),
    listSessions: async (ask) => {
      const sums = await sumsOf(deps, ask.get("tenant"), { field: "session", query: queryOf(ask, sumsQuery) });
      return ask.json({ schemaVersion: 1, sessions: sums.map(({ value, ...rest }) => ({ session: value, ...rest })) });
    },
    getSession: async (ask) => ask.json(await member(ask, "session")),
    listUsers: async (ask) => {
      const sums = await sumsOf(deps, ask.get("tenant"), { field: "user", query: queryOf(ask, sumsQuery) });
      return ask.json({ schemaVersion: 1, users: sums.map(({ value, ...rest }) => ({ user: value, ...rest })) });
    },
    getUser: async (ask) => {
      const found = await member(ask, "user");
      const filter = { is: "one-of", field: "user", values: [ask.req.param("user") ?? ""] } as const;
      const sums = await catalog.sums({ tenant: ask.get("tenant"), filter }, "session", 100);
      return ask.json({ ...found, sessions: sums.map(({ value, ...rest }) => ({ session: value, ...rest })) });
    },
    diffRuns: async (ask) => {
      const { a, b } = queryOf(ask, diffQuery);
      const [left, right] = [await findRun(deps, ask.get("tenant"), a), await findRun(deps, ask.get("tenant"), b)];
      const read = async (row: RunRow) => ({ run: row.run, spans: await spansOf(row) });
      const diff = diffRuns(await read(left), await read(right));
      return ask.json({ schemaVersion: 1, a: apiRunOf(left), b: apiRunOf(right), ...diff });
    },
    getSystem: (ask) => ask.json({ schemaVersion: 1, ...deps.system(), watching: deps.streams.count() }),
    listDestinations: (ask) => ask.json({ schemaVersion: 1, destinations: deps.destinations.map(destinationOf) }),
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
      const { marks, removed } = await keeper.said(row);
      const removals = new Map(removed.map(({ mark, at, by = null }) => [mark, { at, by }]));
      const shown = marks.map((mark) => {
        const { kind, name, value = null, at, by = null, pinned = false } = mark;
        const id = markId(mark);
        return { id, kind, name, value, at, by, pinned, removed: removals.get(id) ?? null };
      });
      return ask.json({ schemaVersion: 1, run: row.run, marks: shown });
    },
    removeMark,
    getStore: (ask) => ask.json({ schemaVersion: 1, store: deps.storeFacts() }),
    listUnsealed: async (ask) => ask.json({ schemaVersion: 1, runs: await deps.unsealed(ask.get("tenant")) }),
    getRetention: async (ask) => ask.json({ schemaVersion: 1, ...(await deps.plan(ask.get("tenant"))) }),
    keepRun: async (ask) => {
      const { reason } = await bodyOf(ask, keepBody);
      return say(ask, { kind: "flag", name: reason, pinned: true });
    },
    flagRun: async (ask) => say(ask, { kind: "flag", name: (await bodyOf(ask, flagBody)).reason }),
    giveFeedback: async (ask) => say(ask, await bodyOf(ask, feedbackBody)),
    getOpenApi: (ask) => ask.json(document),
  };

  async function emptied(ask: Ask, send: (to: ApiDestination, body: Uint8Array) => Promise<string | null>) {
    const name = ask.req.param("destination") ?? "";
    const to = deps.destinations.find((each) => each.state().name === name);
    if (!to) throw new ApiError("NO_DESTINATION", `there is no destination ${JSON.stringify(name.slice(0, 64))}`);
    const { gone, why } = await to.letters.empty((body) => send(to, body));
    return ask.json({ schemaVersion: 1, gone, left: to.letters.held().letters, why });
  }

  const member = (ask: Ask, field: "session" | "user") =>
    memberOf(deps, ask.get("tenant"), { field, value: ask.req.param(field) ?? "", query: queryOf(ask, memberQuery) });

  async function say(ask: Ask, said: Omit<Mark, "id" | "at" | "by">): Promise<Response> {
    const id = newMarkId();
    const { row, applied } = await keeper.say(await rowOf(ask), { id, ...said, ...signed(ask) });
    return ask.json({ schemaVersion: 1, applied, mark: id, run: apiRunOf(row) });
  }

  async function removeMark(ask: Ask): Promise<Response> {
    const found = await rowOf(ask);
    const mark = ask.req.param("mark") ?? "";
    const { marks, removed } = await keeper.said(found);
    if (!marks.some((each) => markId(each) === mark))
      throw new ApiError("NO_MARK", `nothing that was said of run ${found.run} has the id ${mark.slice(0, 40)}`);
    // once more, where the answer was lost
    const before = removed.find((each) => each.mark === mark);
    const { row, applied } = await keeper.say(found, before ?? { mark, ...signed(ask) });
    const { run, tenant } = row;
    log("info", "api.mark-removed", { mark, run, tenant, class: row.class, applied, caller: ask.get("caller") });
    return ask.json({ schemaVersion: 1, applied, mark, run: apiRunOf(row) });
  }

  /** When and by whom; without keys nobody has a name. */
  function signed(ask: Ask): { at: number; by?: string } {
    const key = ask.get("key");
    return { at: now(), ...(key !== null && { by: key }) };
  }

  function watch(ask: Ask, source: (last: string | undefined) => EventSource): Response {
    const opened = source(ask.req.header("last-event-id"));
    const response = deps.streams.open(opened);
    if (response !== null) return response;
    opened.end();
    throw new ApiError("TOO_MANY_STREAMS", "so many pages watch already");
  }

  /** Every read of a payload leaves a line. */
  const told = (ask: Ask, row: RunRow, what: string) =>
    log("info", "api.payload-read", { what, run: row.run, tenant: row.tenant, caller: ask.get("caller") });

  async function payload(ask: Ask, read: (ask: Ask, row: RunRow) => Promise<Response>): Promise<Response> {
    const row = await rowOf(ask);
    try {
      return await read(ask, row);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "NO_OBJECT") throw error;
      // a newer revision, or another place in a smaller pack, may have taken its place since
      const moved = await catalog.get(row.tenant, row.run);
      if (moved && moved.parts.at(-1)?.key !== row.parts.at(-1)?.key) return read(ask, moved);
      throw expired(row, deps);
    }
  }

  async function envelope(ask: Ask, found: RunRow): Promise<Response> {
    const frames = found.parts.length === 0 ? open.frames(found.tenant, found.run) : null;
    const row = frames ? found : await packed(found);
    told(ask, row, "envelope");
    const merged = frames || row.parts.length === 1 ? null : await mergedEnvelope(store, row);
    const bodies = frames ?? (merged ? [merged] : null);
    const size = bodies?.reduce((sum, body) => sum + body.length, 0) ?? row.parts[0]!.length;
    const range = byteRange(ask.req.header("range"), size);
    if (range === "bad") throw new ApiError("BAD_RANGE", `the envelope has ${size} bytes`);
    const { offset, length } = range ?? { offset: 0, length: size };
    const pieces = bodies ? rangeOf(bodies, { offset, length }) : partBytes(store, row.parts[0]!, { offset, length });
    // before any header: what cannot be read at all is an error with a status and a length of its own
    const first = await pieces.next();
    ask.header("content-type", ENVELOPE_TYPE);
    ask.header("content-length", String(length));
    ask.header("accept-ranges", "bytes");
    if (!frames) ask.header("etag", `"${row.parts.map(({ content }) => content.slice(0, 32)).join("-")}"`);
    ask.header("x-content-type-options", "nosniff");
    if (range) ask.header("content-range", `bytes ${offset}-${offset + length - 1}/${size}`);
    ask.status(range ? 206 : 200);
    return stream(ask, async (out) => {
      if (first.done !== true) await out.write(first.value);
      for await (const piece of pieces) await out.write(piece);
    });
  }

  async function spansOf(row: RunRow) {
    const live = row.parts.length === 0 ? await open.spans(row.tenant, row.run) : null;
    return live ?? readRunSpans(store, await packed(row));
  }

  async function tree(ask: Ask, row: RunRow): Promise<Response> {
    const page = queryOf(ask, treeQuery);
    return ask.json({ schemaVersion: 1, run: apiRunOf(row), ...stepLines(row.run, await spansOf(row), page) });
  }

  const noStep = (row: RunRow, step: string) =>
    new ApiError("NO_STEP", `run ${row.run} has no step ${JSON.stringify(step.slice(0, 40))}`);

  async function step(ask: Ask, row: RunRow): Promise<Response> {
    const name = ask.req.param("step") ?? "";
    const found = stepDetail(row.run, await spansOf(row), name);
    if (found === null) throw noStep(row, name);
    told(ask, row, `step ${found.id}`);
    return ask.json({ schemaVersion: 1, run: row.run, step: found });
  }

  async function part(ask: Ask, row: RunRow): Promise<Response> {
    const [name, digest] = [ask.req.param("step") ?? "", ask.req.param("digest") ?? ""];
    const found = /^[0-9a-f]{64}$/.test(digest) ? stepPart(row.run, await spansOf(row), name, digest) : "no-part";
    if (found === "no-step") throw noStep(row, name);
    if (found === "no-part")
      throw new ApiError("NO_PART", `step ${name.slice(0, 40)} of run ${row.run} has no part of this digest`);
    told(ask, row, `part ${digest}`);
    return servePart(ask, found, digest);
  }

  async function spans(ask: Ask, row: RunRow): Promise<Response> {
    told(ask, row, "spans");
    const { bytes } = joinTraces(await spansOf(row));
    if (/\bapplication\/json\b/.test(ask.req.header("accept") ?? "")) return ask.json(otlpJson(bytes) as object);
    return ask.body(Buffer.from(bytes), 200, { "content-type": "application/x-protobuf" });
  }

  /** A run may be packed between two looks. */
  async function packed(row: RunRow): Promise<RunRow> {
    if (row.parts.length > 0) return row;
    const now = await catalog.get(row.tenant, row.run);
    if (now && now.parts.length > 0) return now;
    throw new ApiError("NOT_SEALED", `run ${row.run} is still open`);
  }

  const api = new Hono<{ Variables: Variables }>().basePath(API);
  const tooLong = () => {
    throw new ApiError("BAD_REQUEST", `the body is larger than ${MOST_BODY} bytes`);
  };
  api.use(bodyLimit({ maxSize: MOST_BODY, onError: tooLong }));
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
    if (refused.status >= 500) log("error", "api.failed", { path: ask.req.path, code: refused.code, error });
    return refusal(ask, refused);
  });
  return api;
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

function refusal(ask: Context, error: ApiError): Response {
  const headers = {
    ...(error.status === 401 && { "www-authenticate": "Bearer" }),
    ...(error.status === 503 && { "retry-after": "5" }),
  };
  return ask.json(error.body, error.status as 400, headers);
}

function queryOf<T extends z.ZodType>(ask: Ask, schema: T): z.infer<T> {
  return checked(schema, ask.req.query());
}

async function bodyOf<T extends z.ZodType>(ask: Ask, schema: T): Promise<z.infer<T>> {
  if (!/^application\/json\b/.test(ask.req.header("content-type") ?? ""))
    throw new ApiError("BAD_REQUEST", "the body must be application/json");
  const text = await ask.req.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", "the body is no JSON", { cause });
  }
  return checked(schema, value);
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new ApiError("BAD_REQUEST", `${where}${issue.message}`, { cause: parsed.error });
}
