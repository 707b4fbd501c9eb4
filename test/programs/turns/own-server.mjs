// A program that serves itself over loopback, by name and by address, beside its calls.
import { lookup } from "node:dns/promises";
import { createServer } from "node:http";
import { call, print, said } from "./model.mjs";

said(await call("before"));
const server = createServer((request, response) => response.end(`own ${request.url}`));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
said(await (await fetch(`http://127.0.0.1:${port}/one`)).text());
said((await lookup("127.0.0.1")).address);
said(await call("after"));
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
print();
