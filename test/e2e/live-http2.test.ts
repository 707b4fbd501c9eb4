import { once } from "node:events";
import { createServer as createHttp, type Server } from "node:http";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Store } from "./reenact.ts";

const store = new Store();
const program = [process.execPath, join(import.meta.dirname, "../programs/live-http2.mjs")];
const answer = JSON.stringify({ id: "x", object: "chat.completion", model: "gpt-5", choices: [] });
/** Bodies that have reached the servers. */
const asked: string[] = [];
const servers: (Server | Http2Server)[] = [];
let env: Record<string, string>;
let run: string;

async function listening(server: Server | Http2Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const http2 = createServer().on("stream", (stream) => {
    void text(stream).then((body) => {
      asked.push(body);
      stream.respond({ ":status": 200, "content-type": "application/json" });
      stream.end(answer);
    });
  });
  const http = createHttp((request, response) => {
    void text(request).then((body) => {
      asked.push(body);
      response.setHeader("content-type", "application/json").end(answer);
    });
  });
  const urls = { HTTP2_URL: await listening(http2), PROVIDER_URL: await listening(http) };
  env = { ...urls, OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop" };
  const recorded = await store.run(program, { env });
  expect([recorded.stdout, recorded.summary.steps], recorded.stderr).toEqual(['["answered","",0]\n', 2]);
  run = recorded.summary.run ?? "";
});
afterAll(() => {
  for (const server of servers) server.close();
  store.remove();
});

async function replayed(act: string, ...flags: string[]) {
  asked.splice(0);
  const { report, stdout } = await store.replay(run, [...program, act], { env, flags });
  return { verdict: report.verdict, stdout, sent: asked.filter((body) => !body.includes("else")), report };
}

test("a stream whose recorded answer has come does not time out once the record is left", async () => {
  const { verdict, stdout, sent, report } = await replayed("changed", "--live", "llm");
  expect([verdict, stdout, sent], JSON.stringify(report)).toEqual(["continued", '["answered","",0]\n', []]);
});

test("a request over HTTP/2 that is as recorded is served", async () => {
  const { verdict, sent, report } = await replayed("", "--live", "llm");
  expect([verdict, sent], JSON.stringify(report.divergence)).toEqual(["identical", []]);
});

test("a request over HTTP/2 is not sent behind the record", async () => {
  const { verdict, stdout, sent, report } = await replayed("again", "--live-after", "2");
  expect([verdict, sent, report.refused]).toEqual(["diverged", [], 1]);
  expect(stdout).toContain("HTTP/2 cannot be sent");
});
