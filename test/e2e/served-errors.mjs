/* oxlint-disable -- wrong on purpose */
// Prints, as one JSON object, the stacks of errors in handlers of a server, which stand in no run unless agent() makes one.
// argv[2]: where the wrappers of @reenact/node come from, or "none".
import fs from "node:fs";
import http from "node:http";
import { boom, down, kinds, told } from "./failing-kinds.mjs";

const [, , wrappers] = process.argv;
const bare = { tool: (_, fn) => fn, agent: (_, fn) => fn };
const { tool, agent } = wrappers === "none" ? bare : await import(wrappers);

const reader = () => fs.readFileSync("/nowhere");
const handlers = {
  boom,
  reader,
  "tool()": tool("thrower", boom),
  "async tool()": tool("late", async () => boom()),
  "tool() in tool()": tool("outer", () => tool("inner", boom)()),
  "a file in tool()": tool("reader", reader),
  "agent()": agent("thrower", boom),
  "tool() in agent()": agent("caller", () => tool("thrower", boom)()),
  ...Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, fn]) => [
      [kind, fn],
      [`${kind}, in tool()`, tool("thrower", fn)],
      [`${kind}, in agent()`, agent("thrower", fn)],
      [`${kind}, in tool() in agent()`, agent("caller", () => tool("thrower", fn)())],
      [`${kind}, in a late tool() in agent()`, agent("caller", async () => await late1(tool("thrower", fn)))],
    ]),
  ),
};

async function late1(fn) {
  await null;
  return await fn();
}

const stacks = {};
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(request.url.slice(1));
  void (async () => down(12, handlers[name]))().catch((error) => {
    stacks[name] = told(error);
    response.end();
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
for (const name of Object.keys(handlers))
  await new Promise((resolve) =>
    http.get({ port: server.address().port, path: `/${encodeURIComponent(name)}`, agent: false }, (response) =>
      response.resume().on("end", resolve),
    ),
  );
process.stdout.write(JSON.stringify(stacks), () => process.exit());
