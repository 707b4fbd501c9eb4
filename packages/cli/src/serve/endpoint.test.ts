import type { RecordedAnswers, Served } from "@reenact/replay";
import { expect, onTestFinished, test } from "vitest";
import { environmentFor } from "./base-urls.ts";
import { type Endpoint, startEndpoint } from "./endpoint.ts";

const faults: string[] = [];

async function endpointOf(answer: () => unknown): Promise<Endpoint> {
  faults.length = 0;
  const endpoint = await startEndpoint({ answer } as unknown as RecordedAnswers, {
    port: 0,
    run: "7f3a91",
    shown: (path) => path.replace(/sk-\w+/, "KEY"),
    onCall: () => {},
    onFault: (request) => faults.push(request),
  });
  onTestFinished(() => endpoint.stop());
  return endpoint;
}

function servedWith(reason: string, headers: [string, string][] = []): Served {
  const response = { status: 429, reason, headers, body: { text: "{}" } };
  const exchange = { via: "fetch", end: "complete", request: {}, response } as unknown as Served["exchange"];
  const parts = { step: 1, name: "openai.chat", chunks: [Buffer.from("{}")], differences: [], isEarly: false };
  return { found: true, exchange, ...parts };
}

const post = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, { method: "POST", body: "{}", headers });

test("a reason outside of Latin-1 is served as it came", async () => {
  const { url } = await endpointOf(() => servedWith("请求过多"));
  const { status, statusText } = await post(url);
  expect({ status, statusText, faults }).toEqual({ status: 429, statusText: "请求过多", faults: [] });
});

test("an answer that cannot be served is a fault, and no call that was served as recorded", async () => {
  const { url, calls } = await endpointOf(() => {
    throw new Error("no such body");
  });
  await expect(post(url)).rejects.toThrow("fetch failed");
  expect({ calls, faults }).toEqual({ calls: [], faults: ["POST /v1/chat/completions"] });
});

test("a page of another site gets no answer, and may read none", async () => {
  const allowing: [string, string][] = [["Access-Control-Allow-Origin", "*"]];
  const { url, calls } = await endpointOf(() => servedWith("", allowing));
  for (const origin of ["https://page.example", "null", "http://localhost.page.example"])
    expect((await post(url, { origin })).status).toBe(403);
  expect(calls).toEqual([]);
  const own = await post(url, { origin: "http://localhost:3000" });
  expect(own.status).toBe(429);
  expect(own.headers.get("access-control-allow-origin")).toBeNull();
});

test("a path is shown redacted", async () => {
  const unknown = { found: false, why: "unknown", operation: null, closest: null, differences: [] };
  const { url, calls } = await endpointOf(() => unknown);
  const refused = await (await fetch(`${url}/sk-abc/models`)).text();
  expect(calls[0]?.request).toBe("GET /KEY/models");
  expect(refused).toContain("GET /KEY/models, is no call of a model");
});

test("a program behind a proxy comes to the endpoint directly", () => {
  expect(environmentFor([], { HTTP_PROXY: "http://proxy.example", NO_PROXY: "db.example" })).toEqual({
    NO_PROXY: "db.example,127.0.0.1",
    no_proxy: "db.example,127.0.0.1",
  });
  expect(environmentFor([], {})).toEqual({});
});
