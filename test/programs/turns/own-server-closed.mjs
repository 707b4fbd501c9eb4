// A server of the program's own that is gone while its client still waits: the client tries to connect once more.
import { createServer } from "node:http";
import { call, print, said } from "./model.mjs";

said(await call("before"));
const server = createServer((request, response) => {
  if (request.url === "/events") return response.writeHead(200).write("data: 1\n\n");
  response.end("{}");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const own = `http://127.0.0.1:${server.address().port}`;
said(await (await fetch(own, { method: "POST", body: "x" })).text());
const control = new AbortController();
const events = await fetch(`${own}/events`, { signal: control.signal });
events.body.getReader().read();
said(await call("beside"));
control.abort();
server.closeAllConnections();
server.close();
said(await call("after"));
print();
