// A server whose requests ask a model, and then make two agent() calls at the same time, each a run of its own.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@reenact/node";
import { sayAddress } from "./serve.mjs";
import { call } from "./turns/model.mjs";

const [, , address] = process.argv;

const go = agent("go", async (n) => {
  await sleep(5 * n);
  return call(`go ${n}`);
});

const server = createServer(async (request, response) => {
  if (request.url === "/stop") return void response.end("", () => process.exit(0));
  const said = await call(`hi ${request.url}`);
  const both = await Promise.all([go(2), go(1)]);
  response.end([said, ...both].join("\n"));
});
server.listen(0, "127.0.0.1", () => sayAddress(server, address));
