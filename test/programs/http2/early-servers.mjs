// Servers for early-ends.mjs. Printed: their ports. The first refuses a body before it has come, the second speaks HTTP/1, the third cuts a frame.
import { createServer } from "node:http2";
import net from "node:net";

const refusing = createServer();
refusing.on("stream", (stream) => {
  stream.on("error", () => {});
  stream.respond({ ":status": 413 });
  stream.on("finish", () => stream.close(0));
  stream.end("too large");
});
const old = net.createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
});
const SETTINGS = "000000040000000000";
const STATUS_200 = "00000101040000000188";
const DATA_OF_1024 = "000400000000000001";
const cutting = net.createServer((socket) => {
  socket.on("error", () => {});
  socket.write(Buffer.from(SETTINGS, "hex"));
  socket.once("data", () => setTimeout(() => socket.write(Buffer.from(STATUS_200 + DATA_OF_1024, "hex")), 50));
  setTimeout(() => socket.end("a part"), 200);
});
const servers = [refusing, old, cutting];
await Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))));
console.log(servers.map((server) => server.address().port).join());
