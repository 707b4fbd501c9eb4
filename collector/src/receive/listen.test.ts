import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { listen } from "./listen.ts";

const HOST = "127.0.0.1";
/** longer than a test may take: a close that waits for it fails */
const GRACE_MS = 600_000;

test("connections that sent nothing do not hold up the end", async () => {
  const listening = await listen({ host: HOST, port: 0 }, (_, response) => response.end("taken"));
  const silent = connect(listening.port, HOST);
  const ended = once(silent, "close");
  silent.on("error", () => {});
  await once(silent, "connect");
  // accepted after the silent one, so that both are known to the server
  expect(await (await fetch(listening.url)).text()).toBe("taken");
  await listening.close(GRACE_MS);
  await ended;
});

test("a request that is under way is answered before the end", async () => {
  const listening = await listen({ host: HOST, port: 0 }, (request, response) => {
    request.resume().once("end", () => response.end("taken"));
  });
  const sender = connect(listening.port, HOST);
  const received: Buffer[] = [];
  sender.on("data", (part: Buffer) => received.push(part));
  await once(sender, "connect");
  sender.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
  expect(await (await fetch(listening.url)).text()).toBe("taken");
  const closed = listening.close(GRACE_MS);
  const ended = once(sender, "close");
  sender.write("b");
  await Promise.all([closed, ended]);
  expect(Buffer.concat(received).toString()).toContain("taken");
});

test("an answer that had begun before the end is sent whole, and its connection goes with it", async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  const listening = await listen({ host: HOST, port: 0 }, (_, response) => {
    response.writeHead(200).write("begun, ");
    begun.resolve(response);
  });
  const sender = connect(listening.port, HOST);
  const received: Buffer[] = [];
  sender.on("data", (part: Buffer) => received.push(part));
  await once(sender, "connect");
  sender.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const response = await begun.promise;
  const closed = listening.close(GRACE_MS);
  const ended = once(sender, "close");
  response.end("ended");
  await Promise.all([closed, ended]);
  expect(Buffer.concat(received).toString()).toContain("ended");
});
