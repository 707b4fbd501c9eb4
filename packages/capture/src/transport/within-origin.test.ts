import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withinOrigin } from "./within-origin.ts";

interface Asked {
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const asked: Asked[] = [];
/** `/<status>?to=<location>` redirects, everything else answers. */
const server = createServer((request, response) => void answered(request, response));

async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = "/", method, headers } = request;
  asked.push({ url, method, headers, body: await text(request) });
  const { pathname, searchParams } = new URL(url, "http://x");
  if (pathname === "/circle") return void response.writeHead(307, { location: "/circle" }).end();
  const status = Number(pathname.slice(1)) || 200;
  response.writeHead(status, searchParams.has("to") ? { location: searchParams.get("to") ?? "" } : {}).end("answer");
}

let origin: string;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close().closeAllConnections());

async function sent(path: string, init: RequestInit = {}, input = (url: string): string | Request => url) {
  asked.splice(0);
  const leaves = (to: string): Error => new Error(`leaves to ${to}`);
  const post = { method: "POST", headers: { "x-api-key": "k", "content-type": "text/plain" }, body: "question" };
  const own = { ...post, ...init, signal: AbortSignal.timeout(10_000) };
  const answer = await withinOrigin(fetch, leaves)(input(`${origin}${path}`), own);
  const { status, redirected, url, body } = answer;
  return { status, redirected, url: url.replace(origin, ""), text: await new Response(body).text() };
}

test("within its origin a request goes on as with fetch", async () => {
  for (const status of [307, 308]) {
    const answer = await sent(`/${status}?to=${encodeURIComponent("/307?to=/end")}`);
    expect(answer).toEqual({ status: 200, redirected: true, url: "/end", text: "answer" });
    expect(asked.map(({ method, body }) => `${method} ${body}`)).toEqual(Array(3).fill("POST question"));
  }
  for (const status of [301, 302, 303]) {
    await sent(`/${status}?to=/end`);
    expect(asked[1]).toMatchObject({ url: "/end", method: "GET", body: "", headers: { "x-api-key": "k" } });
    expect(asked[1]?.headers["content-type"]).toBeUndefined();
  }
  const get = await sent("/301?to=/end", { method: "GET", body: null }, (url) => new Request(url));
  expect([get.url, asked.length]).toEqual(["/end", 2]);
});

test("what is no redirect comes as it is", async () => {
  expect(await sent("/200")).toEqual({ status: 200, redirected: false, url: "/200", text: "answer" });
  expect(await sent("/307")).toMatchObject({ status: 307, redirected: false });
  expect(await sent("/418?to=/end")).toMatchObject({ status: 418 });
});

test("it does not leave its origin, go in circles, or send a stream twice", async () => {
  const port = new URL(origin).port;
  for (const to of [`http://localhost:${port}`, `https://127.0.0.1:${port}`, "http://127.0.0.1:9"]) {
    await expect(sent(`/307?to=${to}/end`)).rejects.toThrow(`leaves to ${to}`);
  }
  await expect(sent("/307?to=data:,x")).rejects.toThrow("leaves to null");
  await expect(sent("/307?to=http://")).rejects.toMatchObject({ cause: { message: /which is no URL/ } });
  const body = new Blob(["question"]).stream();
  const streamed = sent("/308?to=/end", { body, duplex: "half" } as RequestInit);
  await expect(streamed).rejects.toMatchObject({ cause: { message: /is a stream/ } });
  await expect(sent("/circle")).rejects.toMatchObject({ cause: { message: "redirect count exceeded" } });
  expect(asked).toHaveLength(21);
});
