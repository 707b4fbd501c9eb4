import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { MetricsDoor } from "../metrics/metrics-door.ts";
import type { Pages } from "../query/pages.ts";
import { type Metric, METRICS_TYPE, renderMetrics } from "../metrics/metrics.ts";

export interface FrontDeps {
  /** OTLP and the handshake; false: not its path */
  readonly receive: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** everything under `/api/` */
  readonly api: { fetch(request: Request): Response | Promise<Response> };
  /** why a request is refused before anything else; null: it is not */
  readonly refuse: (headers: { host?: string; origin?: string }) => string | null;
  /** why nothing can be received; empty: it can */
  readonly closed: () => readonly string[];
  /** parts that are not there yet, without which spans can still be received */
  readonly missing: () => readonly string[];
  readonly metrics: () => readonly Metric[];
  readonly refuseMetrics: MetricsDoor;
  readonly pages: Pages;
}

/**
 * Everything that is served on one port. `/livez` is 200 while the process runs, `/readyz/receive` while spans are taken,
 * and `/readyz` once every part is there; each names the missing parts, one a line. These three ask for no allowed host
 * and no key, so they show no addresses and no errors.
 */
export function createFront(deps: FrontDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const rest = new Hono();
  const health = (ask: Context, unwell: readonly string[], told: readonly string[]) =>
    ask.text(
      `${[...(unwell.length > 0 ? [] : ["ok"]), ...told].join("\n")}\n`,
      unwell.length > 0 ? 503 : 200,
      unwell.length > 0 ? { "retry-after": "1" } : {},
    );
  const all = () => [...deps.closed(), ...deps.missing()];
  rest.get("/livez", (ask) => health(ask, [], all()));
  rest.get("/readyz", (ask) => health(ask, all(), all()));
  rest.get("/readyz/receive", (ask) => health(ask, deps.closed(), all()));
  rest.get("/metrics", (ask) => {
    const refused = refusedBy(deps.refuse, ask);
    if (refused !== null) return ask.text(`${refused}\n`, 403);
    const no = deps.refuseMetrics(ask.req.header("authorization"));
    if (no !== null) return ask.text(`${no.message}\n`, no.status, { "www-authenticate": "Bearer" });
    return ask.body(renderMetrics(deps.metrics()), 200, { "content-type": METRICS_TYPE });
  });
  rest.get("*", async (ask, next) => {
    const page = deps.pages(ask);
    if (page === null) return next();
    const refused = refusedBy(deps.refuse, ask);
    return refused === null ? page : ask.text(`${refused}\n`, 403);
  });
  rest.get("/", (ask) =>
    ask.text("Reenact collector: POST /v1/traces, GET /api/v1/runs, /api/v1/openapi.json, /metrics, /readyz\n"),
  );
  rest.mount("/", (request) => deps.api.fetch(request));
  const listener = getRequestListener(rest.fetch, { overrideGlobalObjects: false });
  return (request, response) => {
    if (!deps.receive(request, response)) void listener(request, response);
  };
}

function refusedBy(refuse: FrontDeps["refuse"], ask: Context): string | null {
  const [host, origin] = [ask.req.header("host"), ask.req.header("origin")];
  return refuse({ ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) });
}
