import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFront } from "./front.ts";
import type { Position } from "../journal/journal.ts";
import { noLog } from "../log.ts";
import { createMetricsDoor, type MetricsDoor } from "../metrics/metrics-door.ts";
import { renderMetrics } from "../metrics/metrics.ts";
import { createKeys } from "../receive/keys.ts";
import { newKey } from "../receive/receiver.test.fixture.ts";
import { startRelease } from "./release-journal.ts";

let reasons: string[];
let parts: string[];
let close: () => Promise<void>;
let url: string;
let metricsDoor: MetricsDoor = () => null;
beforeEach(async () => {
  reasons = ["starting"];
  parts = [];
  const server = createServer(
    createFront({
      receive: (request, response) => {
        if (request.url !== "/v1/traces") return false;
        response.end("taken");
        return true;
      },
      api: { fetch: (request) => new Response(`api ${new URL(request.url).pathname}`) },
      refuse: ({ origin }) => (origin === undefined ? null : `origin ${origin} is not allowed`),
      closed: () => reasons,
      missing: () => parts,
      refuseMetrics: (authorization) => metricsDoor(authorization),
      pages: () => null,
      metrics: () => [
        { name: "a_total", kind: "counter", help: "two\nlines", samples: [{ value: 1, labels: { d: 'x"\\' } }] },
      ],
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
});
afterEach(() => {
  metricsDoor = () => null;
  return close();
});

test("it is alive from the start, and ready once it says no reason against it", async () => {
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  const starting = await fetch(`${url}/readyz`);
  expect([starting.status, await starting.text()]).toEqual([503, "starting\n"]);
  reasons = [];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("a missing part is named by all three, and only /readyz is 503 for it", async () => {
  reasons = [];
  parts = ["the store does not answer"];
  const said = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    return [answer.status, answer.headers.get("retry-after"), await answer.text()];
  };
  expect(await said("/livez")).toEqual([200, null, "ok\nthe store does not answer\n"]);
  expect(await said("/readyz/receive")).toEqual([200, null, "ok\nthe store does not answer\n"]);
  expect(await said("/readyz")).toEqual([503, "1", "the store does not answer\n"]);
  reasons = ["the disk takes nothing"];
  expect(await said("/readyz/receive")).toEqual([503, "1", "the disk takes nothing\nthe store does not answer\n"]);
});

test("metrics are Prometheus text, and none of a web page's business", async () => {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  expect(await answer.text()).toBe('# HELP a_total two\\nlines\n# TYPE a_total counter\na_total{d="x\\"\\\\"} 1\n');
  expect((await fetch(`${url}/metrics`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
});

test("beyond loopback metrics are for keys with metrics or read; health stays open", async () => {
  const [metrics, read, ingest] = [newKey(), newKey(), newKey()];
  const keys = createKeys({
    keys: [
      { name: "m", sha256: metrics.sha256, scopes: ["metrics"], tenant: "t" },
      { name: "r", sha256: read.sha256, scopes: ["read"], tenant: "t" },
      { name: "i", sha256: ingest.sha256, scopes: ["ingest"], tenant: "t" },
    ],
  });
  const status = async (key?: string) =>
    (await fetch(`${url}/metrics`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })).status;
  metricsDoor = createMetricsDoor("127.0.0.1", keys);
  expect(await status()).toBe(200);
  metricsDoor = createMetricsDoor("0.0.0.0", keys);
  expect(await Promise.all([status(), status("other"), status(ingest.key)])).toEqual([401, 401, 403]);
  expect(await Promise.all([status(metrics.key), status(read.key)])).toEqual([200, 200]);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test("OTLP goes to the receiver, everything else to the API", async () => {
  expect(await (await fetch(`${url}/v1/traces`, { method: "POST" })).text()).toBe("taken");
  expect(await (await fetch(`${url}/api/v1/runs?x=1`)).text()).toBe("api /api/v1/runs");
});

test("an empty family has its head only", () => {
  expect(renderMetrics([{ name: "b", kind: "gauge", help: "h", samples: [] }])).toBe("# HELP b h\n# TYPE b gauge\n");
});

test("the journal is given up behind the last reader, and not at all while one is unknown", () => {
  const released: unknown[] = [];
  const [first, second, third] = ["1", "2", "3"] as Position[];
  let last: Position | null = null;
  const readers = () => [third!, last, second!];
  const release = startRelease({ release: (upTo) => void released.push(upTo) }, readers, noLog, 1e6);
  release.now();
  expect(released).toEqual([]);
  last = first!;
  release.now();
  expect(released).toEqual([first]);
  release.close();
});
