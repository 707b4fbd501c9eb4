import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const reenact = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/index.js")).href;

const PROGRAM = `import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { agent, tool } from ${JSON.stringify(reenact)};
const look = tool("look", (n) => "found " + n);
const answer = agent("answer", async (n) => look(n));
const server = http.createServer(async (request, response) => response.end(await answer(request.url)));
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address();
const textOf = async (stream) => {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
};
const got = async (...options) => textOf((await once(http.get(...options), "response"))[0]);
const plain = async (socket) => {
  socket.write("GET /net HTTP/1.1\\r\\nhost: h\\r\\nconnection: close\\r\\n\\r\\n");
  return (await textOf(socket)).split("\\r\\n").at(-1) === "" ? "ended" : "answered";
};
console.log(await (await fetch("http://127.0.0.1:" + port + "/fetch")).text());
console.log(await got("http://127.0.0.1:" + port + "/get"));
console.log(await got({ host: "localhost", port, path: "/options", agent: false, family: 4 }));
console.log(await got("http://127.0.0.1:" + port + "/kept", { agent: new http.Agent({ keepAlive: true }) }));
console.log(await plain(net.connect(port, "127.0.0.1")), await plain(net.connect({ port, host: "127.0.0.1", path: undefined })));
process.exit(0);
`;

test("a replayed program may call its own server, however it does", { timeout: 60_000 }, async () => {
  const file = join(bench.folder, "own-server.mjs");
  writeFileSync(file, PROGRAM);
  const command = [process.execPath, file];
  const recorded = await bench.store.run(command);
  expect(recorded.stdout.split("\n").slice(0, 4)).toEqual(
    ["/fetch", "/get", "/options", "/kept"].map((n) => `found ${n}`),
  );
  const replayed = await bench.store.replay(recorded.summary.run ?? "", command);
  expect(replayed.report).toMatchObject({ verdict: "identical", socketsRefused: 0 });
});
