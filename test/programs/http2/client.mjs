// Sessions of HTTP/2 that end in each way that there is. Printed: every event of each stream, and of each session.
import { createHash } from "node:crypto";
import { connect } from "node:http2";

const url = process.env.SERVER_URL;
const SECRET = process.env.CLIENT_SECRET;

/** With `stopAt` the program stops at that event. */
function read(session, path, { body, stopAt } = {}) {
  const method = body === undefined ? "GET" : "POST";
  const stream = session.request({ ":path": path, ":method": method, authorization: `Bearer ${SECRET}` });
  const events = [];
  const chunks = [];
  for (const name of ["ready", "aborted", "end"]) stream.on(name, () => events.push(name));
  stream.on("trailers", (fields) => events.push(`trailers ${Object.keys(fields)}`));
  stream.on("response", (headers, flags) => {
    events.push(`${headers[":status"]} ${flags} ${Object.keys(headers)}`);
    if (stopAt === "response") stream.close(8);
  });
  stream.on("data", (chunk) => {
    chunks.push(chunk);
    if (stopAt === "data") stream.destroy();
  });
  stream.on("error", ({ name, code, message, cause }) => events.push(`${name} ${code} ${message} ${cause?.code}`));
  if (stopAt === "later") setTimeout(() => stream.close(8), 20);
  if (body !== undefined) stream.end(body);
  return new Promise((resolve) =>
    stream.on("close", () => {
      const bytes = Buffer.concat(chunks);
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
      const isShown = bytes.length < 100 && path !== "/secret";
      console.log(path, events.join(" | "), stream.rstCode, isShown ? `${bytes}` : `${bytes.length} ${hash}`);
      resolve();
    }),
  );
}

/** Prints the events of a session. */
function open(name, to = url) {
  const session = connect(to);
  for (const event of ["connect", "close"]) session.on(event, () => console.log(name, event));
  session.on("remoteSettings", ({ initialWindowSize }) => console.log(name, "settings", initialWindowSize));
  session.on("goaway", (code) => console.log(name, "goaway", code));
  session.on("error", ({ code, message }) => console.log(name, code, message));
  return session;
}

const closed = (session) => new Promise((resolve) => session.on("close", resolve));

const first = open("first");
console.log(first.encrypted, first.alpnProtocol, first.socket.remoteAddress, first.connecting);
await read(first, "/text", { body: "hello" });
await Promise.all([read(first, "/one"), read(first, "/sent", { body: "x".repeat(150_000) })]);
await read(first, "/error", { body: `my key is ${SECRET}` });
await read(first, "/empty");
await read(first, "/trailers", { body: "" });
await read(first, "/long");
await read(first, "/refuse");
await read(first, "/half");
await read(first, "/hang", { stopAt: "later" });
await read(first, "/half", { stopAt: "response" });
await read(first, "/long", { stopAt: "data" });
if (process.env.ASK_SECRETS === "1") await read(first, "/secret");
await new Promise((resolve) =>
  first.ping(Buffer.from("12345678"), (error, _, payload) => resolve(console.log("ping", error, `${payload}`))),
);
console.log(first.destroyed, first.closed, first.encrypted, first.alpnProtocol, first.socket.remoteAddress);
await Promise.all([read(first, "/hang"), read(first, "/close"), closed(first)]);

const second = open("second");
await Promise.all([read(second, "/goaway"), closed(second)]);

const third = open("third", "http://127.0.0.1:1");
await Promise.all([read(third, "/text", { body: "never" }), closed(third)]);

const fourth = open("fourth");
await read(fourth, "/text");
fourth.close();
await closed(fourth);

// what makes it a run
const fifth = open("fifth");
const content = [{ text: "hi" }];
await read(fifth, "/model/m/converse", { body: JSON.stringify({ messages: [{ role: "user", content }] }) });
fifth.destroy();
await closed(fifth);
