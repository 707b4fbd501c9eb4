// Talks over WebSockets: `ws` (with and without compression) and the global one. Prints what comes, in order.
import { once } from "node:events";
import { tool } from "@reenact/node";
import WS from "ws";

const { SERVER_URL: base } = process.env;
const [, , edit = ""] = process.argv;
await tool("begin", () => 1)();

function talk(name, socket, send) {
  return new Promise((resolve) => {
    const say = (...what) => console.log(name, ...what);
    socket.addEventListener("open", () => {
      say("open", socket.protocol);
      socket.send(JSON.stringify({ type: "first", name, draw: Math.random(), mail: "frame.person@example.org" }));
      for (const text of ["hello", "hello".repeat(500), "fragments"]) socket.send(text);
      socket.send(Buffer.from([1, 2, 3, 255]));
      send?.(socket);
    });
    let echoes = 0;
    socket.addEventListener("message", ({ data }) => {
      say("message", typeof data === "string" ? data.slice(-200) : Buffer.from(data).toString("hex"));
      if (++echoes !== 6) return;
      socket.send(JSON.stringify({ type: "second", echoes, edit }));
      socket.send("bye");
    });
    socket.addEventListener("error", ({ message }) => say("error", message));
    socket.addEventListener("close", ({ code, reason, wasClean }) =>
      resolve(say("close", code, String(reason), wasClean)),
    );
  });
}

const headers = { Authorization: `Bearer ${process.env.CLIENT_SECRET ?? "dummy"}`, "X-Tenant": "one" };
await talk(
  "ws",
  new WS(`${base}/plain?model=m&api_key=${process.env.CLIENT_SECRET}`, ["a", "b"], {
    headers,
    perMessageDeflate: false,
  }),
);
await talk("deflate", new WS(`${base}/deflate`, { headers, perMessageDeflate: { threshold: 0 } }), (socket) => {
  socket.on("ping", (data) => console.log("pinged", String(data)));
  socket.on("pong", (data) => console.log("ponged", String(data)));
  socket.ping("well");
});
for (const options of [undefined, ["realtime", "openai-insecure-api-key.sk-none"]]) {
  const socket = new WebSocket(`${base}/global`, options);
  if (!(socket instanceof WebSocket) || socket.constructor !== WebSocket) throw new Error("another class");
  socket.binaryType = "arraybuffer";
  await talk("global", socket);
}

for (const Class of [WS, WebSocket])
  for (const path of ["refused", "cut"])
    await new Promise((resolve) => {
      const socket = new Class(`${base}/${path}`);
      socket.addEventListener("error", ({ message }) => console.log(path, "error", message));
      socket.addEventListener("close", ({ code }) => resolve(console.log(path, "close", code)));
    });
try {
  console.log(new WebSocket().url);
} catch (error) {
  console.log(error.name, error.message);
}
const refused = new WS(`${base}/refused`);
const [, response] = await once(refused, "unexpected-response");
console.log(response.statusCode, response.headers["x-why"], String((await response.toArray())[0]));

const impatient = new WS(`${base}/silent`, { handshakeTimeout: 50 });
console.log("silent", (await once(impatient, "error"))[0].message);
const nobody = new WS("ws://127.0.0.1:9/");
console.log("nobody", (await once(nobody, "error"))[0].code);
const left = new WS(`${base}/silent`);
left.on("error", ({ message }) => console.log("left", message));
setTimeout(() => left.terminate(), 10);
await new Promise((resolve) => left.once("close", resolve));
// the program changes the headers of a request that it has made and not sent
const changed = new WS(`${base}/headers`, {
  headers,
  finishRequest(request) {
    request.removeHeader("authorization");
    request.setHeader("X-Late", "set");
    request.end();
  },
});
const [seen] = await once(changed, "message");
console.log("headers", String(seen));
changed.terminate();
const open = new WS(`${base}/plain`);
await once(open, "message");
open.terminate();
console.log("terminated", await once(open, "close"));
