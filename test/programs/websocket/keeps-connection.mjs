// A server that opens one WebSocket at its start, and asks over it in each request.
import { once } from "node:events";
import { createServer } from "node:http";
import { tool } from "@reenact/node";
import WS from "ws";
import { sayAddress } from "../serve.mjs";

const socket = new WS(`${process.env.SERVER_URL}/kept`);
await once(socket, "open");
const note = tool("note", (text) => text.length);

const server = createServer(async (request, response) => {
  if (request.url === "/stop") return void response.end("", () => process.exit(0));
  socket.send(`${request.url}${process.argv[3] ?? ""}`);
  const [answer] = await once(socket, "message");
  await note(String(answer));
  response.end(`${answer}`);
});
server.listen(0, "127.0.0.1", () => sayAddress(server, process.argv[2]));
