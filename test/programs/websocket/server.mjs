// A server of WebSockets: speaks first, asks pings, answers with what is different each time, and speaks as OpenAI's realtime
// models do where it has a certificate. Prints its ports.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import https from "node:https";
import { WebSocketServer } from "ws";

const { KEY, CERT } = process.env;
const http = createServer();
const secure = https.createServer(KEY ? { key: readFileSync(KEY), cert: readFileSync(CERT) } : {});
const server = new WebSocketServer({
  noServer: true,
  perMessageDeflate: { threshold: 0 },
  handleProtocols: (offered) => [...offered][0] ?? false,
});
let asked = 0;
for (const each of [http, secure]) each.on("upgrade", upgrade);

function upgrade(request, socket, head) {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/refused") {
    const body = `no: ${process.hrtime.bigint()}`;
    socket.end(`HTTP/1.1 401 Unauthorized\r\nContent-Length: ${body.length}\r\nX-Why: key\r\n\r\n${body}`);
    return;
  }
  if (pathname === "/silent") return;
  const speak = pathname === "/v1/realtime" ? speakAsModel : serve;
  server.handleUpgrade(request, socket, head, (client) => {
    if (pathname !== "/headers") return speak(client, pathname);
    const { authorization = "none", "x-late": late = "none" } = request.headers;
    client.send(`${authorization} ${late}`);
  });
}

function speakAsModel(client) {
  const say = (type, more) =>
    client.send(JSON.stringify({ type, event_id: `event_${process.hrtime.bigint()}`, ...more }));
  say("session.created", { session: { id: `sess_${process.hrtime.bigint()}` } });
  client.on("message", (data) => {
    const event = JSON.parse(String(data));
    if (event.type === "session.update") return say("session.updated", { session: event.session });
    if (event.type === "input_audio_buffer.append") return say("input_audio_buffer.committed", { item_id: "item_1" });
    if (event.type !== "response.create") return;
    for (const delta of ["Hel", "lo ", String(process.hrtime.bigint())]) say("response.output_text.delta", { delta });
    const call = { type: "function_call", name: "look_up", call_id: "call_1", arguments: '{"order":7}' };
    say("response.done", { response: { output: event.response?.again ? [] : [call], usage: { total_tokens: 12 } } });
  });
}

function serve(client, pathname) {
  client.send(JSON.stringify({ type: "session.created", id: `sess_${process.hrtime.bigint()}` }));
  if (pathname === "/cut") return void setTimeout(() => client._socket.destroy(), 20);
  client.ping("are you there");
  client.on("ping", () => client.send("pinged"));
  client.on("message", (data, isBinary) => {
    if (isBinary) return client.send(Buffer.from([...data].reverse()), { binary: true });
    const text = String(data);
    if (text === "bye") return client.close(4001, `seen ${++asked}`);
    if (text === "fragments") {
      client.send("one ", { fin: false });
      client.ping("between");
      return client.send(`two ${process.hrtime.bigint()}`, { fin: true });
    }
    if (text.startsWith("{"))
      return client.send(JSON.stringify({ type: "echo", of: JSON.parse(text), at: String(process.hrtime.bigint()) }));
    client.send(`${text} ${process.hrtime.bigint()}`);
  });
}

http.listen(0, "127.0.0.1", () =>
  secure.listen(0, "127.0.0.1", () => console.log(`${http.address().port} ${secure.address().port}`)),
);
