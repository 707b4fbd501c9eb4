import { decodeResource } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import type { CatalogReader } from "../catalog/catalog.ts";
import { indexRun } from "../catalog/index-run.ts";
import { rowOf } from "../catalog/row-of.ts";
import { createReadApp } from "../query/thread/read-app.ts";

const TENANT = "offline";
const WHO = { tenant: TENANT, caller: "export", key: null, scopes: ["read"] as const };

const NO_CATALOG: CatalogReader = {
  find: async () => ({ rows: [], next: null, count: { value: 0, exact: true } }),
  facets: async () => ({}),
  sums: async () => [],
  series: async () => ({ points: [], exact: true }),
  get: async () => null,
};

/** Answers as the API does, by the address behind `/api/v1`. */
export type RunAnswers = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** The reading routes of the API over one run, without a collector. */
export function runAnswers({ header, manifest, spans }: Pick<Envelope, "header" | "manifest" | "spans">): RunAnswers {
  const index = indexRun(
    spans.map(({ span }) => span),
    spans[0] ? decodeResource(spans[0].scanned.resource) : {},
  );
  const sealed = { tenant: TENANT, class: header.class, rule: manifest.rule ?? null, received: 0, parts: [] };
  const row = rowOf(manifest, index, sealed);
  // the same list each time: what is read of it is read once
  const scanned = spans.map((each) => each.scanned);
  const app = createReadApp({
    catalog: NO_CATALOG,
    store: { getRange: () => Promise.reject(new Error("there is no store")) },
    open: {
      rows: async () => [row],
      spans: async () => scanned,
      lines: async () => null,
      envelope: async () => null,
      texts: async () => [""],
    },
    times: { short: 0, sample: 0 },
    log: () => {},
  });
  return async (path, headers = {}) => app.fetch(new Request(`http://offline/api/v1${path}`, { headers }), WHO);
}
