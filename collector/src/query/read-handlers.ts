import { errorCode, joinTraces, otlpJson } from "@reenact/envelope";
import type { RunRow } from "../catalog/run-row.ts";
import type { ReadDeps } from "./api-deps.ts";
import { ApiError } from "./api-error.ts";
import { apiRunOf } from "./api-run.ts";
import { facetsQuery, runQuery, runsQuery } from "./api-schema.ts";
import { type Ask, type Handler, queryOf } from "./ask.ts";
import { diffAnswerOf } from "./diff-answer.ts";
import { diffQuery } from "./diff-schema.ts";
import { expired, findRun } from "./find-run.ts";
import { keepLastRun } from "./kept-run.ts";
import { listRuns } from "./list-runs.ts";
import type { ReadName } from "./read-routes.ts";
import { mergedEnvelope, partBytes, readRunSpans } from "./run-reader.ts";
import { stepDetail, stepLines, stepPart } from "./run-steps.ts";
import { serveEnvelope } from "./serve-envelope.ts";
import { servePart } from "./serve-part.ts";
import { runViewOf, stepItemsOf } from "./run-view.ts";
import { stepContextOf } from "./step-context.ts";
import { viewQuery } from "./view-schema.ts";
import { treeQuery } from "./step-schema.ts";
import { errorGroups } from "./error-groups.ts";
import { facetsOf, memberOf, seriesOver, sumsOf } from "./sums.ts";
import { errorsQuery, memberQuery, seriesQuery, sumsQuery } from "./sums-schema.ts";

/** The handlers of all reading routes, for any thread. They throw `ApiError`, `StoreError` and `CatalogError`. */
export function readHandlers(deps: ReadDeps): Record<ReadName, Handler> {
  const { catalog, store, open, log } = deps;
  const kept = keepLastRun(
    (row) => readRunSpans(store, row),
    ({ parts }) => Promise.all(parts.map(({ key, offset }) => store.getRange(key, offset, 1))),
  );
  const rowOf = (ask: Ask) => findRun(deps, ask.get("tenant"), ask.req.param("run") ?? "");

  /** Every read of a payload is logged. */
  const told = (ask: Ask, row: RunRow, what: string) =>
    log("info", "api.payload-read", { what, run: row.run, tenant: row.tenant, caller: ask.get("caller") });

  async function payload(ask: Ask, read: (ask: Ask, row: RunRow) => Promise<Response>): Promise<Response> {
    const row = await rowOf(ask);
    try {
      return await read(ask, row);
    } catch (error) {
      if (errorCode(error) !== "NO_OBJECT") throw error;
      // a newer revision, or another place in a smaller pack, may have taken its place since
      const moved = await catalog.get(row.tenant, row.run);
      if (moved && moved.parts.at(-1)?.key !== row.parts.at(-1)?.key) return read(ask, moved);
      throw expired(row, deps);
    }
  }

  async function envelope(ask: Ask, found: RunRow): Promise<Response> {
    const local = found.parts.length === 0 ? await open.envelope(found.tenant, found.run) : null;
    if (local !== null) {
      told(ask, found, "envelope");
      return serveEnvelope(ask, { bodies: [local], etag: null });
    }
    const row = await packed(found);
    told(ask, row, "envelope");
    const [first] = row.parts;
    const merged = row.parts.length === 1 ? null : await mergedEnvelope(store, row);
    const etag = `"${row.parts.map(({ content }) => content.slice(0, 32)).join("-")}"`;
    if (merged) return serveEnvelope(ask, { bodies: [merged], etag });
    return serveEnvelope(ask, { length: first!.length, read: (range) => partBytes(store, first!, range), etag });
  }

  async function spansOf(row: RunRow) {
    const live = row.parts.length === 0 ? await open.spans(row.tenant, row.run) : null;
    return live === null ? kept.sealed(await packed(row)) : kept.same(row, live);
  }

  async function tree(ask: Ask, row: RunRow): Promise<Response> {
    const page = queryOf(ask, treeQuery);
    return ask.json({ schemaVersion: 1, run: apiRunOf(row), ...stepLines(row.run, await spansOf(row), page) });
  }

  async function view(ask: Ask, row: RunRow): Promise<Response> {
    const page = queryOf(ask, viewQuery);
    told(ask, row, "view");
    return ask.json({ schemaVersion: 1, run: apiRunOf(row), ...runViewOf(row, await spansOf(row), page) });
  }

  async function items(ask: Ask, row: RunRow): Promise<Response> {
    const name = ask.req.param("step") ?? "";
    const found = stepItemsOf(row.run, await spansOf(row), name);
    if (found === null) throw noStep(row, name);
    told(ask, row, `step ${name.slice(0, 40)}`);
    return ask.json({ schemaVersion: 1, run: row.run, ...found });
  }

  async function context(ask: Ask, row: RunRow): Promise<Response> {
    const name = ask.req.param("step") ?? "";
    const found = stepContextOf(row.run, await spansOf(row), name);
    if (found === null) throw noStep(row, name);
    told(ask, row, `context of step ${found.step}`);
    return ask.json({ schemaVersion: 1, run: row.run, ...found });
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

  /** The row with its parts, looked up again where it had none: the run may have been packed since. Throws `NOT_SEALED`. */
  async function packed(row: RunRow): Promise<RunRow> {
    if (row.parts.length > 0) return row;
    const now = await catalog.get(row.tenant, row.run);
    if (now && now.parts.length > 0) return now;
    throw new ApiError("NOT_SEALED", `run ${row.run} is still open`);
  }

  const member = (ask: Ask, field: "session" | "user") =>
    memberOf(deps, ask.get("tenant"), { field, value: ask.req.param(field) ?? "", query: queryOf(ask, memberQuery) });

  return {
    listRuns: async (ask) => ask.json(await listRuns(deps, ask.get("tenant"), queryOf(ask, runsQuery))),
    getRun: async (ask) => {
      const { local } = queryOf(ask, runQuery);
      const row = await findRun(deps, ask.get("tenant"), ask.req.param("run") ?? "", local);
      return ask.json({ schemaVersion: 1, run: apiRunOf(row) });
    },
    getEnvelope: async (ask) => payload(ask, envelope),
    getTree: async (ask) => payload(ask, tree),
    getView: async (ask) => payload(ask, view),
    getItems: async (ask) => payload(ask, items),
    getContext: async (ask) => payload(ask, context),
    getStep: async (ask) => payload(ask, step),
    getPart: async (ask) => payload(ask, part),
    getSpans: async (ask) => payload(ask, spans),
    getFacets: async (ask) => ask.json(await facetsOf(deps, ask.get("tenant"), queryOf(ask, facetsQuery))),
    getSeries: async (ask) => ask.json(await seriesOver(deps, ask.get("tenant"), queryOf(ask, seriesQuery))),
    listErrors: async (ask) => ask.json(await errorGroups(deps, ask.get("tenant"), queryOf(ask, errorsQuery))),
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
      for (const row of [left, right]) told(ask, row, "diff");
      const read = async (row: RunRow) => ({ run: row.run, spans: await spansOf(row) });
      const diff = diffAnswerOf(await read(left), await read(right));
      return ask.json({ schemaVersion: 1, a: apiRunOf(left), b: apiRunOf(right), ...diff });
    },
  };
}
